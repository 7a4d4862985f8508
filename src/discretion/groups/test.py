"""One test of several differences: whether all of them may be zero."""

import numpy as np
from scipy.special import chdtrc

from discretion.comparisons.difference import SameTest
from discretion.groups.quotient import Estimated

RESOLVED = 1e-10  # of the largest variance


def tested(apart: Estimated) -> SameTest:
    """Test differences by their own covariance; what that cannot tell apart counts once."""
    value, root = apart.value.ravel(), apart.root.reshape(len(apart.root), -1)
    variances, vectors = np.linalg.eigh(root.T @ root)
    known = variances > RESOLVED * variances.max(initial=0.0)
    along = value @ vectors[:, known]
    statistic, df = float((along**2 / variances[known]).sum()), int(known.sum())
    return SameTest(statistic, df, float(chdtrc(df, statistic)) if df else 1.0, "Wald")
