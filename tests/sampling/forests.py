"""Records of several trees: each attribute follows its parent, those of different trees nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.crowd import simulate
from discretion.plan import Plan
from discretion.table import ReportTable

Table = npt.NDArray[np.float64]
LEAST = 0.01  # share of a value: rare ones are what tests of dependence stumble on
BUDGET = {"average": 2.0, "least": 0.25, "most": 6.0}
SHY_OR_BOLD = [0.5, 4.0]


@dataclass(frozen=True, eq=False)
class Forest:
    """Attributes v0, v1, ...; a parent stands before its children, a root has none."""

    parents: tuple[int | None, ...]
    chances: tuple[Table, ...]  # (values of the parent, own values); of a root (1, own values)

    @classmethod
    def drawn(
        cls, sizes: Sequence[int], trees: int, strength: float, rng: np.random.Generator
    ) -> "Forest":
        """Draw parents and chances; attribute i belongs to the tree i modulo their number."""
        parents: list[int | None] = []
        chances = []
        for i, size in enumerate(sizes):
            older = range(i % trees, i, trees)
            parent = int(rng.choice(older)) if len(older) else None
            logs = np.log(rng.dirichlet(np.full(size, 2.0)))[None]
            if parent is not None:
                tie = np.linspace(-1, 1, sizes[parent])[:, None] * rng.permuted(
                    np.linspace(-1, 1, size)
                )
                logs = logs + strength * tie
            chance = np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)
            parents.append(parent)
            chances.append((chance + LEAST) / (1 + LEAST * size))
        return cls(tuple(parents), tuple(chances))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"v{i}" for i in range(len(self.parents)))

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(chance.shape[1] for chance in self.chances)

    def root(self, attribute: int) -> int:
        parent = self.parents[attribute]
        return attribute if parent is None else self.root(parent)

    def independent(self, one: str, other: str) -> bool:
        return self.root(int(one[1:])) != self.root(int(other[1:]))

    def plan(self, *, secret: bool = False, budget: Mapping[str, Any] = BUDGET) -> Plan:
        """Return a plan that asks for all of them."""
        attributes = [
            {
                "name": name,
                "kind": "categorical",
                "values": list(range(size)),
                "mechanism": "oue" if secret else "subset",
            }
            for name, size in zip(self.names, self.sizes, strict=True)
        ]
        document = {"name": "forest", "attributes": attributes, "budget": dict(budget)}
        return Plan.of({**document, "allocation": "secret"} if secret else document)

    def records(self, n: int, rng: np.random.Generator, missing: float = 0.25) -> pa.Table:
        """Return n records, each lacking some attributes."""
        codes: list[npt.NDArray[np.int64]] = []
        for parent, chance in zip(self.parents, self.chances, strict=True):
            given = np.zeros(n, np.int64) if parent is None else codes[parent]
            below = np.cumsum(chance, axis=1)[:, :-1]
            codes.append((rng.random(n)[:, None] >= below[given]).sum(axis=1))
        columns = [pa.array(own, mask=rng.random(n) < missing) for own in codes]
        return pa.table(columns, names=self.names)

    def reports(self, n: int, rng: np.random.Generator, *, secret: bool = False) -> ReportTable:
        """Return reports of n owners who divide their allowance as they like."""
        plan, seed = self.plan(secret=secret), int(rng.integers(1 << 31))
        return simulate(plan, self.records(n, rng), budgets="dirichlet", seed=seed)

    def shy_and_bold(self, n: int, rng: np.random.Generator) -> ReportTable:
        """Return reports with secret levels: half of the owners spend little on all, half much."""
        plan, seed = (
            self.plan(secret=True, budget={"levels": SHY_OR_BOLD}),
            int(rng.integers(1 << 31)),
        )
        records, own = self.records(n, rng), np.array(SHY_OR_BOLD)[rng.integers(0, 2, n)]
        levels = [pa.array(own, mask=np.asarray(column.is_null())) for column in records.columns]
        return simulate(plan, records, budgets=pa.table(levels, names=self.names), seed=seed)

    def pairs(self) -> dict[tuple[str, str], Table]:
        """Return the true table of each pair, by summing the whole joint along the parents."""
        tables: dict[tuple[int, int], Table] = {}
        ones: list[Table] = []
        for i, (parent, chance) in enumerate(zip(self.parents, self.chances, strict=True)):
            ones.append(chance[0] if parent is None else ones[parent] @ chance)
            for j in range(i):
                if parent is None:
                    tables[j, i] = np.outer(ones[j], ones[i])
                elif j == parent:
                    tables[j, i] = ones[j][:, None] * chance
                else:
                    pair = tables[j, parent] if j < parent else tables[parent, j].T
                    tables[j, i] = pair @ chance
        return {(f"v{i}", f"v{j}"): tables[i, j] for i, j in combinations(range(len(ones)), 2)}
