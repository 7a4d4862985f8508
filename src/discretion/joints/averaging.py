"""Between two estimates of a table, the most likely one and a shrunk one: what the reports advise.

Each has an unbiased estimate of its loss, Akaike's (1974): the deviance plus twice the number of
terms that the reports determine. A shrunk table has more terms than those (MacKay 1992); in the
most likely one they are its cells above zero, less one. The two are averaged with weights that fall
with the exponential of that loss (Leung and Barron 2006): one of them where the reports can tell,
both where they cannot.
"""

import numpy as np
from scipy.special import expit

from discretion.estimate.noise import Vector
from discretion.joints.likelihood import TableLikelihood

CAUTION = 1.25  # of a term that only the most likely table has: its noise is that of the choice too
FAINT = 1e-3  # of an even share: cells below are zero, where zeros are not exact


def averaged(
    likelihood: TableLikelihood, likely: Vector, shrunk: Vector, determined: float
) -> Vector:
    """Return the average of both tables; the shrunk one determines so many terms."""
    cells = int(np.count_nonzero(likely > FAINT / len(likely)))
    more = cells - 1 - determined
    gain = likelihood.slope(likely)[0] - likelihood.slope(shrunk)[0]
    weight = float(expit(2 * (gain - CAUTION * more)))
    return weight * likely + (1 - weight) * shrunk
