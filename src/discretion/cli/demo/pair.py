"""Two attributes at once: the truth about their cells, and what the same reports estimate."""

import numpy as np

from discretion.cli.demo.survey import VARIANTS, Compared, Crowd, Vector
from discretion.joints import JointEstimate, MutualInformation, joint
from discretion.joints.information import plug_in
from discretion.table.columns import present

PAIR = ("age", "income")


class Pair(Compared[JointEstimate]):
    """The cells of two attributes, the second running fastest: the truth, and each estimate."""

    @property
    def names(self) -> tuple[str, ...]:
        return self.estimates["disclosed"].attributes

    @property
    def attribute(self) -> str:
        return " and ".join(self.names)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.estimates["disclosed"].value.shape

    @property
    def sides(self) -> tuple[tuple[str, ...], ...]:
        """The values of the first attribute, and those of the second."""
        return self.estimates["disclosed"].labels

    @property
    def labels(self) -> tuple[str, ...]:
        down, across = self.sides
        return tuple(f"{one}, {other}" for one in down for other in across)

    @property
    def both(self) -> int:
        """How many reports answer about both attributes."""
        return self.estimates["disclosed"].holding[self.names]

    def distance(self, variant: str) -> float:
        """Return the share of people who have to change cells to make an estimate the truth."""
        return self._distance(self.estimates[variant].value.ravel())

    @property
    def unrelated(self) -> float:
        """The same for the table that the true frequencies of each attribute alone make."""
        table = self.truth.reshape(self.shape)
        return self._distance(np.outer(table.sum(axis=1), table.sum(axis=0)).ravel())

    @property
    def dependence(self) -> MutualInformation:
        """The mutual information of the two attributes, as estimated with disclosed levels."""
        return self.estimates["disclosed"].mutual_information()

    @property
    def true_dependence(self) -> float:
        return float(plug_in(self.truth.reshape(1, *self.shape))[0])

    def _distance(self, cells: Vector) -> float:
        return float(abs(cells - self.truth).sum() / 2)  # total variation


def compare_pair(crowd: Crowd) -> Pair:
    """Estimate a table from the reports that are there: nobody is asked again.

    The truth is that of the owners whose reports count: those who shared one of the two, or both.
    """
    estimates = {variant: joint(crowd.reports[variant], PAIR) for variant in VARIANTS}
    reports, shape = crowd.reports["disclosed"], estimates["disclosed"].value.shape
    columns = [reports.plan.names.index(name) for name in PAIR]
    shared = np.any([present(reports.data[f"{name}.y"]) for name in PAIR], axis=0)
    cells = np.ravel_multi_index(tuple(crowd.codes[shared][:, columns].T), shape)
    counts = np.bincount(cells, minlength=int(np.prod(shape)))
    return Pair(counts / counts.sum(), estimates)
