"""A second round about the candidates that a first round found, and the pooled estimate."""

from discretion.candidates.focus import focus
from discretion.candidates.pool import pool
from discretion.candidates.result import PooledEstimate

__all__ = ["PooledEstimate", "focus", "pool"]
