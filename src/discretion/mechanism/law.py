"""What a law is: the exact distribution of one attribute's report at one level.

A report about an attribute is an integer ``y``. Estimators interpret it in one of four ways,
so they never ask which mechanism made a report:

- about labels, ``y`` is a *support*, a set of codes: its likelihood is proportional to
  ``1 + (ratio - 1) * [code in support]``, whatever the mechanism;
- or ``y`` is *coded*: bits, or quantised bits, of which each code has a few as its codeword. The
  likelihood is a power of a ratio;
- or ``y`` is the column of a *matrix*, which has the likelihoods;
- about numbers, ``y`` is *decoded* to an unbiased estimate of the code.

A report has two stages. The permanent response to a code is drawn once, remembered and charged.
What a round sends is made of it: as a rule, it is the permanent response itself.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Protocol, Self

from discretion.mechanism.encoding import Encoding
from discretion.randomness import Source


@dataclass(frozen=True, slots=True)
class Form:
    """Any ``n_bits`` low bits, and above them one of ``n_outputs`` numbers from ``first`` on.

    With ``ones``, exactly so many of the bits are set.
    """

    n_outputs: int = 1
    n_bits: int = 0
    ones: int | None = None
    first: int = 0

    def admits(self, y: int) -> bool:
        """Whether ``y`` is possible."""
        if not self.first <= y >> self.n_bits < self.first + self.n_outputs:
            return False
        return self.ones is None or (y & (1 << self.n_bits) - 1).bit_count() == self.ones

    def outputs(self) -> Iterator[int]:
        """Yield every possible ``y``; for small domains."""
        for above in range(self.first, self.first + self.n_outputs):
            for bits in self._bits():
                yield above << self.n_bits | bits

    def _bits(self) -> Iterator[int]:
        if self.ones is None:
            yield from range(1 << self.n_bits)
            return
        for indices in combinations(range(self.n_bits), self.ones):
            yield sum(1 << index for index in indices)


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


class Law(Protocol):
    """Frozen and hashable, so that it can name a group of reports."""

    def __hash__(self) -> int: ...

    @property
    def size(self) -> int:
        """The number of codes."""
        ...

    @property
    def n_bytes(self) -> int:
        """The bytes of ``y``: the same at every level."""
        ...

    @property
    def form(self) -> Form:
        """What ``y`` can be."""
        ...

    @property
    def ratio(self) -> Fraction:
        """The largest P(y | code) / P(y | other code): e to the privacy loss, exactly.

        Of a support law, that of codes in the support to codes outside. Of a law with two stages,
        that of the permanent response, hence of all that is ever sent.
        """
        ...

    @property
    def cohorts(self) -> int:
        """The number of cohorts; each device is in one."""
        ...

    @property
    def permanent(self) -> "Law":
        """The law of the permanent response, of which all that is ever sent is made."""
        ...

    def for_credential(self, credential: str, plan: str, name: str) -> "Law":
        """Return the law of a device whose hash function comes with a credential, if it has one."""
        ...

    def respond(self, code: int, source: Source, cohort: int) -> int:
        """Draw the permanent response of a device in a cohort to a code."""
        ...

    def send(self, response: int, source: Source) -> int:
        """Return what a round sends of the permanent response."""
        ...

    def perturb(self, code: int, source: Source) -> int:
        """Draw both stages, and the cohort where there are several: ``y`` of a new device."""
        ...

    def probability(self, y: int, code: int) -> Fraction:
        """Return P(y | code)."""
        ...

    def outputs(self) -> Iterator[int]:
        """Yield every possible ``y``; for small domains."""
        ...


class OneStage:
    """A law that sends the permanent response in every round, and is the same for all devices."""

    __slots__ = ()

    @property
    def cohorts(self) -> int:
        return 1

    @property
    @abstractmethod
    def form(self) -> Form: ...

    @property
    def permanent(self) -> Self:
        return self

    def for_credential(self, credential: str, plan: str, name: str) -> Self | Law:
        return self

    @abstractmethod
    def perturb(self, code: int, source: Source) -> int: ...

    def respond(self, code: int, source: Source, cohort: int) -> int:
        return self.perturb(code, source)

    def send(self, response: int, source: Source) -> int:
        return response

    def outputs(self) -> Iterator[int]:
        return self.form.outputs()


class ByCohort(OneStage):
    """A law whose permanent response depends on the cohort of the device."""

    __slots__ = ()

    def perturb(self, code: int, source: Source) -> int:
        return self.send(self.respond(code, source, source.below(self.cohorts)), source)

    @abstractmethod
    def respond(self, code: int, source: Source, cohort: int) -> int: ...


class LabelLaw(Law, Protocol):
    """A law for labels whose cost to a device is known."""

    @property
    def random_bytes(self) -> Fraction:
        """How many random bytes a report takes on average, whatever the code: its cost to a device.

        Of a law with two stages, in the first round; the cohort is drawn before.
        """
        ...


class SupportLaw(LabelLaw, Protocol):
    """A law for labels: which code is far from which does not matter."""

    @property
    def inclusion(self) -> Inclusion: ...

    def support(self, y: int) -> int:
        """Return the support as a bit set: bit i is code i."""
        ...


class CodedLaw(LabelLaw, Protocol):
    """A law for labels that sends bits, each drawn by itself, and the cohort in those above.

    All codewords have equally many bits, so the likelihood of a code is proportional to the lift to
    the power of the number of bits that are set in its codeword. Quantised bits are fractions of a
    one: the exponent is then their sum.
    """

    @property
    def encoding(self) -> Encoding:
        """Which bits each code has."""
        ...

    @property
    def means(self) -> tuple[Fraction, Fraction]:
        """The mean of a bit in the code's codeword, and of any other bit."""
        ...

    @property
    def variances(self) -> tuple[Fraction, Fraction]:
        """The variances of the same two bits."""
        ...

    @property
    def lift(self) -> Fraction:
        """How much more likely a set bit makes the codes whose codeword has it."""
        ...


@dataclass(frozen=True, slots=True)
class Piece:
    """Outputs from ``start`` to ``stop - 1``, decoded to ``origin + pitch * y``."""

    start: int
    stop: int
    origin: Fraction
    pitch: Fraction


class Decodable(Protocol):
    """What analysts ask of a report about a number on a grid, of which the code counts the steps.

    Also of one that was never drawn by itself, such as a bundle's marginal for one of its parts.
    """

    def __hash__(self) -> int: ...

    @property
    def size(self) -> int:
        """The number of codes."""
        ...

    @property
    def n_outputs(self) -> int:
        """The number of outputs: ``y`` is 0 to n_outputs - 1."""
        ...

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """How outputs are decoded, so that the mean given any code is that code, exactly.

        Empty where no decoding does that; such a law is for likelihoods only.
        """
        ...

    def probability(self, y: int, code: int) -> Fraction:
        """Return P(y | code)."""
        ...

    def variance(self, code: int) -> Fraction:
        """Return the variance of the decoded report about a code, in squared steps."""
        ...


class NumberLaw(Law, Decodable, Protocol):
    """A law for numbers on a grid."""


def decode(law: Decodable, y: int) -> Fraction:
    """Return the unbiased estimate of the code."""
    piece = next(piece for piece in law.pieces if piece.start <= y < piece.stop)
    return piece.origin + piece.pitch * y


Mechanism = Callable[[int, int], SupportLaw]
"""From a domain's size and a level to the law: the parameters of one of the shapes."""

NumberMechanism = Callable[[int, int], NumberLaw]
"""The same for numbers; the size is that of the grid."""
