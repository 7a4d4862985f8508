"""The public agreement between owners, operator and analysts; its hash is its id."""

from discretion.plan.parameters import Family
from discretion.plan.plan import Plan
from discretion.plan.question import Question

__all__ = ["Family", "Plan", "Question"]
