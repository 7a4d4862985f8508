"""The bars of the LoPub experiment: what must be true of its findings."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, nan

import numpy as np

from papers.lopub import CLASSIFIED, FOREST, SVM, Findings
from papers.lopub_census import Line, Stop
from papers.lopub_crowd import OURS, PAPER, Way
from papers.lopub_published import WORST_FOREST

OVER = {  # ours with personal budgets over LoPub, by the budget of a record
    (30.0, Line.FOUR): 0.32,
    (30.0, Line.ONE): 0.60,
    (12.0, Line.FOUR): 0.50,
    (12.0, Line.ONE): 0.82,
}
PAIRS = "total variation of all pairs of Adult, ours with personal budgets over LoPub"
WORST = "random forest on our rows, over the paper's worst"
CLOSER = "how far from a classifier that saw real records, ours over the nearest of the paper's"


@dataclass(frozen=True)
class Check:
    """A value that must be at least ``low`` and at most ``high``; ``stderr`` is its own."""

    rule: str
    about: str
    value: float
    stderr: float
    low: float
    high: float

    @property
    def met(self) -> bool:
        return self.low <= self.value <= self.high

    @property
    def verdict(self) -> str:
        return "passed" if self.met else "missed"

    @property
    def bar(self) -> str:
        return f"≥ {self.low:.3g}" if self.high == inf else f"≤ {self.high:.3g}"

    def __str__(self) -> str:
        return f"{self.value:.3f}" + ("" if np.isnan(self.stderr) else f" ± {self.stderr:.3f}")


def checks(findings: Findings) -> list[Check]:
    """Return all checks, rule by rule."""
    return [*_pairs(findings), *_worst(findings), *_closer(findings)]


def _pairs(findings: Findings) -> Iterator[Check]:
    """Hold ours against LoPub's EM when nothing more is gained, and when stopped best."""
    for (total, line), bar in OVER.items():
        best = findings.best_stop(total, line)
        for stop in dict.fromkeys((Stop.LATE, best)):
            ours = np.array(findings.distances(total, Line.PERSONAL))
            theirs = np.array(findings.distances(total, line, stop))
            ratio = float(ours.mean() / theirs.mean())
            off, runs = ours - ratio * theirs, len(ours)
            stderr = off.std(ddof=1) / np.sqrt(runs) / theirs.mean() if runs > 1 else nan
            about = f"budget {total:g}, {line}, stopped {stop}"
            yield Check(PAIRS, about, ratio, float(stderr), 0.0, bar)


def _worst(findings: Findings) -> Iterator[Check]:
    for name in (truth.survey for truth in findings.truths if truth.survey in WORST_FOREST):
        for f in CLASSIFIED:
            for way in OURS:
                rate, _ = findings.classified(name, f, way, FOREST)
                yield Check(WORST, f"{name}, f = {f:g}, {way}", rate, nan, WORST_FOREST[name], inf)


def _closer(findings: Findings) -> Iterator[Check]:
    """Compare distances to the rate on real records, at the paper's own thresholds."""
    for name in (truth.survey for truth in findings.truths):
        for kind in (FOREST, SVM):
            for f in CLASSIFIED:
                nearest = min(short(findings, name, f, way, kind) for way in PAPER)
                for way in OURS:
                    value = short(findings, name, f, way, kind) / nearest
                    yield Check(CLOSER, f"{name}, {kind}, f = {f:g}, {way}", value, nan, 0.0, 1.0)


def short(findings: Findings, name: str, f: float, way: Way, kind: str) -> float:
    """Return how far a rate is from that of a classifier that saw real records."""
    rate, real = findings.classified(name, f, way, kind)
    return abs(real - rate)
