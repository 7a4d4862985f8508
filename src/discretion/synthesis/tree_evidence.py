"""All reports as soft evidence on a junction tree: one pass gives likelihood and posteriors."""

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from discretion.kernel.belief import Wiring, beliefs
from discretion.synthesis.evidence import SoftEvidence
from discretion.synthesis.likelihoods import Likelihoods, Single
from discretion.synthesis.tree import Tree
from discretion.synthesis.wiring import Circuit

Vector = npt.NDArray[np.float64]
Expected = tuple[float, Vector]  # the log-likelihood, and the posteriors of all cells


@dataclass(frozen=True, eq=False)
class TreeEvidence:
    """The reports, arranged as inputs of the cliques."""

    tree: Tree
    evidence: SoftEvidence

    @property
    def n(self) -> int:
        return self.evidence.n

    def expected(self, conditionals: Vector) -> Expected:
        """Return the log-likelihood, and the mean posterior of all cells, of a calibrated tree."""
        order, wiring = self._circuit.order, self._circuit.wiring
        tables = conditionals.astype(np.float32)[order]
        value, total = self.evidence.fold(partial(_passed, wiring, tables))
        posterior = np.empty(len(total))
        posterior[order] = total
        return value, posterior / self.n

    @cached_property
    def _circuit(self) -> Circuit:
        return Circuit(self.tree, tuple(question.axes for question in self.evidence.questions))


def _passed(wiring: Wiring, tables: Single, likelihoods: Likelihoods) -> Expected:
    posterior = np.zeros(len(tables))
    return beliefs(likelihoods.values, tables, wiring, posterior), posterior
