"""Crowds of the LoPub experiment: the paper's filters and our reports, at one budget for a record.

LoPub's guarantee holds for one attribute; a record has that of all its attributes together. With h
hashes and the probability f each attribute spends 2 h ln((2 - f) / f), and a record d times that.
Ours spend the same for a record: equal parts for all attributes, or parts of each owner's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from math import floor, log
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.crowd import simulate
from discretion.crowd.records import code_columns
from discretion.plan import Plan
from discretion.table import ReportTable
from papers.data import Question
from papers.lopub.data import Survey
from papers.study import Cells

HASHES = 4
FINE, COARSE = 0.1, 0.25  # steps of personal budgets: below an average of 2, and from there on
MOST, MOST_OF_ALL = 10.0, 20.0  # for one attribute, and where the average is above 4

Codes = npt.NDArray[np.int64]
Axes = tuple[int, ...]


class Way(StrEnum):
    """Who estimates from what."""

    LASSO = "Lasso"
    EM = "EM"
    HYBRID = "Lasso+EM"
    LOOSE = "EM, phi = 0.1"  # a threshold that keeps more edges than the paper's own
    EVEN = "ours, equal split"
    PERSONAL = "ours, personal budgets"

    @property
    def ours(self) -> bool:
        return self in OURS

    @property
    def method(self) -> str:
        """The method of a paper's estimator."""
        return METHODS[self]


PAPER, OURS = (Way.LASSO, Way.EM, Way.HYBRID), (Way.EVEN, Way.PERSONAL)
MODELS = (*PAPER, Way.LOOSE, *OURS)
LOOSE = 0.1
METHODS: Mapping[Way, str] = MappingProxyType(
    {Way.LASSO: "lasso", Way.EM: "em-lopub", Way.HYBRID: "hybrid", Way.LOOSE: "em-lopub"}
)


@dataclass(frozen=True, eq=False)
class Sample:
    """Records that report, and others that classifiers are asked about."""

    survey: Survey
    records: pa.Table
    rest: pa.Table

    @classmethod
    def of(cls, survey: Survey, records: pa.Table, size: int, rest: int, seed: int) -> "Sample":
        """Draw so many of each; a small file is all reporters but for the rest."""
        order = np.random.default_rng(seed).permutation(len(records))
        others = order[len(order) - min(rest, len(order) // 2) :]
        own = order[: min(size, len(order) - len(others))]
        return cls(survey, records.take(own), records.take(others))

    @property
    def shuffled(self) -> "Sample":
        """The same with every column in an order of its own: no attribute depends on another."""
        rng = np.random.default_rng(0)
        columns = [column.take(rng.permutation(len(column))) for column in self.records.columns]
        return Sample(self.survey, pa.table(columns, self.records.column_names), self.rest)

    @cached_property
    def codes(self) -> Codes:
        plan = _plan(self.survey, "subset", {"levels": [1]})
        return code_columns(plan, self.records, np.random.default_rng(0))  # no coin is tossed

    @cached_property
    def pairs(self) -> Mapping[Axes, Cells]:
        """The true tables of all pairs."""
        axes = combinations(range(len(self.survey.fields)), 2)
        return {pair: self.truth(pair) for pair in axes}

    def truth(self, axes: Axes) -> Cells:
        """Return the true table of some attributes."""
        shape = tuple(self.survey.shape[axis] for axis in axes)
        cells = np.ravel_multi_index(tuple(self.codes[:, axis] for axis in axes), shape)
        counts = np.bincount(cells, minlength=int(np.prod(shape)))
        return counts.reshape(shape) / len(cells)

    def report(self, way: Way, average: float, seed: int) -> ReportTable:
        """Return what these records report, with such a budget for an attribute on average."""
        if way is Way.PERSONAL:
            return simulate(
                personal(self.survey, average), self.records, budgets="dirichlet", seed=seed
            )
        plan = even(self.survey, average) if way.ours else filters(self.survey, average)
        return simulate(plan, self.records, seed=seed)


def spent(f: float, hashes: int = HASHES) -> float:
    """Return what an attribute spends under a probability f, down to a thousandth."""
    return floor(2000 * hashes * log((2 - f) / f)) / 1000


def filters(survey: Survey, average: float, hashes: int = HASHES) -> Plan:
    """Return the paper's plan: filters as large as its own; with one hash a bit for each value."""
    words = {"hashes": hashes} if hashes == 1 else {"hashes": hashes, "bits": survey.bits}
    return _plan(survey, {"bloom": words}, {"levels": [average]})


def even(survey: Survey, average: float) -> Plan:
    """Return our plan with the same level for all attributes."""
    return _plan(survey, "subset", {"levels": [average]})


def personal(survey: Survey, average: float) -> Plan:
    """Return our plan in which owners divide the budget of a record as they like."""
    step = COARSE if average >= 2 else FINE
    most = MOST_OF_ALL if average > 4 else MOST
    budget = {"average": average, "least": step, "most": most, "step": step}
    return _plan(survey, "subset", budget)


def _plan(survey: Survey, mechanism: object, budget: Question) -> Plan:
    document = {
        "name": f"{survey.name} for LoPub",
        "attributes": survey.questions(mechanism),
        "budget": budget,
    }
    return Plan.of(document)
