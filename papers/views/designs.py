"""Plans that ask for the same tables in different ways, and the tables from their reports."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

import discretion as ds
from discretion.crowd.simulate import simulate_codes
from discretion.estimate.noise import simplex
from papers.views.calm import calm
from papers.views.hadamard import hadamard
from papers.views.locop import locop
from papers.views.people import Array, Codes, Pair, Population

SAMPLES = (2, 3, 4)  # attributes that a device draws
MOST = 20.0  # the largest level of a report
Tables = Mapping[Pair, Array]

OURS, SPLIT, ALONE = "views", "split", "margins"
DRAWN = tuple(f"sample {k}" for k in SAMPLES)
PUBLISHED = ("CALM", "LoPub", "LoCop", "Fanti", "Hadamard")


class Answer(NamedTuple):
    """The tables of some pairs, and the share of cells that their intervals cover."""

    tables: Tables
    covered: float | None = None


def plan_of(sizes: Sequence[int], **design: Any) -> ds.Plan:
    """Return the plan of a design."""
    asked = [
        {"name": f"x{i}", "kind": "categorical", "values": [f"v{code}" for code in range(size)]}
        for i, size in enumerate(sizes)
    ]
    return ds.Plan.of({"name": "views", "attributes": asked, **design})


def answers(
    people: Population, codes: Codes, epsilon: float, pairs: Sequence[Pair], seed: int
) -> Iterator[tuple[str, Answer]]:
    """Yield what each design finds, all with this epsilon for the whole record."""
    sizes, levels = people.sizes, {"levels": [min(epsilon, MOST)]}
    total = {"total": epsilon, "spread": 1.5, "step": 0.001}
    views = _reports(plan_of(sizes, budget=levels, views="auto"), codes, seed)
    yield OURS, _joint(views, people, pairs, "auto")
    split = _reports(plan_of(sizes, budget=total), codes, seed)
    yield SPLIT, _joint(split, people, pairs, "map")
    yield "Fanti", Answer(_tables(split, pairs, "mle"))
    yield "LoPub", Answer(_tables(split, pairs, "em-lopub"))
    yield "LoCop", Answer(locop(split, pairs))
    for k, name in zip(SAMPLES, DRAWN, strict=True):
        drawn = _reports(plan_of(sizes, budget=total, share={"sample": k}), codes, seed)
        yield name, Answer(_tables(drawn, pairs, "map"))
    every = _reports(plan_of(sizes, budget=levels, views={"size": 2}), codes, seed)
    yield "CALM", Answer({pair: own for pair, own in calm(every).items() if pair in pairs})
    rng = np.random.default_rng([seed, 1])
    yield "Hadamard", Answer(hadamard(codes, sizes, epsilon, pairs, rng))
    margins = [
        simplex(np.bincount(own, minlength=s) / len(own))
        for own, s in zip(codes.T, sizes, strict=True)
    ]
    yield ALONE, Answer({(a, b): np.outer(margins[a], margins[b]) for a, b in pairs})


def _reports(plan: ds.Plan, codes: Codes, seed: int) -> ds.ReportTable:
    return simulate_codes(plan, codes, np.random.default_rng([seed, 0]))


def _tables(reports: ds.ReportTable, pairs: Sequence[Pair], method: str) -> Tables:
    return {pair: ds.joint(reports, [f"x{i}" for i in pair], method=method).value for pair in pairs}


def _joint(
    reports: ds.ReportTable, people: Population, pairs: Sequence[Pair], method: str
) -> Answer:
    tables, covered = {}, []
    for pair in pairs:
        found = ds.joint(reports, [f"x{i}" for i in pair], method=method)
        truth, ends = people.pair(*pair), found.interval()
        tables[pair] = found.value
        covered.append(((ends[..., 0] <= truth) & (truth <= ends[..., 1])).mean())
    return Answer(tables, float(np.mean(covered)))
