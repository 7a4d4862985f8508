"""The demonstration's crowd: the same people with the same budgets, asked in two ways.

What its reports give, beside the truth: frequencies, and synthetic rows.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.crowd import census_plan, simulate
from discretion.crowd.records import Codes, code_columns
from discretion.estimate import FrequencyEstimate
from discretion.joints import JointEstimate
from discretion.labels import frequencies
from discretion.synthesis import Publication, publish
from discretion.synthesis.utility import Distance, by_order
from discretion.table import ReportTable
from discretion.table.columns import present

OWNERS = 50_000
SHOWN = 6  # synthetic rows
VARIANTS = ("disclosed", "secret")  # whether reports state their levels

Vector = npt.NDArray[np.float64]
Estimated = TypeVar("Estimated", FrequencyEstimate, JointEstimate)


class Reading(NamedTuple):
    """An estimated frequency, its 95 % interval, and whether that covers the true value."""

    value: float
    low: float
    high: float
    holds: bool


@dataclass(frozen=True)
class Compared(ABC, Generic[Estimated]):
    """The truth about some codes, and what each variant estimates."""

    truth: Vector  # (codes,)
    estimates: Mapping[str, Estimated]  # by variant

    @property
    @abstractmethod
    def attribute(self) -> str:
        """What it is about."""

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """What the codes are called."""

    def reading(self, variant: str, code: int) -> Reading:
        estimate, truth = self.estimates[variant], self.truth[code]
        low, high = (float(end) for end in estimate.interval().reshape(-1, 2)[code])
        return Reading(float(estimate.value.flat[code]), low, high, bool(low <= truth <= high))


@dataclass(frozen=True)
class Crowd:
    """What everybody would answer, and what their devices send, in the same order."""

    codes: Codes  # (owners, attributes)
    reports: Mapping[str, ReportTable]  # by variant


class Comparison(Compared[FrequencyEstimate]):
    """One attribute: the truth about those who shared it, and what each variant estimates."""

    @property
    def attribute(self) -> str:
        return self.estimates["disclosed"].attribute

    @property
    def labels(self) -> tuple[str, ...]:
        return self.estimates["disclosed"].labels


@dataclass(frozen=True)
class Rows:
    """A publication, and how far it is from the truth for one, two and three attributes."""

    publication: Publication
    distances: tuple[Distance, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return self.publication.model.names

    @property
    def first(self) -> list[list[str]]:
        """The first rows, as text."""
        rows = self.publication.rows.slice(0, SHOWN).to_pylist()
        return [[f"{row[name]}" for name in self.names] for row in rows]

    @property
    def edges(self) -> list[str]:
        """The pairs that depend on each other, strongest first."""
        return [f"{edge.one} with {edge.other}" for edge in self.publication.dependence.edges]


def ask(people: pa.Table, seed: int) -> Crowd:
    """Ask for every attribute of the census, once with disclosed levels and once with secret ones.

    Who shares what at which level is drawn before any answer, so one seed makes the same owners
    with the same budgets in both variants.
    """
    plans = {variant: census_plan(variant) for variant in VARIANTS}
    share = (1, len(plans["disclosed"].names))
    reports = {
        variant: simulate(plan, people, budgets="dirichlet", share=share, seed=seed)
        for variant, plan in plans.items()
    }
    return Crowd(code_columns(plans["disclosed"], people, np.random.default_rng(seed)), reports)


def compare(crowd: Crowd) -> list[Comparison]:
    """Estimate how frequent each value of each attribute is, and count those who shared it."""
    reports, plan = crowd.reports, crowd.reports["disclosed"].plan
    found = []
    for j, name in enumerate(plan.names):
        estimates = {v: frequencies(table, name, target="owners") for v, table in reports.items()}
        asked = crowd.codes[present(reports["disclosed"].data[f"{name}.y"]), j]
        size = plan.questions[name].attribute.size
        found.append(Comparison(np.bincount(asked, minlength=size) / len(asked), estimates))
    return found


def draw_rows(crowd: Crowd, people: pa.Table, seed: int) -> Rows:
    """Publish as many rows as there are owners, from the reports with disclosed levels."""
    publication = publish(crowd.reports["disclosed"], OWNERS, seed=seed)
    return Rows(publication, tuple(by_order(publication.model, people)))


def coverage(comparisons: Sequence[Compared[Estimated]], variant: str) -> tuple[int, int]:
    """Return how many intervals cover the true value, and how many there are."""
    held = [c.reading(variant, code).holds for c in comparisons for code in range(len(c.labels))]
    return sum(held), len(held)
