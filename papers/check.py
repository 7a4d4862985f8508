"""What is promised beside the PLDP paper, and whether a measurement keeps it."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan

import numpy as np

from papers.pldp import S1, S2, Findings, Means
from papers.published import (
    OVER_DISCLOSED,
    OVER_INDEPENDENT,
    OVER_PRINTED,
    TABLE2,
)
from papers.trial import APART, KNOWN, OURS

PRINTED, INDEPENDENT, DISCLOSED = (
    "ours over the printed figure",
    "ours over independent",
    "secret over disclosed",
)


@dataclass(frozen=True)
class Check:
    """A ratio of mean distances that must not exceed its bar; ``stderr`` is the ratio's own."""

    rule: str
    dataset: str
    setting: str
    k: int
    ratio: float
    stderr: float
    bar: float

    @property
    def met(self) -> bool:
        return self.ratio <= self.bar

    @property
    def verdict(self) -> str:
        return "met" if self.met else "missed"

    def __str__(self) -> str:
        return f"{self.ratio:.3f}" + ("" if isnan(self.stderr) else f" ± {self.stderr:.3f}")


def checks(findings: Findings) -> list[Check]:
    """Return all checks of Table 2, rule by rule."""
    return [*_printed(findings), *_against(findings, INDEPENDENT), *_against(findings, DISCLOSED)]


def rows(findings: Findings) -> list[tuple[str, str]]:
    """Return the data sets and settings of Table 2, as the paper orders them."""
    return [(d.name, s.name) for d in findings.scope.datasets for s in (S1, S2)]


def _printed(findings: Findings) -> Iterator[Check]:
    for dataset, setting in rows(findings):
        ours, printed = findings.of(dataset, setting, OURS), np.array(TABLE2[dataset, setting])
        ratios, errors = ours.mean(axis=0) / printed, _stderr(ours) / printed
        for k, bar in enumerate(OVER_PRINTED[dataset], 1):
            ratio, error = float(ratios[k - 1]), float(errors[k - 1])
            yield Check(PRINTED, dataset, setting, k, ratio, error, bar)


def _against(findings: Findings, rule: str) -> Iterator[Check]:
    """Compare with another estimate of the same reports, seed by seed."""
    other, bar = (APART, OVER_INDEPENDENT) if rule == INDEPENDENT else (KNOWN, OVER_DISCLOSED)
    for dataset, setting in rows(findings):
        ours, theirs = (findings.of(dataset, setting, way) for way in (OURS, other))
        ratios = ours.mean(axis=0) / theirs.mean(axis=0)
        errors = _stderr(ours - ratios * theirs) / theirs.mean(axis=0)
        for k in range(1 if rule == INDEPENDENT else 2, ours.shape[1] + 1):
            ratio, error = float(ratios[k - 1]), float(errors[k - 1])
            yield Check(rule, dataset, setting, k, ratio, error, bar)


def _stderr(values: Means) -> Means:
    """Return the standard errors of the means over seeds; of one seed they are unknown."""
    if len(values) < 2:
        return np.full(values.shape[1], np.nan)
    return values.std(axis=0, ddof=1) / np.sqrt(len(values))
