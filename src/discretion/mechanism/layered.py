"""Layered: a layer that is drawn in public, and there a law on the part of the code that it shows.

A layer shows in which interval of so many neighbouring codes the code is. The device draws it
without regard to the code.

Law      P((h, z) | x) = weights[h] / 2^16 * P_h(z | x // widths[h])
Report   y = h * 256^n + z, with n bytes for z in every layer: its length says nothing
Privacy  the layer does not depend on x, so the largest ratio is the largest of the laws of layers
Proof    docs/proofs/hierarchy.md
"""

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from discretion.mechanism.form import Form
from discretion.mechanism.law import SupportLaw
from discretion.mechanism.shape import OneStage
from discretion.randomness import Source

WHOLE = 1 << 16  # of the weights of layers


class Layered(OneStage):
    """A law that names the layer of each report."""

    __slots__ = ()

    laws: Sequence[SupportLaw]  # by layer

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of codes."""

    @property
    @abstractmethod
    def weights(self) -> Sequence[int]:
        """How often each layer is drawn, over ``WHOLE``."""

    @property
    @abstractmethod
    def widths(self) -> Sequence[int]:
        """How many neighbouring codes a layer does not tell apart."""

    @property
    def inner_bytes(self) -> int:
        """The bytes of a report below the number of its layer."""
        return max(law.n_bytes for law in self.laws)

    @property
    def n_bytes(self) -> int:
        return self.inner_bytes + 1

    @property
    def form(self) -> Form:
        inner = tuple(law.form for law in self.laws)
        return Form(len(inner), 8 * self.inner_bytes, inner=inner)

    @property
    def ratio(self) -> Fraction:
        return max(law.ratio for law in self.laws)

    def perturb(self, code: int, source: Source) -> int:
        drawn = source.below(WHOLE)
        layer = next(h for h, bound in enumerate(accumulate(self.weights)) if drawn < bound)
        z = self.laws[layer].perturb(code // self.widths[layer], source)
        return layer << 8 * self.inner_bytes | z

    def probability(self, y: int, code: int) -> Fraction:
        layer, z = divmod(y, 1 << 8 * self.inner_bytes)
        inner = self.laws[layer].probability(z, code // self.widths[layer])
        return Fraction(self.weights[layer], WHOLE) * inner
