"""Shares of items, of keys and their means: published methods and ours, on the same owners."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

import pyarrow as pa

from papers.data import Dataset
from papers.exhibit import Exhibit, Table, Tables, number
from papers.sets import levels
from papers.sets.baskets import RETAIL, TOP, Baskets
from papers.sets.trials import (
    CALIBRATED,
    OF_BASKETS,
    OF_ITEMS,
    OF_MAPS,
    OF_PAIRS,
    OF_SETS,
    OURS,
    Setting,
    items,
    maps,
    pairs,
    retail,
    sets,
    several,
)
from papers.study import Check, Effort, Findings, Step, Study, mean

TIERS = (0.5, 1, 2, 4)  # where everybody has one of these levels
FIRST_SEED = 27_001  # none of these was used while the methods were made
SVIM: Mapping[tuple[int, int], Mapping[float, float]] = {
    (256, 4): {1: 0.30, 2: 0.45, 4: 1.05},
    (1024, 8): {1: 0.16, 2: 0.25, 4: 1.0},
}
WHEEL: Mapping[tuple[int, int], Mapping[float, float]] = {(256, 5): {0.5: 0.92, 1: 0.95}}
PCKV = {
    1: {1: 0.97, 2: 1.0, 4: 1.03},
    4: {1: 0.30, 2: 0.50, 4: 1.02},
    8: {1: 0.42, 2: 0.75, 4: 1.06},
}
F1 = {1: 1.5, 2: 1.5, 4: 1.9}  # of SVIM's, on real baskets
PAIR_KEYS, PAIR_LEVELS = 50, (0.5, 1, 2)  # at 4 a report has one code, and says nothing of two
KEYS, MAP_OWNERS, SET_OWNERS = 100, 50_000, 20_000
MIXED = 0.07  # of the unweighted estimate's squared error
COVERED = {"low": 0.93, "high": 0.97}


@dataclass(frozen=True)
class Sets(Study):
    """Squared errors of sets and of maps, with one level and with several."""

    name: ClassVar[str] = "sets"
    printed: ClassVar[tuple[str, ...]] = ("sets", "retail", "calibrate", "maps", "pairs", "mixed")
    runs: int = 20
    owners: float = 1.0  # of those of the full study

    @classmethod
    def of(cls, effort: Effort) -> Self:
        return cls(effort.runs or 2, 0.05) if effort.quick else cls(effort.runs or cls.runs)

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        return (RETAIL,) if self.owners == 1 else ()

    @property
    def of_sets(self) -> list[Setting]:
        n, known = round(SET_OWNERS * self.owners), [*SVIM.items(), *WHEEL.items()]
        return [
            Setting(size, length, n, (epsilon,))
            for (size, length), bars in known
            for epsilon in bars
        ]

    @property
    def of_maps(self) -> list[Setting]:
        n = round(MAP_OWNERS * self.owners)
        return [Setting(KEYS, own, n, (epsilon,)) for own, bars in PCKV.items() for epsilon in bars]

    @property
    def mixed(self) -> Setting:
        return Setting(KEYS, 4, round(MAP_OWNERS * self.owners), TIERS)

    @property
    def of_pairs(self) -> list[Setting]:
        n = round(MAP_OWNERS * self.owners)
        return [Setting(PAIR_KEYS, 4, n, (epsilon,)) for epsilon in PAIR_LEVELS]

    @property
    def of_items(self) -> list[Setting]:
        n = round(SET_OWNERS * self.owners)
        return [Setting(256, 4, n, (epsilon,)) for epsilon in SVIM[256, 4]]

    def steps(self, tables: Mapping[str, pa.Table]) -> list[Step]:
        asked = [(sets, each) for each in self.of_sets]
        asked += [(maps, each) for each in self.of_maps]
        asked += [(several, self.mixed)]
        asked += [(pairs, each) for each in self.of_pairs]
        asked += [(items, each) for each in self.of_items]
        found = [
            Step(f"{run.__name__}, {setting}, run {i + 1}", partial(run, setting, FIRST_SEED + i))
            for run, setting in asked
            for i in range(self.runs)
        ]
        for table in tables.values():
            run = partial(retail, Baskets.of(table))
            found += [
                Step(f"retail, ε = {epsilon}, run {i + 1}", partial(run, epsilon, FIRST_SEED + i))
                for epsilon in F1
                for i in range(self.runs)
            ]
        return found

    def checks(self, found: Findings) -> Iterator[Check]:
        for setting in self.of_sets:
            size, (epsilon,) = (setting.size, setting.length), setting.levels
            about, at = f"{setting.length} of {setting.size:,}", f"ε = {epsilon:g}"
            if size in SVIM:
                peer = self._better(found, "sets", setting, ("SVIM, GRR", "SVIM, OLH"))
                rule, most = "squared error over SVIM's better oracle", SVIM[size][int(epsilon)]
            else:
                rule, peer, most = "squared error over wheel", "wheel", WHEEL[size][epsilon]
            yield self._ratio(found, rule, (about, at), ("sets", setting), peer, most)
        for setting in self.of_maps:
            about, at = f"length {setting.length}", f"ε = {setting.levels[0]:g}"
            peer = self._better(found, "maps", setting, ("PCKV-UE", "PCKV-GRR"))
            rule, most = (
                "both squared errors over the better PCKV",
                PCKV[setting.length][int(setting.levels[0])],
            )
            yield self._ratio(found, rule, (about, at), ("maps", setting), peer, most)
        for epsilon, least in F1.items():
            own, svim = (found.runs("f1", epsilon, name) for name in (OURS, "SVIM"))
            if len(own):
                rule = f"retail: F1 of the {TOP} most frequent items over SVIM's"
                yield Check.over(rule, "16,470 items", f"ε = {epsilon}", own, svim, least)
        ours, theirs = (found.runs("mixed", way) for way in ("weighted", "unweighted"))
        rule = "levels .5 to 4 mixed: squared error over the unweighted estimate's"
        yield Check.ratio(rule, "shares", str(self.mixed), ours, theirs, MIXED)
        for what in ("shares", "means"):
            value = found.mean("covered", what)
            yield Check("coverage, levels mixed", what, str(self.mixed), value, **COVERED)

    def exhibits(self, found: Findings) -> Iterator[tuple[str, Exhibit]]:
        yield "runs", str(self.runs)
        yield "levels", _levels()
        yield "sets", self._errors(found, "sets", self.of_sets, (OURS, *OF_SETS))
        yield "calibrate", self._calibrated(found)
        yield "pairs", self._errors(found, "pairs", self.of_pairs, (OURS, *OF_PAIRS))
        length = self.of_items[0].length
        yield "length", str(length)
        yield "twice", str(2 * length)
        yield "items", self._errors(found, "items", self.of_items, (*OF_ITEMS,))
        if ("f1", 1, OURS) in found:
            yield "retail", self._retail(found)
        yield (
            "maps",
            Tables(
                self._errors(found, what, self.of_maps, (OURS, *OF_MAPS), title)
                for what, title in (
                    ("shares", "Shares f"),
                    ("products", "Products f m"),
                    ("maps", "Their sum"),
                )
            ),
        )
        rows = [(way, number(mean(found.runs("mixed", way)))) for way in ("weighted", "unweighted")]
        rows += [
            (f"coverage of {w}", number(found.mean("covered", w))) for w in ("shares", "means")
        ]
        yield "mixed", Table(("", str(self.mixed)), rows)

    def _errors(
        self,
        found: Findings,
        what: str,
        settings: Sequence[Setting],
        methods: Sequence[str],
        title: str = "",
    ) -> Table:
        rows = [
            (str(setting), *(f"{found.mean(what, setting, method):.4g}" for method in methods))
            for setting in settings
        ]
        return Table(("n times the squared error", *methods), rows, title)

    def _calibrated(self, found: Findings) -> Table:
        rows = [
            (
                str(setting),
                *(
                    f"{found.mean(what, setting, way):.4g}"
                    for way in (OURS, CALIBRATED)
                    for what in ("sets", "calibrated")
                ),
            )
            for setting in self.of_sets
        ]
        heads = [head for way in (OURS, CALIBRATED) for head in (way, f"{way}, Calibrate")]
        return Table(("n times the squared error", *heads), rows)

    def _retail(self, found: Findings) -> Table:
        names = (OURS, *OF_BASKETS)
        rows = [
            (
                f"ε = {epsilon}",
                *(f"{found.mean('f1', epsilon, name):.3f}" for name in names),
                *(f"{found.mean('found', epsilon, name):.4g}" for name in names),
            )
            for epsilon in F1
        ]
        heads = [f"F1, {name}" for name in names] + [f"error, {name}" for name in names]
        return Table(("16,470 items", *heads), rows)

    def _better(self, found: Findings, what: str, setting: Setting, names: Sequence[str]) -> str:
        return min(names, key=lambda name: found.mean(what, setting, name))

    def _ratio(
        self,
        found: Findings,
        rule: str,
        place: tuple[str, str],
        of: tuple[str, Setting],
        peer: str,
        most: float,
    ) -> Check:
        ours, theirs = (found.runs(*of, method) for method in (OURS, peer))
        return Check.ratio(rule, *place, ours, theirs, most)


def _levels() -> Tables:
    stated = [f"stated ε = {epsilon}" for epsilon in F1]

    def rows(methods: Mapping[str, Callable[[float], float]]) -> list[tuple[str, ...]]:
        return [(name, *(f"{of(e):.4g}" for e in F1)) for name, of in methods.items()]

    both = [
        (name, *(f"{one:.4g}, {all_:.4g}" for one, all_ in map(of, F1)))
        for name, of in levels.OF_ITEMS.items()
    ]
    return Tables(
        (
            Table(("exact level", *stated), rows(levels.OF_SETS), "Any two sets"),
            Table(("exact level", *stated), rows(levels.OF_MAPS), "Any two maps"),
            Table(
                ("exact level: one item more, any two sets of four items", *stated),
                both,
                "Sets of which one has one item more",
            ),
        )
    )
