"""What three attributes and more do together: ``python -m experiments.interactions``.

Is it found, is it in the default table, and is nothing found where nothing is? Owners have one of
four levels for each attribute, low ones more often, and lack a seventh of their values.
"""

import sys
import warnings
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import pyarrow as pa

import discretion as ds
from discretion.joints import JointEstimate, joint
from experiments.accuracy import each, table
from experiments.crowds import TIERS, Vector
from experiments.page import write_section

SEED = 20261119
METHODS = ("auto", "mle", "map")
SHARES = (0.4, 0.3, 0.2, 0.1)  # of the owners, that have each of the four levels
MISSING = 0.15
CASES = ("xor 60", "xor 75", "xor 90", "majority 75", "majority 90", "majority 100")
SIZES = (10_000, 20_000, 50_000)


def truth(case: str) -> Vector:
    """Return the table: the last attribute is a function of the others in so many per cent.

    ``pairs`` has none of that: its three attributes depend on each other two by two.
    """
    kind, _, share = case.partition(" ")
    if kind == "pairs":
        a, b, c = 2 * np.indices((2, 2, 2)) - 1
        weights = np.exp(0.5 * a * b + 0.3 * b * c - 0.2 * a * c + 0.4 * a)
        return np.asarray(weights / weights.sum())
    inputs = {"xor": 2, "majority": 3}[kind]
    *given, last = np.indices((2,) * (inputs + 1))
    total = np.sum(given, axis=0)
    right = last == (total % 2 if kind == "xor" else total > inputs / 2)
    return np.where(right, int(share), 100 - int(share)) / (100 * 2**inputs)


def crowd(f: Vector, owners: int, seed: int, others: int = 0) -> ds.ReportTable:
    """Return reports about the attributes of a table, and about others that are independent."""
    rng = np.random.default_rng([seed, 1])
    codes = np.array(np.unravel_index(rng.choice(f.size, owners, p=f.ravel()), f.shape))
    codes = np.vstack([codes, rng.integers(0, 2, (others, owners))])
    names = [f"a{j}" for j in range(len(codes))]
    records = {
        name: pa.array(own.astype(str), mask=rng.random(owners) < MISSING)
        for name, own in zip(names, codes, strict=True)
    }
    budgets = {name: rng.choice(TIERS, owners, p=SHARES) for name in names}
    common = {"kind": "categorical", "values": ["0", "1"], "mechanism": "subset"}
    asked = [{"name": name, **common} for name in names]
    plan = ds.Plan.of({"name": "table", "attributes": asked, "budget": {"levels": list(TIERS)}})
    return ds.simulate(plan, records, budgets=budgets, seed=seed)


def errors(case: str, owners: int, runs: int, seed: int) -> Vector:
    """Measure the mean total variation of each method."""
    return np.mean(each(partial(_errors, truth(case), owners), runs, seed), axis=0)


def over_better(found: Sequence[float]) -> float:
    """Return the default's error in units of the better of the two methods."""
    return found[0] / min(found[1:])


def named(case: str, owners: int, runs: int, seed: int) -> float:
    """Measure how often an interaction is let in or named as left out."""
    return float(np.mean(each(partial(_named, truth(case), owners), runs, seed)))


def published(case: str, owners: int, runs: int, seed: int, others: int = 5) -> float:
    """Measure how often a publication with more attributes names the interaction, and it alone."""
    run = partial(_published, truth(case), owners, others)
    return float(np.mean(each(run, runs, seed)))


def _errors(f: Vector, owners: int, seed: int) -> list[float]:
    reports = crowd(f, owners, seed)
    return [float(np.abs(_joint(reports, method).value - f).sum() / 2) for method in METHODS]


def _named(f: Vector, owners: int, seed: int) -> bool:
    found = _joint(crowd(f, owners, seed), "auto")
    return bool(found.let_in or found.left_out)


def _published(f: Vector, owners: int, others: int, seed: int) -> bool:
    found = ds.publish(crowd(f, owners, seed, others), rows=1, seed=seed)
    wanted = {tuple(f"a{j}" for j in range(f.ndim))}
    return {each.attributes for each in found.interactions if each.found} == wanted


def _joint(reports: ds.ReportTable, method: str) -> JointEstimate:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ds.InteractionWarning)  # map has no terms for them
        return joint(reports, reports.plan.names, method)


def sections(runs: int, tests: int, seed: int) -> Iterator[str]:
    """Measure everything; yield the parts of the section."""
    yield (
        f"Made by `python -m experiments.interactions`, seed {seed}. The last attribute is the"
        " exclusive or of two others, or the majority of three, in so many per cent of the records;"
        " levels 0.5, 1, 2 and 4, a seventh of the values missing. Mean total variation over"
        f" {runs} runs, and the default over the better of the other two."
    )
    rows = []
    for case in CASES:
        for owners in SIZES:
            found = errors(case, owners, runs, seed)
            ratio = f"{over_better(found.tolist()):.2f}"
            rows.append((case, f"{owners:,}", *(f"{error:.4f}" for error in found), ratio))
            sys.stdout.write(f"{rows[-1]}\n")
            sys.stdout.flush()
    yield table(("case", "owners", *METHODS, "auto / better"), rows)
    shares = [(case, 50_000, named(case, 50_000, tests, seed)) for case in ("xor 75", "pairs")]
    shares.append(("pairs", 10_000, named("pairs", 10_000, tests, seed)))
    yield f"How often an interaction is let in or named, of {tests} runs:"
    yield table(("case", "owners", "named"), [(c, f"{n:,}", f"{p:.1%}") for c, n, p in shares])


if __name__ == "__main__":
    write_section("Interactions of three attributes", "\n\n".join(sections(20, 200, SEED)))
