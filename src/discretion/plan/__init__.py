"""The public agreement between owners, operator and analysts; its hash is its id."""

from discretion.plan.plan import Plan

__all__ = ["Plan"]
