"""What a law is: the exact distribution of one attribute's report at one level.

A report about an attribute is an integer ``y``. Estimators interpret it in one of four ways,
so they never ask which mechanism made a report:

- about labels, ``y`` is a *support*, a set of codes: its likelihood is proportional to
  ``1 + (lift - 1) * [code in support]``, whatever the mechanism;
- or ``y`` is *coded*: bits, or quantised bits, of which each code has a few as its codeword. The
  likelihood is a power of a ratio;
- or ``y`` is the column of a *matrix*, which has the likelihoods;
- about numbers, ``y`` is *decoded* to an unbiased estimate of the code.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Protocol

from discretion.mechanism.encoding import Encoding
from discretion.mechanism.form import Form, Inclusion, Piece
from discretion.randomness import Source


class Law(Protocol):
    """Frozen and hashable, so that it can name a group of reports."""

    def __hash__(self) -> int: ...

    @property
    def size(self) -> int:
        """The number of codes."""

    @property
    def n_bytes(self) -> int:
        """The bytes of ``y``: the same at every level."""

    @property
    def form(self) -> Form:
        """What ``y`` can be."""

    @property
    def ratio(self) -> Fraction:
        """The largest P(y | code) / P(y | other code): e to the privacy loss, exactly.

        Of a law with two stages that of the permanent response, hence of all that is ever sent.
        """

    @property
    def cohorts(self) -> int:
        """The number of cohorts; each device is in one."""

    @property
    def permanent(self) -> "Law":
        """The law of the permanent response, of which all that is ever sent is made."""

    @property
    def instant_ratio(self) -> Fraction | None:
        """The largest ratio of what a round sends of two permanent responses.

        None where a round sends the permanent response itself, so that nothing bounds it.
        """

    def for_credential(self, credential: str, plan: str, name: str) -> "Law":
        """Return the law of a device whose hash function comes with a credential, if it has one."""

    def alike(self, code: int, cohort: int) -> int | None:
        """Return what names the permanent response of a device in a cohort to a code.

        Codes with one name have one response, which is drawn, and charged, for the first of them.
        None: each answer has its own.
        """

    def respond(self, code: int, source: Source, cohort: int) -> int:
        """Draw the permanent response of a device in a cohort to a code."""

    def send(self, response: int, source: Source) -> int:
        """Return what a round sends of the permanent response."""

    def perturb(self, code: int, source: Source) -> int:
        """Draw both stages, and the cohort where there are several: ``y`` of a new device."""

    def probability(self, y: int, code: int) -> Fraction:
        """Return P(y | code)."""

    def outputs(self) -> Iterator[int]:
        """Yield every possible ``y``; for small domains."""


class Scored(Protocol):
    """What linear estimates know of a law for labels, or of what is made of its reports."""

    def __hash__(self) -> int: ...

    @property
    def size(self) -> int:
        """The number of codes."""

    @property
    def means(self) -> tuple[Fraction, Fraction]:
        """How often a report speaks for the true code, and for another one; of bits their means."""

    @property
    def noise(self) -> tuple[Fraction, Fraction]:
        """The a and b of ``Inclusion.noise``; of bits, where each code has one of its own."""

    @property
    def extremes(self) -> tuple[int, int]:
        """The fewest codes of a report that speaks for a code, the most of one that does not.

        Of hashed reports a bound: there may be no function that puts just these codes together.
        """


class LabelLaw(Scored, Law, Protocol):
    """A law for labels whose cost to a device is known."""

    @property
    def variances(self) -> tuple[Fraction, Fraction]:
        """The variances of the means."""

    @property
    def random_bytes(self) -> Fraction:
        """How many random bytes a report takes on average, whatever the code: its cost to a device.

        Of a law with two stages, in the first round; the cohort is drawn before.
        """


class SupportLaw(LabelLaw, Protocol):
    """A law for labels: which code is far from which does not matter."""

    @property
    def inclusion(self) -> Inclusion: ...

    @property
    def lift(self) -> Fraction:
        """How much likelier a code in the support makes what a round sends than one outside."""

    @property
    def support_size(self) -> int | None:
        """The number of codes in every support; None where others join the true one by chance."""

    @property
    def repeats(self) -> bool:
        """Whether several outputs may have the same support."""

    def support(self, y: int) -> int:
        """Return the support as a bit set: bit i is code i."""


class CodedLaw(LabelLaw, Protocol):
    """A law for labels that sends bits, each drawn by itself, and the cohort in those above.

    All codewords have equally many bits, so the likelihood of a code is proportional to the lift to
    the power of the number of bits that are set in its codeword. Quantised bits are fractions of a
    one: the exponent is then their sum.
    """

    @property
    def encoding(self) -> Encoding:
        """Which bits each code has."""

    @property
    def lift(self) -> Fraction:
        """How much more likely a set bit makes the codes whose codeword has it."""


class Decodable(Protocol):
    """What analysts ask of a report about a number on a grid, of which the code counts the steps.

    Also of one that was never drawn by itself, such as a bundle's marginal for one of its parts.
    """

    def __hash__(self) -> int: ...

    @property
    def size(self) -> int:
        """The number of codes."""

    @property
    def n_outputs(self) -> int:
        """The number of outputs: ``y`` is 0 to n_outputs - 1."""

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """How outputs are decoded, so that the mean given any code is that code, exactly.

        Empty where no decoding does that; such a law is for likelihoods only.
        """

    def probability(self, y: int, code: int) -> Fraction:
        """Return P(y | code)."""

    def variance(self, code: int) -> Fraction:
        """Return the variance of the decoded report about a code, in squared steps."""

    @property
    def rounds(self) -> bool:
        """Whether codes are rounded to a few, which adds noise between these.

        The variance of any other law is a parabola in the code.
        """


class NumberLaw(Law, Decodable, Protocol):
    """A law for numbers on a grid."""


class SketchLaw(LabelLaw, Protocol):
    """A law for texts, whose reports are counted by the columns of each cohort: buckets or bits."""

    @property
    def columns(self) -> int: ...

    @property
    def bucket_means(self) -> tuple[Fraction, Fraction]:
        """How often a report speaks for the bucket of the text, and for another one."""

    @property
    def signed(self) -> bool:
        """Whether a report has a sign for every bucket."""


class BlockLaw(Law, Protocol):
    """A law for a bundle of numbers at a few levels each."""

    def own_level(self, levels: int) -> Fraction:
        """Return how often a report has the own level of one of the numbers, of so many."""


def decode(law: Decodable, y: int) -> Fraction:
    """Return the unbiased estimate of the code."""
    piece = next(piece for piece in law.pieces if piece.start <= y < piece.stop)
    return piece.origin + piece.pitch * y


Mechanism = Callable[[int, int], SupportLaw]
"""From a domain's size and a level to the law: the parameters of one of the shapes."""

NumberMechanism = Callable[[int, int], NumberLaw]
"""The same for numbers; the size is that of the grid."""
