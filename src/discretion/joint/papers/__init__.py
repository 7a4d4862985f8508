"""The papers' own methods for joint tables, for comparison only: see docs/joint-papers.md."""

from discretion.joint.papers.entropy_split import entropy_split
from discretion.joint.papers.intervals import borrowed
from discretion.joint.papers.lasso import lasso
from discretion.joint.papers.lopub import em_lopub, hybrid

__all__ = ["borrowed", "em_lopub", "entropy_split", "hybrid", "lasso"]
