"""What a shape need not say: the stages of a report, and what follows from other properties.

The permanent response to a code is drawn once, remembered and charged. What a round sends is made
of it: as a rule, it is the permanent response itself.
"""

from abc import abstractmethod
from collections.abc import Iterator
from fractions import Fraction
from typing import Self

from discretion.mechanism.encoding import Encoding
from discretion.mechanism.form import Form, Inclusion
from discretion.mechanism.law import Law
from discretion.randomness import Source


class OneStage:
    """A law that sends the permanent response in every round, and is the same for all devices."""

    __slots__ = ()

    @property
    def cohorts(self) -> int:
        return 1

    @property
    def rounds(self) -> bool:
        return False

    @property
    @abstractmethod
    def form(self) -> Form: ...

    @property
    def permanent(self) -> Law:
        return self  # type: ignore[return-value]

    @property
    def instant_ratio(self) -> Fraction | None:
        return None

    def for_credential(self, credential: str, plan: str, name: str) -> Self | Law:
        return self

    @abstractmethod
    def perturb(self, code: int, source: Source) -> int: ...

    def alike(self, code: int, cohort: int) -> int | None:
        return None

    def respond(self, code: int, source: Source, cohort: int) -> int:
        return self.perturb(code, source)

    def send(self, response: int, source: Source) -> int:
        return response

    def outputs(self) -> Iterator[int]:
        return self.form.outputs()


class Numbered(OneStage):
    """A law whose outputs are numbered from 0, in one byte unless it says otherwise."""

    __slots__ = ()

    @property
    @abstractmethod
    def n_outputs(self) -> int: ...

    @property
    def n_bytes(self) -> int:
        return 1

    @property
    def form(self) -> Form:
        return Form(self.n_outputs)


class ByCohort(OneStage):
    """A law whose permanent response depends on the cohort of the device."""

    __slots__ = ()

    def perturb(self, code: int, source: Source) -> int:
        return self.send(self.respond(code, source, source.below(self.cohorts)), source)

    @abstractmethod
    def respond(self, code: int, source: Source, cohort: int) -> int: ...


class Supporting:
    """What follows from the inclusion, for a law whose reports are sets of codes."""

    __slots__ = ()

    @property
    @abstractmethod
    def inclusion(self) -> Inclusion: ...

    @property
    @abstractmethod
    def ratio(self) -> Fraction: ...

    @property
    def lift(self) -> Fraction:
        return self.ratio

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


class Encoded:
    """What follows from the encoding, for a law whose reports are bits, or quantised ones."""

    __slots__ = ()

    encoding: Encoding

    @property
    def size(self) -> int:
        return self.encoding.size

    @property
    def cohorts(self) -> int:
        return self.encoding.cohorts

    @property
    def columns(self) -> int:
        """What a cohort's reports are counted by: the bits, or the quantised ones."""
        return self.encoding.bits

    @property
    def extremes(self) -> tuple[int, int]:
        return 1, self.size - 1

    @property
    @abstractmethod
    def means(self) -> tuple[Fraction, Fraction]: ...

    @property
    @abstractmethod
    def variances(self) -> tuple[Fraction, Fraction]: ...

    @property
    def noise(self) -> tuple[Fraction, Fraction]:
        """Of one report about codes that each have a bit of their own.

        Bits are reported independently. With p and q the means and u and v the variances of the
        true code's and another one's, a = v / (p - q)^2 and b = 1 + (u - v) / (p - q)^2.
        """
        if not self.encoding.plain:
            rule = "codewords of several bits, or that share some, have no noise"
            raise TypeError(f"{rule}: {self!r}")
        (own, other), (noise, rest) = self.means, self.variances
        square = (own - other) ** 2
        return rest / square, 1 + (noise - rest) / square
