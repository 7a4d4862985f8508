"""THRESH: owners with fresh answers in every round vote when the published share may be off.

Rounds are put together into epochs. In each epoch an owner knows the mean of her own answers, and
votes whether it is far from that at the last update; a vote is a bit told with log-odds a, and she
may vote yes ``updates`` times. Where more vote yes than noise explains, all report their means as
bits told with log-odds b, and the share is published anew; else it stays. Yes votes of two
histories differ in 2 updates epochs, and estimates in ``updates``, so with a = epsilon / (4
updates) and b = epsilon / (2 updates) all rounds together cost epsilon.

Source: M. Joseph, A. Roth, J. Ullman and B. Waggoner, Local Differential Privacy for Evolving Data
(NeurIPS 2018), for one group of owners. Their proof needs thresholds that are above one where an
epoch has fewer than some hundred rounds, so that nobody would ever vote; here it is ``FAR``
standard errors of a change, which is kinder to the protocol.
"""

from dataclasses import dataclass
from math import exp, log, sqrt

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

FAR = 3.0  # standard errors, at a share of one half
SURE = 0.05  # how often noise may start an update that nobody needs, over all epochs


@dataclass(frozen=True)
class Thresh:
    """How many rounds an epoch has, and how often the share may be published."""

    epoch: int
    updates: int
    epsilon: float

    def estimate(self, truth: Array, owners: int, rng: np.random.Generator) -> Array:
        """Return the published share in each round; that of an epoch is known at its end."""
        epochs = len(truth) // self.epoch
        votes_left, left = np.full(owners, self.updates), self.updates
        at_update, share = np.full(owners, -1.0), 0.5
        found = []
        for means in truth.reshape(epochs, self.epoch).mean(axis=1):
            own = rng.binomial(self.epoch, means, owners) / self.epoch
            yes = (np.abs(own - at_update) > FAR * sqrt(0.5 / self.epoch)) & (votes_left > 0)
            votes_left -= yes
            if left and self._needed(self._told(yes, self.vote, rng), epochs):
                left -= 1
                at_update = own
                likely = (1 + own * (exp(self.report) - 1)) / (exp(self.report) + 1)
                share = unbiased((rng.random(owners) < likely).mean(), self.report)
            found.append(share)
        return np.repeat(found, self.epoch)

    @property
    def vote(self) -> float:
        """The log-odds of a vote."""
        return self.epsilon / (4 * self.updates)

    @property
    def report(self) -> float:
        """The log-odds of a report about an owner's mean."""
        return self.epsilon / (2 * self.updates)

    def _told(
        self, yes: npt.NDArray[np.bool_], level: float, rng: np.random.Generator
    ) -> npt.NDArray[np.bool_]:
        return (rng.random(len(yes)) < 1 / (exp(level) + 1)) ^ yes

    def _needed(self, told: npt.NDArray[np.bool_], epochs: int) -> bool:
        noise = sqrt(log(epochs / SURE) / (2 * len(told)))
        return bool(told.mean() > 1 / (exp(self.vote) + 1) + noise)


def unbiased(mean: float, level: float) -> float:
    """Return the share of which reports with these log-odds have such a mean."""
    return (mean * (exp(level) + 1) - 1) / (exp(level) - 1)
