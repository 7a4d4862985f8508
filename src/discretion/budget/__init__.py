"""What may be spent: policies, and one owner's allocation. Integer thousandths of epsilon."""

from discretion.budget.allocation import Budget
from discretion.budget.level import epsilon, thousandths
from discretion.budget.policy import Average, Levels, Policy, Total

__all__ = ["Average", "Budget", "Levels", "Policy", "Total", "epsilon", "thousandths"]
