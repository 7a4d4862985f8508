"""All reports as soft evidence on a junction tree: one pass gives likelihood and posteriors."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from discretion.kernel.belief import beliefs
from discretion.publication.signals import Signals
from discretion.publication.tree import Tree

SHARD = 1 << 13  # reports; shards are summed in their order, whoever worked on them

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TreeEvidence:
    """The reports, arranged as inputs of the cliques."""

    tree: Tree
    signals: Signals

    @property
    def n(self) -> int:
        return self.signals.n

    def expected(self, conditionals: Vector) -> tuple[float, Vector]:
        """Return the log-likelihood, and the mean posterior of all cells, of a calibrated tree."""
        tables = conditionals.astype(np.float32)

        def fold(shard: npt.NDArray[np.float32]) -> tuple[float, Vector]:
            posterior = np.zeros(len(tables))
            value: float = beliefs(shard, tables, *self._wiring, posterior)  # type: ignore[call-arg]
            return value, posterior

        with ThreadPoolExecutor() as threads:
            parts = list(threads.map(fold, self._shards))
        value = sum(value for value, _ in parts)
        return float(value), np.sum([own for _, own in parts], axis=0) / self.n

    @cached_property
    def _shards(self) -> list[npt.NDArray[np.float32]]:
        rows = np.concatenate([signal.likelihood for signal in self.signals.each])
        return [np.ascontiguousarray(rows[:, i : i + SHARD]) for i in range(0, self.n, SHARD)]

    @cached_property
    def _wiring(self) -> tuple[Any, ...]:
        """What comes into each clique and goes out of it, as the kernel reads it."""
        tree, signals = self.tree, self.signals.each
        starts = np.cumsum([0, *(len(signal.likelihood) for signal in signals)])
        heights = [int(np.prod(tree.sizes(separator))) for separator in tree.separators]
        out = starts[-1] + np.cumsum([0, *heights[:-1]])
        homes = [tree.home(signal.axes) for signal in signals]
        first, rows, tall, maps = [0], [], [], []
        for clique in range(len(tree.cliques)):
            for start, home, signal in zip(starts, homes, signals, strict=False):
                if home == clique:
                    rows.append(start)
                    tall.append(0)
                    maps.append(tree.map(clique, signal.axes))
            for child, parent in enumerate(tree.parents):
                if parent == clique:
                    rows.append(out[child])
                    tall.append(heights[child])
                    maps.append(tree.map(clique, tree.separators[child]))
            first.append(len(rows))
        sent = [tree.map(i, separator) for i, separator in enumerate(tree.separators)]
        integers = (np.array(each, np.int64) for each in (first, rows, tall, out))
        inputs, rows_of, heights_of, out_of = integers
        cells = tree.first.astype(np.int64)
        return cells, inputs, rows_of, _stacked(maps), heights_of, out_of, _stacked(sent)


def _stacked(maps: list[npt.NDArray[np.int32]]) -> npt.NDArray[np.int32]:
    """Return the maps as rows of one array, filled up with zeros."""
    stacked = np.zeros((len(maps), max(map(len, maps))), np.int32)
    for row, own in zip(stacked, maps, strict=True):
        row[: len(own)] = own
    return stacked
