"""Between two estimates of a table, the most likely one and a shrunk one: what the reports advise.

Each has an unbiased estimate of its loss, Akaike's (1974): the deviance plus twice the number of
terms that the reports determine. A shrunk table has more terms than those (MacKay 1992); in the
most likely one they are its cells above zero, less one. The two are averaged with weights that fall
with the exponential of half that loss: one of them where the reports can tell, both where they
cannot. The less of the interactions the shrunk table has found to be there, the more certain the
others have to be: where it has found none their terms count twice, since then the two differ most,
and so does the price of a choice that noise has made.
"""

import numpy as np
from scipy.special import expit

from discretion.estimate.noise import Vector
from discretion.joints.likelihood import TableLikelihood

FAINT = 1e-3  # of an even share: cells below are zero, where zeros are not exact
LEAST = 0.5  # interactions of a table that has none


def averaged(
    likelihood: TableLikelihood, likely: Vector, shrunk: Vector, determined: float
) -> Vector:
    """Return the average of both tables; the shrunk one determines so many terms."""
    free = int(np.count_nonzero(likely > FAINT / len(likely))) - 1
    more = free - determined
    single = sum(likelihood.shape) - len(likelihood.shape)  # terms of single attributes
    seen = np.clip((determined - single) / max(free - single, LEAST), 0.0, 1.0)
    gain = likelihood.slope(likely)[0] - likelihood.slope(shrunk)[0]
    weight = float(expit(gain - (2 - seen) * more))
    return weight * likely + (1 - weight) * shrunk
