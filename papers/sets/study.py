"""Shares of items, of keys and their means: published methods and ours, on the same owners."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

import numpy as np
import pyarrow as pa

import discretion as ds
from discretion.aggregate import Evidence
from papers.data import Dataset
from papers.exhibit import Exhibit, Table, Tables, number
from papers.sets.owners import STEPS, Owners, Vector
from papers.sets.pairs import Found, pckv_grr, pckv_ue, privkv
from papers.sets.samplers import amplified_grr, sampled_grr, sampled_olh, wheel
from papers.study import Check, Effort, Findings, Measurement, Step, Study, mean

OURS = "cover"
OF_SETS: Mapping[str, Callable[[Owners, float, np.random.Generator], Vector]] = {
    "PSFO, GRR": sampled_grr,
    "SVIM, GRR": amplified_grr,
    "SVIM, OLH": sampled_olh,
    "wheel": wheel,
}
OF_MAPS: Mapping[str, Callable[[Owners, float, np.random.Generator], Found]] = {
    "PCKV-UE": pckv_ue,
    "PCKV-GRR": pckv_grr,
    "PrivKV, mended": privkv,
}
TIERS = (0.5, 1, 2, 4)  # where everybody has one of these levels
FIRST_SEED = 27_001  # none of these was used while the methods were made


@dataclass(frozen=True)
class Setting:
    """Items, items of each owner, owners, and the epsilon of all; several where levels differ."""

    size: int
    length: int
    n: int
    levels: tuple[float, ...]

    def __str__(self) -> str:
        level = ", ".join(f"{each:g}" for each in self.levels)
        return f"{self.length} of {self.size:,}, ε = {level}"


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
KEYS, MAP_OWNERS, SET_OWNERS = 100, 50_000, 20_000
MIXED = 0.07  # of the unweighted estimate's squared error
COVERED = {"low": 0.93, "high": 0.97}


@dataclass(frozen=True)
class Sets(Study):
    """Squared errors of sets and of maps, with one level and with several."""

    name: ClassVar[str] = "sets"
    printed: ClassVar[tuple[str, ...]] = ("sets", "maps", "mixed")
    runs: int = 20
    owners: float = 1.0  # of those of the full study

    @classmethod
    def of(cls, effort: Effort) -> Self:
        return cls(effort.runs or 2, 0.05) if effort.quick else cls(effort.runs or cls.runs)

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        return ()

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

    def steps(self, tables: Mapping[str, pa.Table]) -> list[Step]:
        asked = [(sets, each) for each in self.of_sets]
        asked += [(maps, each) for each in self.of_maps]
        asked += [(several, self.mixed)]
        return [
            Step(f"{run.__name__}, {setting}, run {i + 1}", partial(run, setting, FIRST_SEED + i))
            for run, setting in asked
            for i in range(self.runs)
        ]

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
        ours, theirs = (found.runs("mixed", way) for way in ("weighted", "unweighted"))
        rule = "levels .5 to 4 mixed: squared error over the unweighted estimate's"
        yield Check.ratio(rule, "shares", str(self.mixed), ours, theirs, MIXED)
        for what in ("shares", "means"):
            value = found.mean("covered", what)
            yield Check("coverage, levels mixed", what, str(self.mixed), value, **COVERED)

    def exhibits(self, found: Findings) -> Iterator[tuple[str, Exhibit]]:
        yield "runs", str(self.runs)
        yield "sets", self._errors(found, "sets", self.of_sets, (OURS, *OF_SETS))
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


def sets(setting: Setting, seed: int) -> Iterator[Measurement]:
    """Let the same owners report their sets by every method."""
    owners, rng = _owners(setting, seed)
    own = ds.frequencies(reports(owners, setting.levels, seed), "x").value
    yield ("sets", setting, OURS), _error(own, owners.shares, owners.n)
    for name, method in OF_SETS.items():
        found = method(owners, setting.levels[0], rng)
        yield ("sets", setting, name), _error(found, owners.shares, owners.n)


def maps(setting: Setting, seed: int) -> Iterator[Measurement]:
    """Let the same owners report their maps by every method: shares, products, and their sum."""
    owners, rng = _owners(setting, seed)
    own = ds.means(reports(owners, setting.levels, seed, numbers=True), "x")
    found: dict[str, Found] = {OURS: (own.shares.value, own.products.value)}
    found |= {name: method(owners, setting.levels[0], rng) for name, method in OF_MAPS.items()}
    for name, (shares, products) in found.items():
        errors = (
            _error(shares, owners.shares, owners.n),
            _error(products, owners.products, owners.n),
        )
        yield ("shares", setting, name), errors[0]
        yield ("products", setting, name), errors[1]
        yield ("maps", setting, name), sum(errors)


def several(setting: Setting, seed: int) -> Iterator[Measurement]:
    """Compare weights with none where levels differ, and see what intervals cover."""
    owners, _ = _owners(setting, seed)
    table = reports(owners, setting.levels, seed, numbers=True)
    shares, means = ds.frequencies(table, "x", target="owners"), ds.means(table, "x")
    evidence = Evidence.of(table, "x")
    each = [
        (evidence.reports_by_level[level], ds.frequencies(evidence.only({level}), "x").value)
        for level in evidence.reports_by_level
    ]
    unweighted = np.sum([n * value for n, value in each], axis=0) / evidence.n
    yield ("mixed", "weighted"), _error(shares.value, owners.shares, owners.n)
    yield ("mixed", "unweighted"), _error(unweighted, owners.shares, owners.n)
    yield ("covered", "shares"), _covered(shares.interval(), owners.shares)
    learnt = means.learnt
    if learnt.any():
        truth = owners.products[learnt] / owners.shares[learnt]
        yield ("covered", "means"), _covered(means.interval()[learnt], truth)


def reports(
    owners: Owners, levels: Sequence[float], seed: int, *, numbers: bool = False
) -> ds.ReportTable:
    """Return reports through the library's own crowd."""
    names = np.array([f"i{i}" for i in range(owners.size)])
    asked: dict[str, object] = {"name": "x", "length": owners.length}
    column: object
    if numbers:
        asked |= {"kind": "map", "keys": names.tolist(), "range": [-1, 1], "step": 1 / STEPS}
        pairs = zip(names[owners.items].tolist(), owners.numbers.tolist(), strict=True)
        column = [dict(zip(keys, values, strict=True)) for keys, values in pairs]
    else:
        asked |= {"kind": "set", "items": names.tolist()}
        column = names[owners.items].tolist()
    document = {"name": "sets", "attributes": [asked], "budget": {"levels": list(levels)}}
    return ds.simulate(ds.Plan.of(document), {"x": column}, budgets="levels", seed=seed)


def _owners(setting: Setting, seed: int) -> tuple[Owners, np.random.Generator]:
    rng = np.random.default_rng(
        [seed, setting.size, setting.length, round(1000 * setting.levels[0])]
    )
    return Owners.of(setting.size, setting.length, setting.n, rng), rng


def _error(found: Vector, truth: Vector, n: int) -> float:
    return n * mean((found - truth) ** 2)


def _covered(interval: Vector, truth: Vector) -> float:
    return float(((interval[:, 0] <= truth) & (truth <= interval[:, 1])).mean())
