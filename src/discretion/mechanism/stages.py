"""The stages of a report, and what a law need not say about them.

The permanent response to a code is drawn once, remembered and charged. What a round sends is made
of it: as a rule, it is the permanent response itself.
"""

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Self

from discretion.mechanism.form import Form
from discretion.randomness import Source

if TYPE_CHECKING:
    from discretion.mechanism.law import Law


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
    def permanent(self) -> Self:
        return self

    def for_credential(self, credential: str, plan: str, name: str) -> "Self | Law":
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
