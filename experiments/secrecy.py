"""Tables of secret plans, however budgets are spent: ``python -m experiments.secrecy``.

Does the 95 % interval of a table cover whatever owners spend, and is said where it does not? An
average of 2 is allowed, and with ``menu`` any level. Tables are random; the seed of each run draws
its own, the budgets, and who lacks which value.
"""

import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import numpy.typing as npt
import pyarrow as pa

import discretion as ds
from experiments.accuracy import each, table
from experiments.crowds import Vector
from experiments.page import write_section

SEED = 20261121
AVERAGE = {"average": 2, "least": 0.5, "most": 6, "step": 0.25}
LEVELS = (0.25, 0.5, 1.0, 2.0, 4.0)
MISSING = 0.07
SHAPES = ((2, 2), (3, 4))
Matrix = npt.NDArray[np.float64]
Spending = Callable[[np.random.Generator, int, int], Matrix]  # epsilons, 0 where nothing is shared


def _least(_: np.random.Generator, n: int, attributes: int) -> Matrix:
    return np.full((n, attributes), 0.5)


def _two_types(rng: np.random.Generator, n: int, attributes: int) -> Matrix:
    """Half guard every other attribute, half the others."""
    even = np.arange(attributes) % 2 == 0
    first = np.where(even, 2.0, 0.75)
    second = np.where(even, 0.5, 1.5)
    return np.where(rng.random((n, 1)) < 0.5, first, second)


def _correlated(rng: np.random.Generator, n: int, attributes: int) -> Matrix:
    """Some owners are shy in everything, some bold."""
    bold = rng.random((n, 1)) ** 2
    return _on_menu(0.5 + 1.5 * bold + 0.25 * (rng.random((n, attributes)) - 0.5))


def _half_share_one(rng: np.random.Generator, n: int, attributes: int) -> Matrix:
    """Half share one attribute with all that is allowed; the others spend less."""
    levels = _on_menu(0.5 + 1.5 * rng.beta(1, 2, (n, attributes)))
    alone, own = rng.random(n) < 0.5, rng.integers(0, attributes, n)
    return np.where(alone[:, None], 2.0 * np.eye(attributes)[own], levels)


def _menu(rng: np.random.Generator, n: int, attributes: int) -> Matrix:
    return rng.choice(LEVELS, (n, attributes))


def _on_menu(levels: Matrix) -> Matrix:
    found: Matrix = np.clip(np.round(levels * 4) / 4, 0.5, 2.0)
    return found


CASES: dict[str, Spending] = {
    "all at the least level": _least,
    "two types": _two_types,
    "correlated levels": _correlated,
    "uniform on the menu": _menu,
    "half share one attribute": _half_share_one,
}


def crowd(
    case: str, shape: tuple[int, ...], owners: int, seed: int
) -> tuple[Vector, ds.ReportTable]:
    """Draw a table, and reports of owners who spend so."""
    rng = np.random.default_rng([seed, 1])
    f = rng.dirichlet(np.full(int(np.prod(shape)), 1.5)).reshape(shape)
    levels = CASES[case](rng, owners, len(shape))
    lacking = (levels == 0) | (rng.random(levels.shape) < MISSING)
    codes = np.array(np.unravel_index(rng.choice(f.size, owners, p=f.ravel()), shape))
    names = [f"a{j}" for j in range(len(shape))]
    people = {
        name: pa.array(own.astype(str), mask=lacking[:, j])
        for j, (name, own) in enumerate(zip(names, codes, strict=True))
    }
    attributes = [
        {
            "name": name,
            "kind": "categorical",
            "values": [str(code) for code in range(size)],
            "mechanism": "oue",
        }
        for name, size in zip(names, shape, strict=True)
    ]
    budget = {"levels": list(LEVELS)} if case == "uniform on the menu" else AVERAGE
    plan = ds.Plan.of(
        {"name": case, "attributes": attributes, "budget": budget, "allocation": "secret"}
    )
    budgets = {name: np.maximum(levels[:, j], 0.5) for j, name in enumerate(names)}
    if case == "uniform on the menu":
        budgets = {name: levels[:, j] for j, name in enumerate(names)}
    return f, ds.simulate(plan, people, budgets=budgets, seed=seed)


def covered(
    case: str, shape: tuple[int, ...], owners: int, runs: int, seed: int
) -> tuple[float, float, float, float]:
    """Measure the coverage of all cells, its standard error, that of the worst, and warnings."""
    found = each(partial(_covered, case, shape, owners), runs, seed)
    held = np.array([own for own, _ in found], np.float64).reshape(runs, -1)
    worst, own = held.mean(axis=0).min(), held.mean(axis=1)
    warned = np.mean([said for _, said in found])
    return float(held.mean()), float(own.std() / np.sqrt(runs)), float(worst), float(warned)


def _covered(
    case: str, shape: tuple[int, ...], owners: int, seed: int
) -> tuple[npt.NDArray[np.bool_], bool]:
    f, reports = crowd(case, shape, owners, seed)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        interval = ds.joint(reports, reports.plan.names).interval()
    held = (interval[..., 0] <= f) & (interval[..., 1] >= f)
    return held, any(issubclass(w.category, ds.AllocationWarning) for w in caught)


def sections(runs: int, owners: int, seed: int) -> Iterator[str]:
    """Measure everything; yield the parts of the section."""
    yield (
        f"Made by `python -m experiments.secrecy`, seed {seed}. Secret plans, {owners:,} owners, an"
        " average of 2 allowed, or any of five levels (uniform on the menu); 7 % of the values"
        f" missing, random tables, {runs} runs each: how often 95 % intervals of `joint` cover,"
        " ± one standard error, the cell that is covered least often, and how often it warns that"
        " the levels are unexplained."
    )
    rows = []
    for shape in SHAPES:
        for case in CASES:
            mean, error, worst, warned = covered(case, shape, owners, runs, seed)
            size = " x ".join(map(str, shape))
            shares = (f"{mean:.1%} ± {error:.1%}", f"{worst:.1%}", f"{warned:.1%}")
            rows.append((case, size, *shares))
            sys.stdout.write(f"{rows[-1]}\n")
            sys.stdout.flush()
    yield table(("owners", "table", "covered", "worst cell", "warned"), rows)


if __name__ == "__main__":
    write_section(
        "Secret plans, however budgets are spent", "\n\n".join(sections(200, 50_000, SEED))
    )
