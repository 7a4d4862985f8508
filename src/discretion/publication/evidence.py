"""All reports as soft evidence on a junction tree: one pass gives likelihood and posteriors."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from discretion.kernel.belief import beliefs
from discretion.publication.signals import Signals
from discretion.publication.tree import Tree
from discretion.publication.wiring import Circuit

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
        order, wiring = self._circuit.order, self._circuit.wiring
        tables = conditionals.astype(np.float32)[order]

        def fold(shard: npt.NDArray[np.float32]) -> tuple[float, Vector]:
            posterior = np.zeros(len(tables))
            return beliefs(shard, tables, wiring, posterior), posterior

        with ThreadPoolExecutor() as threads:
            parts = list(threads.map(fold, self._shards))
        value = sum(value for value, _ in parts)
        posterior = np.empty(len(tables))
        posterior[order] = np.sum([own for _, own in parts], axis=0)
        return float(value), posterior / self.n

    @cached_property
    def _shards(self) -> list[npt.NDArray[np.float32]]:
        rows = np.concatenate([signal.likelihood for signal in self.signals.each])
        return [np.ascontiguousarray(rows[:, i : i + SHARD]) for i in range(0, self.n, SHARD)]

    @cached_property
    def _circuit(self) -> Circuit:
        return Circuit(self.tree, tuple(signal.axes for signal in self.signals.each))
