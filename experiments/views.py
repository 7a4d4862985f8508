"""Views against attribute-wise reports and sampled attributes: how far tables of pairs are off.

``python -m experiments.views [VALUES ATTRIBUTES [EPSILON [PAIRS]]]``: 100,000 owners with the same
epsilon for the whole record under every design, on ten dependent laws made from the seeds that are
printed: mixtures of four classes in which attributes are independent. The designs are split
(everybody reports every attribute), sampled attributes (so many of them as are best in hindsight)
and views of the size that ``auto`` takes; the first two are estimated by ``map``, views by
``auto``. With PAIRS, so many pairs of each law are looked at, drawn beforehand.
"""

import sys
import time
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import discretion as ds
from discretion.crowd.simulate import simulate_codes

OWNERS = 100_000
LAWS = 10
SEED = 20261119
SETTINGS = ((3, 6), (4, 8), (8, 16))  # values of each attribute, and attributes
EPSILONS = (1.0, 2.0, 4.0)
CLASSES, CONCENTRATION = 4, 0.7
SAMPLES = (2, 3, 4)  # attributes that a device draws

Array = npt.NDArray[np.float64]
Pair = tuple[int, int]


class Law(NamedTuple):
    """A mixture of classes in which attributes are independent."""

    weights: Array  # (classes,)
    shares: Array  # (attributes, classes, values)

    @classmethod
    def drawn(cls, values: int, attributes: int, seed: int) -> "Law":
        rng = np.random.default_rng([SEED, values, attributes, seed])
        weights = rng.dirichlet(np.full(CLASSES, 2.0))
        shares = rng.dirichlet(np.full(values, CONCENTRATION), (attributes, CLASSES))
        return cls(weights, shares)

    def pair(self, one: int, other: int) -> Array:
        return np.einsum("z,zi,zj->ij", self.weights, self.shares[one], self.shares[other])

    def crowd(self, n: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """Draw the codes of n people."""
        own = rng.choice(len(self.weights), n, p=self.weights)
        below = self.shares.cumsum(axis=2)[:, own].transpose(1, 0, 2)
        drawn = rng.random((n, len(self.shares), 1))
        codes = (drawn > below).sum(axis=2)
        return np.minimum(codes, self.shares.shape[2] - 1)


def plan_of(values: int, attributes: int, **design: Any) -> ds.Plan:
    """Return the plan of a design."""
    labels = [f"v{code}" for code in range(values)]
    asked = [{"name": f"x{i}", "kind": "categorical", "values": labels} for i in range(attributes)]
    return ds.Plan.of({"name": "views", "attributes": asked, **design})


def designs(values: int, attributes: int, epsilon: float) -> Iterator[tuple[str, ds.Plan, str]]:
    """Yield each design with its plan and the method that estimates its tables."""
    total = {"total": epsilon, "spread": 1.5, "step": 0.001}
    plan = plan_of(values, attributes, budget=total)
    yield "split", plan, "map"
    for k in SAMPLES:
        yield (
            f"sample {k}",
            plan_of(values, attributes, budget=total, share={"sample": k}),
            "map",
        )
    levels = {"levels": [epsilon]}
    yield "views", plan_of(values, attributes, budget=levels, views="auto"), "auto"


def errors(plan: ds.Plan, law: Law, pairs: list[Pair], method: str, seed: int) -> Array:
    """Return the mean total variation over the pairs, and the share of cells in their intervals."""
    rng = np.random.default_rng([SEED, seed])
    reports = simulate_codes(plan, law.crowd(OWNERS, rng), rng)
    found = []
    for pair in pairs:
        table = ds.joint(reports, [f"x{i}" for i in pair], method=method)
        truth, ends = law.pair(*pair), table.interval()
        inside = (ends[..., 0] <= truth) & (truth <= ends[..., 1])
        found.append((abs(table.value - truth).sum() / 2, inside.mean()))
    return np.mean(found, axis=0)


def measured(values: int, attributes: int, epsilon: float, most: int) -> None:
    """Print the errors of every law, and how views compare over all of them."""
    off: dict[str, list[float]] = {}
    covered, start = [], time.process_time()
    for seed in range(LAWS):
        law, rng = Law.drawn(values, attributes, seed), np.random.default_rng([SEED, seed])
        every = list(combinations(range(attributes), 2))
        pairs = [every[i] for i in rng.permutation(len(every))[:most]]
        for name, plan, method in designs(values, attributes, epsilon):
            error, inside = errors(plan, law, pairs, method, seed)
            off.setdefault(name, []).append(float(error))
        covered.append(inside)  # of views, which come last
        line = ", ".join(f"{name} {errors[-1]:.4f}" for name, errors in off.items())
        print(f"  seed {seed}: {line}; covered {covered[-1]:.3f}", flush=True)
    logs = {name: np.log(found) for name, found in off.items()}
    best = min((name for name in logs if name.startswith("sample")), key=lambda n: logs[n].mean())
    ratios = {name: logs["views"] - logs[name] for name in ("split", best)}
    said = [
        f"over {name} {np.exp(own.mean()):.3f} (worst {np.exp(own.max()):.3f})"
        for name, own in ratios.items()
    ]
    print(
        f"{values} values, {attributes} attributes, epsilon {epsilon:g}, {len(pairs)} pairs: views "
        f"{', '.join(said)}; covered {np.mean(covered):.3f}, {time.process_time() - start:.0f} s",
        flush=True,
    )


def main() -> None:
    """Measure one setting, or all of them."""
    values, attributes, epsilon, most = (*map(float, sys.argv[1:]), *(0.0,) * 4)[:4]
    settings = [(int(values), int(attributes))] if attributes else SETTINGS
    print(f"{OWNERS:,} owners, seed {SEED}, laws {LAWS}")
    for setting in settings:
        for each in (epsilon,) if epsilon else EPSILONS:
            measured(*setting, each, int(most) or 1 << 20)


if __name__ == "__main__":
    main()
