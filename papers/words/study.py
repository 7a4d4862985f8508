"""Texts and itemsets that nobody listed: published methods and ours in the same crowds."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Self

import numpy as np
import pyarrow as pa

import discretion as ds
from papers.data import Dataset
from papers.exhibit import Exhibit, Table, Tables, percent
from papers.study import Check, Effort, Findings, Measurement, Step, Study, mean
from papers.words.chains import cce
from papers.words.crowd import World, of_python
from papers.words.itemsets import Baskets, by_focus, svsm
from papers.words.published import (
    TOP,
    Counts,
    Found,
    Texts,
    a_rappor,
    pem,
    privtrie,
    sfp,
    treehist,
)

OURS, LARGE, SMALL = "discover", "PEM, 14 bits", "PEM, 2 bits"
Method = Callable[[Texts, Counts, float, np.random.Generator], Found]
METHODS: Mapping[str, Method] = {
    LARGE: partial(pem, step=14),
    SMALL: partial(pem, step=2),
    "TreeHist": treehist,
    "PrivTrie": privtrie,
    "SFP": sfp,
    "A-RAPPOR": a_rappor,
    "CCE": cce,
}
ITEMSETS = {"focus": by_focus, "SVSM": svsm}
OWNERS, FEW_OWNERS = 100_000, 5_000  # few: where each says a text of her own
LETTERS = (97, 123, 6)  # of such a text
MIXED, NOBODY = (0.5, 1, 2, 4), (1, 4)  # levels
MORE, NOBODYS = (
    5,
    10,
)  # runs, for each of the others: of coverage at epsilon 1, and of nobody's texts
FIRST_SEED = 28_001  # none of these was used while the search was changed
LEAST: Mapping[tuple[str, float], Mapping[str, float]] = {  # recall over that of PEM
    ("words", 1): {},
    ("words", 2): {LARGE: 1.5, SMALL: 3},
    ("words", 4): {LARGE: 1.7, SMALL: 3},
    ("unseen words", 2): {LARGE: 1.3},
    ("unseen words", 4): {LARGE: 1.15},
    ("random keys", 2): {LARGE: 1},
    ("random keys", 4): {LARGE: 1},
}
SAID, ANYTHING, ERROR, F1 = 0.95, 0.08, 0.25, 1.3
COVERED = {"low": 0.93, "high": 0.97}
WORDS = Dataset(
    "words",
    "words.csv",
    2377,
    "7c0886d53413770cf90c191a8fc3c9767d307ab0d5430b21dbdce895e8f68018",
    ({"name": "word", "kind": "categorical"}, {"name": "count", "kind": "numeric"}),
)
RETAIL = Dataset(
    "retail",
    "retail.csv",
    88_162,
    "a39d0e1096d19d9aa0a7a24a51de2d7a76017fa271b70b7adff1467f5ec1605e",
    ({"name": "items", "kind": "categorical"},),
)


@dataclass(frozen=True)
class Words(Study):
    """Recall, truth, squared errors and coverage of texts; F1 of itemsets."""

    name: ClassVar[str] = "words"
    printed: ClassVar[tuple[str, ...]] = ("recall", "truth", "errors", "coverage", "itemsets")
    runs: int = 20
    owners: float = 1.0  # of those of the full study

    @classmethod
    def of(cls, effort: Effort) -> Self:
        return cls(effort.runs or 1, 0.2) if effort.quick else cls(effort.runs or cls.runs)

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        return WORDS, RETAIL

    def steps(self, tables: Mapping[str, pa.Table]) -> list[Step]:
        columns = (tables["words"][name].to_pylist() for name in ("word", "count"))
        counts = Counter({word: round(n) for word, n in zip(*columns, strict=True)})
        words = World.of("words", counts, of_python())
        worlds = {each.name: each for each in (words, words.unseen(), words.keys())}
        baskets = Baskets.of(tables["retail"]["items"].to_pylist())
        n, few = (round(self.owners * each) for each in (OWNERS, FEW_OWNERS))
        asked: list[tuple[str, Callable[[int], Iterator[Measurement]], int]] = [
            (f"{name}, ε = {level:g}", partial(texts, worlds[name], (level,), n, METHODS), 1)
            for name, level in LEAST
        ]
        asked += [
            ("levels mixed", partial(texts, words, MIXED, n, {}), 1),
            (
                "coverage",
                partial(texts, replace(words, name="words, more runs"), (1,), n, {}),
                MORE,
            ),
            ("nobody's texts", partial(nobody, words, few), NOBODYS),
            *((f"itemsets, ε = {level}", partial(itemsets, baskets, level), 1) for level in (2, 4)),
        ]
        return [
            Step(f"{title}, run {i + 1}", partial(run, FIRST_SEED + i))
            for title, run, times in asked
            for i in range(self.runs * times)
        ]

    def checks(self, found: Findings) -> Iterator[Check]:
        for (world, level), peers in LEAST.items():
            for peer, least in peers.items():
                yield self._over(
                    found, f"recall over {peer}", ("recall", world, (level,)), peer, least
                )
        for world, level in LEAST:
            value = found.mean("said", world, (level,), OURS)
            yield Check("listed texts that somebody said", world, f"ε = {level:g}", value, low=SAID)
        ours, theirs = (found.mean("error", "words", (4,), way) for way in (OURS, LARGE))
        rule = f"squared error of found shares over {LARGE}"
        yield Check(rule, "words", "ε = 4", ours / theirs, high=ERROR)
        for at, keys in self._crowds().items():
            held = np.concatenate([found.runs("covered", *key) for key in keys])
            yield Check("coverage given discovery", "all texts", at, mean(held), **COVERED)
        value = found.mean("anything")
        yield Check("anything found where nobody shares a text", "", "", value, high=ANYTHING)
        for level in (2, 4):
            about = "itemsets of retail: F1 over SVSM"
            yield self._over(found, about, ("F1", "all", level), "SVSM", F1, "focus")

    def exhibits(self, found: Findings) -> Iterator[tuple[str, Exhibit]]:
        yield "runs", str(self.runs)
        yield "recall", self._table(found, "recall", "Recall of the top 32")
        yield "truth", self._table(found, "said", "Listed texts that somebody said")
        yield "errors", self._table(found, "error", "10⁶ times the squared error of found shares")
        rows = [
            (at, str(key[0]), percent(found.mean("covered", *key), ".1f"), len(held))
            for at, keys in self._crowds().items()
            for key in keys
            for held in [found.runs("covered", *key)]
        ]
        yield "coverage", Table(("", "", "95 % intervals that cover", "of"), rows)
        mixed = found.mean("recall", "words", MIXED, OURS), found.mean("said", "words", MIXED, OURS)
        yield (
            "mixed",
            f"{mixed[0]:.3f}, and {percent(mixed[1], '.1f')} of the listed texts were said",
        )
        anything = found.runs("anything")
        yield "nobody", f"{anything.sum():.0f} of {len(anything)}"
        yield "itemsets", Tables(self._itemsets(found, *each) for each in SCORES.items())

    def _crowds(self) -> dict[str, list[tuple[str, tuple[float, ...]]]]:
        """Return what discovery was asked about, by the levels."""
        found: dict[str, list[tuple[str, tuple[float, ...]]]] = {
            "ε = 1": [("words, more runs", (1,))]
        }
        for level in (2, 4):
            mine = [world for world, own in LEAST if own == level]
            found[f"ε = {level}"] = [(world, (level,)) for world in mine]
        return {**found, "levels mixed": [("words", MIXED)]}

    def _over(
        self,
        found: Findings,
        rule: str,
        key: tuple[object, ...],
        peer: str,
        least: float,
        own: str = OURS,
    ) -> Check:
        """Check a ratio from below; runs of the same number had the same crowd."""
        ours, theirs = (found.runs(*key, way) for way in (own, peer))
        level = key[-1][0] if isinstance(key[-1], tuple) else key[-1]
        made = Check.ratio(rule, str(key[1]), f"ε = {level:g}", ours, theirs, np.inf)
        return replace(made, low=least)

    def _table(self, found: Findings, what: str, title: str) -> Table:
        rows = [
            (
                f"{world}, ε = {level:g}",
                *(_cell(found, (what, world, (level,), way)) for way in WAYS),
            )
            for world, level in LEAST
        ]
        return Table(("", *WAYS), rows, title)

    def _itemsets(self, found: Findings, which: str, title: str) -> Table:
        rows = [
            (f"ε = {level}", *(_cell(found, ("F1", which, level, way)) for way in ITEMSETS))
            for level in (2, 4)
        ]
        return Table(("", *ITEMSETS), rows, title)


WAYS = (OURS, *METHODS)
SCORES = {
    "all": "F1 of the 32 most frequent itemsets, single items among them",
    "two or more": "F1 of the 32 most frequent itemsets of two items or more",
    "candidates": "Share of the 32 most frequent itemsets that are candidates",
}


def _cell(found: Findings, key: tuple[object, ...]) -> str:
    """Return a mean with its standard error, which shares of lists and errors have not."""
    value = found.mean(*key)
    if np.isnan(value):
        return "–"
    if key[0] == "said":
        return percent(value)
    if key[0] == "error":
        return f"{1e6 * value:.3g}"
    error = found.stderr(*key)
    return f"{value:.3f}" + ("" if np.isnan(error) else f" ± {error:.3f}")


def texts(
    world: World, levels: tuple[float, ...], n: int, methods: Mapping[str, Method], seed: int
) -> Iterator[Measurement]:
    """Let the same owners say texts to every method."""
    rng = np.random.default_rng([seed, len(world.said), round(1000 * sum(levels))])
    drawn = rng.choice(len(world.said), n, p=world.shares)
    counts = np.bincount(drawn, minlength=len(world.said))
    records = {"word": pa.array(world.said).take(pa.array(drawn))}
    reports = ds.simulate(world.plan(levels), records, budgets="levels", seed=_seed(rng))
    own = ds.discover(reports, "word")
    index = {text: i for i, text in enumerate(world.said)}
    at = [index.get(text, -1) for text in own.texts]
    yield from _measured(world.name, levels, OURS, counts, at, own.value)
    for i, (low, high) in zip(at, own.interval().tolist(), strict=True):
        if i >= 0:
            yield ("covered", world.name, levels), float(low <= world.shares[i] <= high)
    codes = {code: i for i, code in enumerate(world.texts.codes.tolist())}
    for name, method in methods.items():
        found, shares = method(world.texts, counts, levels[0], rng)
        listed = [codes.get(code, -1) for code in found.tolist()]
        yield from _measured(world.name, levels, name, counts, listed, shares)


def _measured(
    world: str,
    levels: tuple[float, ...],
    way: str,
    counts: Counts,
    listed: Sequence[int],
    shares: np.ndarray,
) -> Iterator[Measurement]:
    """Yield recall, and of each listed text whether it was said and the error of its share."""
    top = set(np.argsort(-counts, kind="stable")[:TOP].tolist())
    yield ("recall", world, levels, way), len(top & set(listed)) / TOP
    for i, share in zip(listed, shares.tolist(), strict=True):
        yield ("said", world, levels, way), float(i >= 0 and counts[i] > 0)
        if i in top:
            yield ("error", world, levels, way), (share - counts[i] / counts.sum()) ** 2


def nobody(world: World, n: int, seed: int) -> Iterator[Measurement]:
    """Let every owner say a text of her own, and see whether any that is nobody's is found."""
    rng = np.random.default_rng([seed, n])
    low, high, length = LETTERS
    said = ["".join(map(chr, own)) for own in rng.integers(low, high, (n, length)).tolist()]
    reports = ds.simulate(world.plan(NOBODY), {"word": said}, budgets="levels", seed=_seed(rng))
    times = Counter(said)
    found = ds.discover(reports, "word").texts
    yield ("anything",), float(any(times[text] < 2 for text in found))


def itemsets(baskets: Baskets, epsilon: int, seed: int) -> Iterator[Measurement]:
    """Let the same owners report their baskets, in either of two rounds, or to SVSM."""
    for name, method in ITEMSETS.items():
        found = method(baskets, epsilon, np.random.default_rng([seed, epsilon]))
        yield ("F1", "all", epsilon, name), baskets.f1(found, 1)
        yield ("F1", "two or more", epsilon, name), baskets.f1(found, 2)
        yield ("F1", "candidates", epsilon, name), baskets.asked(found)


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(1 << 31))
