"""Views against attribute-wise reports and sampled attributes: how far tables of pairs are off.

``python -m experiments.views [VALUES ATTRIBUTES [LAWS [PAIRS]]]``: 100,000 owners with the same
epsilon for the whole record under every design, on dependent laws made from the seeds that are
printed: mixtures of four independent classes. The designs are split (everybody reports every
attribute), sampled attributes (the best of several numbers, in hindsight) and views of the size that
``auto`` takes; the first two are estimated by ``map``, views by ``auto``.
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


def plan_of(values: int, attributes: int, epsilon: float, **design: Any) -> ds.Plan:
    labels = [f"v{code}" for code in range(values)]
    asked = [{"name": f"x{i}", "kind": "categorical", "values": labels} for i in range(attributes)]
    return ds.Plan.of({"name": "views", "attributes": asked, **design})


def designs(values: int, attributes: int, epsilon: float) -> Iterator[tuple[str, ds.Plan, str]]:
    """Yield each design with its plan and the method that estimates its tables."""
    total = {"total": epsilon, "spread": 1.5, "step": 0.001}
    plan = plan_of(values, attributes, epsilon, budget=total)
    yield "split", plan, "map"
    for k in SAMPLES:
        yield (
            f"sample {k}",
            plan_of(values, attributes, epsilon, budget=total, share={"sample": k}),
            "map",
        )
    levels = {"levels": [epsilon]}
    yield "views", plan_of(values, attributes, epsilon, budget=levels, views="auto"), "auto"


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


def measured(values: int, attributes: int, laws: int, most: int) -> None:
    for epsilon in EPSILONS:
        ratios, covered, sizes = [], [], set[int]()
        start = time.process_time()
        for seed in range(laws):
            law = Law.drawn(values, attributes, seed)
            rng = np.random.default_rng([SEED, seed])
            every = list(combinations(range(attributes), 2))
            pairs = [every[i] for i in rng.permutation(len(every))[:most]]
            off = {}
            for name, plan, method in designs(values, attributes, epsilon):
                off[name], inside = errors(plan, law, pairs, method, seed)
                if name == "views":
                    covered.append(inside)
                    sizes = {len(bundle.parts) for bundle in plan.bundles}
            best = min(value for name, value in off.items() if name.startswith("sample"))
            ratios.append((off["views"] / off["split"], off["views"] / best))
            line = ", ".join(f"{name} {value:.4f}" for name, value in off.items())
            print(f"  seed {seed}: {line}; covered {covered[-1]:.3f}", flush=True)
        mean, worst = np.exp(np.log(ratios).mean(axis=0)), np.max(ratios, axis=0)
        print(
            f"{values} values, {attributes} attributes, epsilon {epsilon:g}, views of {sizes}: "
            f"views/split {mean[0]:.3f} (worst {worst[0]:.3f}), "
            f"views/best sampled {mean[1]:.3f} (worst {worst[1]:.3f}), "
            f"covered {np.mean(covered):.3f}, {time.process_time() - start:.0f} s",
            flush=True,
        )


def main() -> None:
    arguments = [int(each) for each in sys.argv[1:]]
    settings = [(arguments[0], arguments[1])] if len(arguments) > 1 else SETTINGS
    laws, most = (*arguments[2:], *(10, 1 << 20)[len(arguments[2:]) :])[:2]
    print(f"{OWNERS:,} owners, seed {SEED}, laws {laws}")
    for values, attributes in settings:
        measured(values, attributes, laws, most)


if __name__ == "__main__":
    main()
