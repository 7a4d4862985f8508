"""Inclusion: how often codes are in the support of a report, and what follows from that."""

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Inclusion:
    """How probable it is that codes are in the support of a report."""

    own: Fraction  # the true code: the p of the papers
    other: Fraction  # any other code: their q
    own_pair: Fraction  # the true code and a given other one, both
    other_pair: Fraction  # two given codes, neither of them true, both

    @property
    def noise(self) -> tuple[Fraction, Fraction]:
        """The a and b with which a code of frequency f has, but for f^2, the variance a + b f.

        Of a report's debiased score, brought to sum one: docs/proofs/frequencies.md.
        """
        gap, pairs = self.own - self.other, self.own_pair - self.other_pair
        return (self.other - self.other_pair) / gap**2, (gap - 2 * pairs) / gap**2


class Supporting:
    """What follows from the inclusion, for a law whose reports are sets of codes."""

    __slots__ = ()

    @property
    @abstractmethod
    def inclusion(self) -> Inclusion: ...

    @property
    def support_size(self) -> int | None:
        return None

    @property
    def repeats(self) -> bool:
        return False

    @property
    def means(self) -> tuple[Fraction, Fraction]:
        return self.inclusion.own, self.inclusion.other

    @property
    def variances(self) -> tuple[Fraction, Fraction]:
        own, other = self.means
        return own * (1 - own), other * (1 - other)

    @property
    def noise(self) -> tuple[Fraction, Fraction]:
        return self.inclusion.noise
