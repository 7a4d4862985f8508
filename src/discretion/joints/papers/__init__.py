"""The papers' own methods for joint tables, for comparison only: see docs/joint-papers.md."""

from discretion.joints.papers.entropy_split import entropy_split
from discretion.joints.papers.lasso import lasso
from discretion.joints.papers.lopub import em_lopub, hybrid

__all__ = ["em_lopub", "entropy_split", "hybrid", "lasso"]
