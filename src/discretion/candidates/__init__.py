"""Rounds that build on each other: what one found is asked about, and both become one estimate."""

from discretion.candidates.focus import focus
from discretion.candidates.pool import pool
from discretion.candidates.result import PooledEstimate

__all__ = ["PooledEstimate", "focus", "pool"]
