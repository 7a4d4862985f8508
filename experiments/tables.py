"""How accurate tables of several attributes are: beside the forecast, and bundled beside split.

Each measurement is a function of the number of runs and a seed, so that a test can repeat it small.
Records and reports are drawn from streams of their own: with one stream, who shares how much would
follow the values.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

import discretion as ds
from discretion.design.information import Answer, Owners, squared_error
from discretion.joints import joint
from discretion.plan import Family
from experiments.accuracy import Ratio, each
from experiments.crowds import Vector

SPLIT, BUNDLED = (("oue", False), ("subset", True))
SIDE = 10  # values of each attribute in the table that is bundled or split
BUDGETS = {
    "subset": {"average": 2, "least": 0.25, "most": 6},
    "oue": {"average": 4, "least": 0.5, "most": 8},
}


def plan(
    mechanism: str, sizes: Sequence[int], budget: Mapping[str, object], *, bundled: bool = False
) -> ds.Plan:
    """Return a plan of attributes a0, a1, ... with these sizes, which it may bundle."""
    names = [f"a{j}" for j in range(len(sizes))]
    attributes = [
        {"name": name, "kind": "categorical", "values": list(range(size)), "mechanism": mechanism}
        for name, size in zip(names, sizes, strict=True)
    ]
    bundles = {"bundles": [names]} if bundled else {}
    return ds.Plan.of({"name": "table", "attributes": attributes, "budget": budget, **bundles})


def bundle_gain(runs: int, seed: int, owners: int = 50_000) -> Ratio:
    """Measure the squared error of OUE on two attributes over that of one bundle, total 2."""
    split, bundled = np.array(each(partial(_split_and_bundled, owners), runs, seed)).T
    ratio = split.mean() / bundled.mean()
    spread = (split - ratio * bundled).std(ddof=1)
    return Ratio(ratio, spread / np.sqrt(runs) / bundled.mean())


def over_forecast(
    mechanism: str, runs: int, seed: int, owners: int = 50_000, *, bundled: bool = False
) -> Ratio:
    """Measure the mle's squared error over what ``advise`` forecasts: 4 x 5, uniform, total 4."""
    agreement = plan(mechanism, (4, 5), {"levels": [2]}, bundled=bundled)
    advice = ds.advise(agreement, [["a0", "a1"]], owners, 4)
    (expected,) = advice.of("bundle" if bundled else "split")
    errors = np.array(each(partial(_even_error, agreement, owners), runs, seed))
    scaled = errors / expected.squared_error
    return Ratio(scaled.mean(), scaled.std(ddof=1) / np.sqrt(runs))


def over_bound(mechanism: str, runs: int, seed: int, owners: int = 50_000) -> Ratio:
    """Measure the mle's squared error over its bound: 3 x 4 x 5, uniform, unequal and partial."""
    scaled = np.array(each(partial(_over_own_bound, mechanism, owners), runs, seed))
    return Ratio(scaled.mean(), scaled.std(ddof=1) / np.sqrt(runs))


def _split_and_bundled(owners: int, seed: int) -> list[float]:
    truth = 1 + 9 * np.eye(SIDE)
    truth /= truth.sum()
    plans = [plan(m, (SIDE, SIDE), {"levels": [1]}, bundled=b) for m, b in (SPLIT, BUNDLED)]
    records = _records(truth, owners, seed)
    return [_error(ds.simulate(each, records, seed=seed), truth) for each in plans]


def _even_error(agreement: ds.Plan, owners: int, seed: int) -> float:
    sizes = [attribute.size for attribute in agreement.attributes.values()]
    truth = np.full(sizes, 1 / np.prod(sizes))
    return _error(ds.simulate(agreement, _records(truth, owners, seed), seed=seed), truth)


def _over_own_bound(mechanism: str, owners: int, seed: int) -> float:
    sizes = (3, 4, 5)
    truth = np.full(sizes, 1 / np.prod(sizes))
    agreement = plan(mechanism, sizes, BUDGETS[mechanism])
    records = _records(truth, owners, seed)
    reports = ds.simulate(agreement, records, budgets="dirichlet", share=(1, 3), seed=seed)
    table = dict(zip(agreement.names, sizes, strict=True))
    return _error(reports, truth) / squared_error(table, _crowd(reports))


def _crowd(reports: ds.ReportTable) -> list[Owners]:
    """Return the owners by the levels that they have."""
    plan, data = reports.plan, reports.data
    columns = [data[f"{name}.level"].fill_null(0).to_numpy() for name in plan.names]
    budgets, numbers = np.unique(np.column_stack(columns), axis=0, return_counts=True)
    return [
        Owners(
            int(number),
            tuple(
                Answer((name,), plan.questions[name].law(int(level), Family.SETS))
                for name, level in zip(plan.names, levels, strict=True)
                if level
            ),
        )
        for levels, number in zip(budgets, numbers, strict=True)
    ]


def _records(truth: Vector, owners: int, seed: int) -> dict[str, list[str]]:
    cells = np.random.default_rng([seed, 1]).choice(truth.size, owners, p=truth.ravel())
    codes = np.unravel_index(cells, truth.shape)
    return {f"a{j}": own.astype(str).tolist() for j, own in enumerate(codes)}


def _error(reports: ds.ReportTable, truth: Vector) -> float:
    names = [f"a{j}" for j in range(truth.ndim)]
    return float(((joint(reports, names, "mle").value - truth) ** 2).sum())
