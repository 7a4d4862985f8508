"""Sets of codes: direct answers, unary bits, subsets and hashed answers."""

from discretion.family.sets.family import Sets

__all__ = ["Sets"]
