"""What a law is: the exact distribution of one attribute's report at one level.

A report about an attribute is an integer ``y``, and every ``y`` names a *support*: the set of codes
it speaks for. Its likelihood is proportional to ``1 + (ratio - 1) * [code in support]``, whatever
the mechanism. Estimators need nothing else, so they never ask which mechanism made a report.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from discretion.randomness import Source


@dataclass(frozen=True, slots=True)
class Inclusion:
    """How probable it is that codes lie in the support of a report."""

    own: Fraction  # the true code: the p of the papers
    other: Fraction  # any other code: their q
    own_pair: Fraction  # the true code and a given other one, both
    other_pair: Fraction  # two given codes, neither of them true, both


class Law(Protocol):
    """Frozen and hashable, so that it can name a group of reports."""

    def __hash__(self) -> int: ...

    @property
    def size(self) -> int:
        """The number of codes."""
        ...

    @property
    def width(self) -> int:
        """The bytes of ``y``: the same at every level."""
        ...

    @property
    def ratio(self) -> Fraction:
        """P(y | code in support) / P(y | code not in it): e to the privacy loss, exactly."""
        ...

    @property
    def inclusion(self) -> Inclusion: ...

    def perturb(self, code: int, source: Source) -> int:
        """Draw ``y`` for a code."""
        ...

    def probability(self, y: int, code: int) -> Fraction:
        """Return P(y | code)."""
        ...

    def possible(self, y: int) -> bool:
        """Whether the law can produce ``y`` at all."""
        ...

    def support(self, y: int) -> int:
        """Return the support as a bit set: bit i is code i."""
        ...

    def outputs(self) -> Iterator[int]:
        """Yield every possible ``y``; for small domains."""
        ...


Mechanism = Callable[[int, int], Law]
"""From a domain's size and a level to the law: the parameters of one of the shapes."""
