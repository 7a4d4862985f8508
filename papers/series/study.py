"""Errors of whole series: protocols for streams beside online and smoothed curves of ours."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import inf
from typing import ClassVar, NamedTuple, Self

import numpy as np
import pyarrow as pa

import discretion as ds
from discretion.auditing.histories import ROUNDS as PAST
from papers.data import Dataset
from papers.exhibit import Exhibit, Table, number, percent
from papers.series.dyadic import dyadic, rotation, truth_of
from papers.series.longitudinal import protocols
from papers.series.streams import STREAMS, Array, Oracle
from papers.series.thresh import Thresh
from papers.study import Check, Effort, Findings, Measurement, Step, Study

ROUNDS, OWNERS = 120, 100_000
START = np.log([0.4, 0.25, 0.2, 0.1, 0.05])  # of the shares of five labels
LABELS = ("a", "b", "c", "d", "e")
YES = ("yes", "no")
FIRST_SEED = 30_001  # none of these was used while the methods were made
ONLINE, SMOOTH, RAW = "ours, online", "ours, smoothed", "ours, by round"
MOST = {ONLINE: 0.5, SMOOTH: 0.45}  # of LPA's squared error
COVERED, IN_ALL = 0.92, 0.98
UNIT = 1e5  # errors are shown times this


class Setting(NamedTuple):
    """How shares move, how many rounds in a row may cost epsilon, and epsilon."""

    kind: str
    window: int
    epsilon: float

    def __str__(self) -> str:
        return f"{self.kind}, w = {self.window}, ε = {self.epsilon:g}"


KINDS = ("constant", "step", "sine", "random walk")
SETTINGS = [Setting(*each) for each in product(KINDS, (10, 50), (1.0, 2.0))]
FOR_EVER, FIRST = 2.0, 1.0  # the levels of protocols with a second stage
EVOLVING = list(product(("constant", "step"), (1.0, 2.0)))  # how a share moves, and epsilon
EVOLVING_ROUNDS, EPOCHS, UPDATES = 512, (64, 128), 2  # what is best for THRESH, of those tried
CHANGING = [(128, 1.0), (1024, 1.0), (1024, 2.0), (4096, 2.0)]  # rounds, epsilon


@dataclass(frozen=True)
class Series(Study):
    """Whole series, and yes or no that changes once."""

    name: ClassVar[str] = "series"
    printed: ClassVar[tuple[str, ...]] = (
        "errors",
        "covered",
        "changing",
        "evolving",
        "longitudinal",
    )
    runs: int = 20
    rounds: int = ROUNDS

    @classmethod
    def of(cls, effort: Effort) -> Self:
        return cls(effort.runs or 2, 24) if effort.quick else cls(effort.runs or cls.runs)

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        return ()

    def steps(self, tables: Mapping[str, pa.Table]) -> list[Step]:
        settings = [
            Step(f"{each}, run {i + 1}", partial(stream, each, self.rounds, FIRST_SEED + i))
            for each in SETTINGS
            for i in range(self.runs)
        ]
        settings += [
            Step(f"{rounds} rounds, ε = {epsilon:g}", partial(changing, rounds, epsilon, self.runs))
            for rounds, epsilon in CHANGING
        ]
        return settings + [
            Step(f"{kind}, ε = {epsilon:g}, run {i + 1}", partial(evolving, kind, epsilon, i))
            for kind, epsilon in EVOLVING
            for i in range(self.runs)
        ]

    def checks(self, found: Findings) -> Iterator[Check]:
        for curve, most in MOST.items():
            for each in SETTINGS:
                ours, theirs = (found.runs("error", each, name) for name in (curve, "LPA"))
                rule = f"squared error of {curve}, over LPA's"
                yield Check.ratio(rule, *_place(each), ours, theirs, most)
        for curve in MOST:
            shares = [found.mean("covered", each, curve) for each in SETTINGS]
            rule = f"share that 95 % bands hold: {curve}"
            for each, share in zip(SETTINGS, shares, strict=True):
                yield Check(rule, *_place(each), share, low=COVERED)
            rule = "share that 95 % bands hold, mean of all settings"
            yield Check(rule, curve, "all", float(np.mean(shares)), low=COVERED, high=IN_ALL)

    def exhibits(self, found: Findings) -> Iterator[tuple[str, Exhibit]]:
        yield "runs", str(self.runs)
        yield "rounds", str(self.rounds)
        names = (*STREAMS, RAW, ONLINE, SMOOTH)
        rows = [
            (str(each), *(_short(UNIT * found.mean("error", each, name)) for name in names))
            for each in SETTINGS
        ]
        yield "errors", Table(("10⁵ times the squared error", *names), rows)
        rows = [
            (str(each), *(percent(found.mean("covered", each, c), ".1f") for c in (RAW, *MOST)))
            for each in SETTINGS
        ]
        yield "covered", Table(("bands that hold", RAW, *MOST), rows)
        ways = ("dyadic", "rotation")
        rows = [
            (
                f"{rounds:,} rounds, ε = {epsilon:g}",
                *(number(found.mean("changing", rounds, epsilon, way)) for way in ways),
            )
            for rounds, epsilon in CHANGING
        ]
        yield "changing", Table(("owners times the variance", *ways), rows)
        curves = (*(_epochs(epoch) for epoch in EPOCHS), ONLINE, SMOOTH)
        rows = [
            (
                f"{kind}, ε = {epsilon:g}",
                *(_short(UNIT * found.mean("evolving", kind, epsilon, name)) for name in curves),
            )
            for kind, epsilon in EVOLVING
        ]
        yield "evolving", Table(("10⁵ times the squared error", *curves), rows)
        yield "longitudinal", longitudinal()


def stream(setting: Setting, rounds: int, seed: int) -> Iterator[Measurement]:
    """Let owners of the same shares answer every protocol, and ours through the library."""
    rng = np.random.default_rng([seed, SETTINGS.index(setting)])
    truth = shares_of(setting.kind, rounds, rng)
    oracle = Oracle(len(LABELS), rng)
    for name, protocol in STREAMS.items():
        found = protocol(truth, OWNERS, setting.epsilon, setting.window, oracle)
        yield ("error", setting, name), _error(found, truth)
    own = ds.series(reports(truth, LABELS, setting.window, setting.epsilon, rng), "v")
    for name, track in ((RAW, own.raw), (ONLINE, own.online), (SMOOTH, own.smooth)):
        yield ("error", setting, name), _error(track.value, truth)
        held = np.abs(track.value - truth) <= 1.96 * track.stderr
        yield ("covered", setting, name), float(held.mean())


def reports(
    truth: Array, labels: Sequence[str], window: int, epsilon: float, rng: np.random.Generator
) -> ds.ReportTable:
    """Return what owners of a plan that rotates send: in each round those whose turn it is."""
    asked = {"name": "v", "kind": "categorical", "values": [*labels]}
    plan = ds.Plan.of(
        {
            "name": "series",
            "attributes": [asked],
            "budget": {"levels": [epsilon]},
            "again": {"rotate": [window]},
        }
    )
    turn = OWNERS // window
    values = np.concatenate([rng.choice(labels, turn, p=shares) for shares in truth])
    sent = ds.simulate(plan, {"v": values}, budgets="levels", seed=int(rng.integers(1 << 31)))
    numbers = pa.array(np.repeat(np.arange(len(truth), dtype=np.int32), turn))
    at = sent.data.column_names.index("round")
    return ds.ReportTable(plan, sent.data.set_column(at, "round", numbers), simulated=True)


def evolving(kind: str, epsilon: float, run: int) -> Iterator[Measurement]:
    """Let owners with fresh answers vote on updates, and others answer in one round each."""
    rng = np.random.default_rng([FIRST_SEED + run, EVOLVING.index((kind, epsilon)), 0])
    truth = np.full(EVOLVING_ROUNDS, 0.3)
    if kind == "step":
        truth[EVOLVING_ROUNDS // 2 :] = 0.5
    for epoch in EPOCHS:
        found = Thresh(epoch, UPDATES, epsilon).estimate(truth, OWNERS, rng)
        yield ("evolving", kind, epsilon, _epochs(epoch)), float(((found - truth) ** 2).mean())
    both = np.column_stack([truth, 1 - truth])
    own = ds.series(reports(both, YES, EVOLVING_ROUNDS, epsilon, rng), "v")
    for name, track in ((ONLINE, own.online), (SMOOTH, own.smooth)):
        error = float(((track.value[:, 0] - truth) ** 2).mean())
        yield ("evolving", kind, epsilon, name), error


def _epochs(epoch: int) -> str:
    return f"THRESH, epochs of {epoch}"


def shares_of(kind: str, rounds: int, rng: np.random.Generator) -> Array:
    """Return the shares of five labels in each round, whose log-odds move."""
    time, moves = np.arange(rounds), np.zeros((rounds, len(START)))
    if kind == "step":
        moves[time >= rounds // 2, 0] = 0.5
    elif kind == "sine":
        moves[:, 0] = 0.4 * np.sin(4 * np.pi * time / rounds)
    elif kind == "random walk":
        moves = rng.normal(0, 0.03, moves.shape).cumsum(axis=0)
    weights = np.exp(START + moves)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def changing(rounds: int, epsilon: float, runs: int) -> Iterator[Measurement]:
    """Measure owners times the variance where a yes or no changes once at most."""
    for i in range(runs):
        rng = np.random.default_rng([FIRST_SEED + i, rounds, round(10 * epsilon)])
        changes = np.minimum(rng.integers(0, 2 * rounds, OWNERS), rounds)
        truth = truth_of(changes, rounds)
        for name, way in (("dyadic", dyadic), ("rotation", rotation)):
            apart = way(changes, rounds, epsilon, rng) - truth
            yield ("changing", rounds, epsilon, name), OWNERS * float((apart**2).mean())


def longitudinal() -> Table:
    """Return bounds and variances of protocols with a second stage, and of ours: all exact."""
    several, two = (protocols(size, FOR_EVER, FIRST) for size in (len(LABELS), 2))
    rows = []
    for name, own in several.items():
        level = own.for_ever
        bounds = (own.first, level, own.answers * level, two[name].any_histories)
        rows.append((name, *map(_bound, bounds), f"{own.variance:.2f}"))
    noise = Oracle(len(LABELS), np.random.default_rng(0))
    for epsilon in (2.0, round(two["LOLOHA, g = 2"].any_histories, 1)):
        name = f"ours, rotate: [{PAST}], ε = {epsilon:g}"
        variance = PAST * noise.rare(epsilon)
        rows.append((name, *map(_bound, [epsilon] * 4), f"{variance:.2f}"))
    heads = ("first report", "one answer", "all answers", "any two histories", "variance")
    return Table((f"{PAST} rounds", *heads), rows)


def _bound(level: float) -> str:
    return "no bound" if level == inf else f"{level:.2f}"


def _short(value: float) -> str:
    """Write three digits, and thousands as they are read."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _error(found: Array, truth: Array) -> float:
    return float(((found - truth) ** 2).sum(axis=1).mean())


def _place(setting: Setting) -> tuple[str, str]:
    return setting.kind, f"w = {setting.window}, ε = {setting.epsilon:g}"
