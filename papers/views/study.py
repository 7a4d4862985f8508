"""Tables of pairs and shares of boxes: published methods and ours, on the same people."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import ClassVar, Self

import numpy as np
import pyarrow as pa

from papers.data import Dataset
from papers.exhibit import Exhibit, Table, Tables, number
from papers.lopub.data import CENSUS
from papers.study import Check, Effort, Findings, Measurement, Step, Study, Vector, distance, mean
from papers.views.boxes import PLACES, Crowd, hdg, inside, ours
from papers.views.designs import ALONE, DRAWN, OURS, PUBLISHED, SPLIT, answers
from papers.views.people import Law, Population, Records

SETTINGS = ((3, 6), (4, 8), (8, 16))  # values of each attribute, and attributes
EPSILONS, TOTALS = (1.0, 2.0, 4.0), (4.0, 8.0, 12.0, 30.0)
SHOWN = 30.0  # a total without a bar
OWNERS, PAIRS, CROWDS = 100_000, 10, 5
FIRST_SEED = 29_101  # none of these was used while the methods were made
COVERED = {"low": 0.93, "high": 0.97}
DESIGNS = (OURS, SPLIT, *DRAWN, *PUBLISHED, ALONE)
ADULT, UNIT = "Adult", 1e-5  # of squared errors
Setting = tuple[object, ...]


@dataclass(frozen=True)
class Views(Study):
    """Errors of pair tables under several designs, and of boxes of two numbers."""

    name: ClassVar[str] = "views"
    printed: ClassVar[tuple[str, ...]] = ("errors", "adult", "boxes")
    runs: int = 10  # laws of each setting, and crowds in the plane
    crowds: int = CROWDS  # of Adult
    settings: tuple[tuple[int, int], ...] = SETTINGS
    owners: int = OWNERS
    pairs: int = PAIRS
    places: tuple[str, ...] = tuple(PLACES)

    @classmethod
    def of(cls, effort: Effort) -> Self:
        if effort.quick:
            return cls(effort.runs or 1, 0, SETTINGS[:1], OWNERS // 10, 3)
        runs = effort.runs or cls.runs
        return cls(runs, min(runs, CROWDS))

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        return (CENSUS.file,) if self.crowds else ()

    def steps(self, tables: Mapping[str, pa.Table]) -> list[Step]:
        of_laws = [
            Step(f"{_at((v, a))}, ε = {e:g}, law {run + 1}", partial(self._law, v, a, e, run))
            for v, a in self.settings
            for e in EPSILONS
            for run in range(self.runs)
        ]
        in_plane = [
            Step(f"boxes, {place}, ε = {e:g}, run {run + 1}", partial(self._plane, place, e, run))
            for place in self.places
            for e in EPSILONS[:2]
            for run in range(self.runs)
        ]
        if not self.crowds:
            return [*of_laws, *in_plane]
        people = Records.of(tables[CENSUS.name])
        of_adult = [
            Step(
                f"Adult, total {total:g}, crowd {run + 1}", partial(self._adult, people, total, run)
            )
            for total in TOTALS
            for run in range(self.crowds)
        ]
        return [*of_laws, *in_plane, *of_adult]

    def _law(self, values: int, attributes: int, epsilon: float, run: int) -> Iterator[Measurement]:
        law, seed = Law.drawn(values, attributes, run), FIRST_SEED + run
        yield from trial((values, attributes), law, epsilon, self.owners, self.pairs, seed)

    def _adult(self, people: Records, total: float, run: int) -> Iterator[Measurement]:
        n, seed = min(self.owners, len(people.codes)), FIRST_SEED + run
        yield from trial((ADULT,), people, total, n, self.pairs, seed)

    def _plane(self, place: str, epsilon: float, run: int) -> Iterator[Measurement]:
        rng = np.random.default_rng([FIRST_SEED + run, *place.encode(), int(epsilon)])
        crowd = Crowd.of(place, self.owners, rng)
        theirs = inside(hdg(crowd.codes, epsilon, rng), crowd.boxes)
        yield ("boxes", place, epsilon, "HDG"), mean((theirs - crowd.truth) ** 2)
        for name in ("cells", "tree"):
            found = ours(crowd, name, epsilon, FIRST_SEED + run)
            both = {name: (found.value, found.interval())}
            both[f"{name}, linear"] = found.linear.value, found.linear.interval()
            for how, (value, ends) in both.items():
                covered = (ends[:, 0] <= crowd.truth) & (crowd.truth <= ends[:, 1])
                yield ("boxes", place, epsilon, how), mean((value - crowd.truth) ** 2)
                yield ("boxes covered", place, epsilon, how), float(covered.mean())

    def checks(self, found: Findings) -> Iterator[Check]:
        every = [(*setting, e) for setting in self.settings for e in EPSILONS]
        for rule, most, theirs in (
            ("error over reports of each attribute", 0.45, _split),
            ("error over the best sampled attributes", 0.6, _drawn),
        ):
            ratios = []
            for values, attributes, epsilon in every:
                setting = (values, attributes, epsilon)
                mine, other = found.runs("tv", *setting, OURS), theirs(found, setting)
                ratios.append(float(np.log(mine / other).mean()))
                at = _at((values, attributes))
                yield Check.ratio(rule, f"ε = {epsilon:g}", at, mine, other, 1)
            geometric = float(np.exp(np.mean(ratios)))
            yield Check(rule, "geometric mean", "all settings", geometric, high=most)
        for values, attributes, epsilon in every:
            value = found.mean("covered", values, attributes, epsilon, OURS)
            at = _at((values, attributes))
            yield Check("coverage of 95 % intervals", f"ε = {epsilon:g}", at, value, **COVERED)
        for total in (total for total in TOTALS if ("tv", ADULT, total, OURS) in found):
            mine = found.runs("tv", ADULT, total, OURS)
            best = min((_split, _drawn), key=lambda each: mean(each(found, (ADULT, total))))
            rule, most = (
                "Adult: error over the better of both",
                1 if total < SHOWN else float("inf"),
            )
            yield Check.ratio(rule, "", f"total {total:g}", mine, best(found, (ADULT, total)), most)

    def exhibits(self, found: Findings) -> Iterator[tuple[str, Exhibit]]:
        first = (*self.settings[0], EPSILONS[0])
        yield "runs", str(len(found.runs("tv", *first, OURS)))
        yield "pairs", str(self.pairs)
        yield "errors", Tables(self._errors(found))
        if self.crowds:
            yield "crowds", str(len(found.runs("tv", ADULT, TOTALS[0], OURS)))
            columns = {f"total {total:g}": (ADULT, total) for total in TOTALS}
            yield "adult", _errors(found, "Adult's 15 attributes", columns)
        yield "planes", str(len(found.runs("boxes", self.places[0], EPSILONS[0], "HDG")))
        yield "boxes", Tables(_boxes(found, self.places))

    def _errors(self, found: Findings) -> Iterator[Table]:
        for setting in self.settings:
            columns = {f"ε = {e:g}": (*setting, e) for e in EPSILONS}
            yield _errors(found, _at(setting), columns)


def trial(
    setting: Setting, people: Population, epsilon: float, owners: int, most: int, seed: int
) -> Iterator[Measurement]:
    """Let the same people report by every design, and compare tables of the same pairs."""
    rng = np.random.default_rng([seed, len(people.sizes), int(1000 * epsilon)])
    every = list(combinations(range(len(people.sizes)), 2))
    pairs = [every[i] for i in np.sort(rng.permutation(len(every))[:most])]
    codes = people.crowd(owners, rng)
    for name, answer in answers(people, codes, epsilon, pairs, seed):
        errors = [distance(answer.tables[pair], people.pair(*pair)) for pair in pairs]
        yield ("tv", *setting, epsilon, name), float(np.mean(errors))
        if answer.covered is not None:
            yield ("covered", *setting, epsilon, name), answer.covered


def _split(found: Findings, setting: Setting) -> Vector:
    return found.runs("tv", *setting, SPLIT)


def _drawn(found: Findings, setting: Setting) -> Vector:
    """Return the errors with so many sampled attributes as are best in hindsight."""
    return min((found.runs("tv", *setting, name) for name in DRAWN), key=mean)


def _at(setting: tuple[int, int]) -> str:
    return f"{setting[0]} values, {setting[1]} attributes"


def _errors(found: Findings, title: str, columns: Mapping[str, Setting]) -> Table:
    rows = [
        (name, *(number(found.mean("tv", *at, name)) for at in columns.values()))
        for name in DESIGNS
    ]
    return Table(("mean total variation of pairs", *columns), rows, title)


def _boxes(found: Findings, places: tuple[str, ...]) -> Iterator[Table]:
    hows = ("HDG", "cells", "cells, linear", "tree", "tree, linear")
    for epsilon in EPSILONS[:2]:
        rows = [
            (how, *(f"{found.mean('boxes', p, epsilon, how) / UNIT:.1f}" for p in places))
            for how in hows
        ]
        yield Table(("squared error, 1e-5", *places), rows, f"ε = {epsilon:g}")
        covered = [
            (how, *(number(found.mean("boxes covered", p, epsilon, how)) for p in places))
            for how in hows[1:]
        ]
        yield Table(
            ("boxes that 95 % intervals cover", *places), covered, f"ε = {epsilon:g}: coverage"
        )
