"""A question: everything that a plan says about one thing that can be reported.

That is an attribute, or a bundle of attributes whose values are one answer.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NoReturn, overload

from discretion.budget.level import level_of, range_of, stratum_of
from discretion.errors import BudgetError, KindError, UnknownAttribute
from discretion.kind import Kind
from discretion.mechanism import (
    BlockLaw,
    CodedLaw,
    Cover,
    Encoding,
    HashedCover,
    Hierarchy,
    Law,
    Matrix,
    NumberLaw,
    Prefixes,
    SketchLaw,
    SupportLaw,
    Variant,
)
from discretion.mechanism.odds import level_above
from discretion.plan.parameters import Family, Parameters
from discretion.randomness import Source
from discretion.render.formats import some
from discretion.schema import Attribute, Numeric
from discretion.schema.attribute import Option
from discretion.schema.holding import OF

REMEMBERED = 4096  # laws of a question, at most


@dataclass(frozen=True)
class Question:
    """An attribute or a bundle, the mechanism that perturbs it, and the levels it may have."""

    attribute: Attribute
    parameters: Parameters
    menu: tuple[int, ...]
    view: bool = False  # whether the policy counts it as one answer, whatever it is about

    def __repr__(self) -> str:
        least, most = self.menu[0] / 1000, self.menu[-1] / 1000
        return f"<Question {self.name!r}: {self.mechanism}, levels {least:g} to {most:g}>"

    @property
    def name(self) -> str:
        return self.attribute.name

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The names of the attributes that an answer is about."""
        return tuple(part.name for part in self.attribute.parts)

    @property
    def counted(self) -> tuple[str, ...]:
        """What the policy counts, each with an equal part of the level: of a view, only itself."""
        return (self.name,) if self.view else self.parts

    @property
    def mechanism(self) -> str:
        """The name of the mechanism."""
        return self.parameters.mechanism

    @property
    def family(self) -> Family:
        """What its reports are."""
        return self.parameters.family

    @property
    def kind(self) -> Kind:
        """As what its reports are estimated."""
        return self.parameters.kind

    @property
    def labels(self) -> tuple[str, ...]:
        """What the codes are called that reports are about; () where they are about no list."""
        return self.attribute.labels if self.parameters.listed else ()

    @property
    def numbers(self) -> tuple[str, ...]:
        """The attributes that reports are decoded to numbers for; () where they are not."""
        return self.parts if self.parameters.decoded else ()

    @property
    def encoding(self) -> Encoding:
        """The codewords, or the buckets, of codes."""
        return self.parameters.encoding or self._refuse(Family.CODEWORDS)

    @property
    def variant(self) -> Variant | None:
        """How the values are private; None: any two alike, by the level."""
        return self.parameters.variant

    @property
    def assigned(self) -> bool:
        """Whether the function of a report comes with the credential."""
        return self.parameters.assigned

    @property
    def kept(self) -> Numeric | None:
        """The number whose rounding a device keeps; None: it is none, or rounded by new coins."""
        number = self.attribute.number
        return number if number is not None and number.kept else None

    @property
    def implied(self) -> bool:
        """Whether nobody is asked it: it is read off the reports about another one."""
        return self.attribute.source != self.name

    def holding(self, label: str) -> "Question":
        """Return whether a set has an item, or a map a key, as the reports about it say."""
        return Question(*self.parameters.holding(self.attribute, label), self.menu)

    @property
    def cohorts(self) -> int:
        """How many cohorts there are, of which a device is in one."""
        return self.parameters.cohorts

    @cached_property
    def ranges(self) -> tuple[Option, ...]:
        """The ranges or lengths an owner may choose from, the default first; () for no choice."""
        return self.attribute.range_menu

    def range_index(self, ends: object) -> int:
        """Return where a range stands on the menu."""
        number = self.attribute.number
        try:
            low, high = (number.point(end) for end in ends)  # type: ignore[union-attr, attr-defined]
            return self.ranges.index((low, high))
        except (AttributeError, TypeError, ValueError):
            listed = ", ".join(f"[{low}, {high}]" for low, high in self.written_ranges)
            rule = f"{self.name}: range must be on the plan's menu ({listed or 'which has none'})"
            raise BudgetError(rule, ends) from None

    def length_index(self, length: object) -> int:
        """Return where a length stands on the menu."""
        lengths = [option for option in self.ranges if isinstance(option, int)]
        if type(length) is not int or length not in lengths:
            listed = ", ".join(map(str, lengths)) or "which has none"
            rule = f"{self.name}: length must be on the plan's menu ({listed})"
            raise BudgetError(rule, length)
        return lengths.index(length)

    @property
    def written_ranges(self) -> list[tuple[str, str]]:
        """The ranges as people write them: numbers, dates or times of day."""
        number = self.attribute.number
        menu = number.range_menu if number else ()
        return [(number.about(low), number.about(high)) for low, high in menu] if number else []

    @cached_property
    def n_bytes(self) -> int:
        """The bytes of a report: the same for every value, level, range and length."""
        indices = range(max(1, len(self.ranges)))
        return max(self.law(stratum_of(self.menu[0], index)).n_bytes for index in indices)

    @cached_property
    def document(self) -> object:
        """The question as it stands in the document of a plan."""
        return self.parameters.document(self.attribute)

    def within(self, range_index: int) -> Attribute:
        """Return what is asked of an owner who chose a range."""
        return self.attribute.within(range_index)

    def concerns(self, part: str) -> bool:
        """Whether its answer may change with that of an attribute: a part, or one that decides."""
        return part in self.parts or part in self.attribute.depends_on

    def answer(self, record: Mapping[str, object], range_index: int = 0) -> str:
        """Return the exact identity of a record's answer; what a device remembers by."""
        return self.within(range_index).answer(self.attribute.value(record))

    def encode(self, answer: str, range_index: int, source: Source) -> int:
        """Return the code of an answer, by a coin where it lies between two."""
        return self.within(range_index).encode(answer, source)

    @overload
    def law(self, stratum: int) -> Law: ...
    @overload
    def law(self, stratum: int, family: Literal[Family.SETS]) -> SupportLaw: ...
    @overload
    def law(self, stratum: int, family: Literal[Family.CODEWORDS]) -> CodedLaw: ...
    @overload
    def law(self, stratum: int, family: Literal[Family.COLUMNS]) -> Matrix: ...
    @overload
    def law(self, stratum: int, family: Literal[Family.SKETCHES]) -> SketchLaw: ...
    @overload
    def law(self, stratum: int, family: Literal[Family.PREFIXES]) -> Prefixes: ...
    @overload
    def law(self, stratum: int, family: Literal[Family.NUMBERS]) -> NumberLaw: ...
    @overload
    def law(self, stratum: int, family: Literal[Family.INTERVALS]) -> Hierarchy: ...
    @overload
    def law(self, stratum: int, family: Literal[Family.BLOCKS]) -> BlockLaw: ...
    @overload
    def law(self, stratum: int, family: Literal[Family.COVERS]) -> Cover: ...
    @overload
    def law(self, stratum: int, family: Literal[Family.CELLS]) -> HashedCover: ...
    @overload
    def law(self, stratum: int, family: Family) -> Law: ...

    def law(self, stratum: int, family: Family | None = None) -> Law:
        """Return the exact law of a report in a stratum: at a level, in a range.

        With a family, that family's law; a question of another one is refused. Laws are remembered:
        a device and a reader of reports ask for the same few over and over.
        """
        if family is not None and family is not self.family:
            self._refuse(family)
        found = self._laws.get(stratum)
        if found is None:
            found = self.parameters.law(self.within(range_of(stratum)), level_of(stratum))
            if len(self._laws) < REMEMBERED:
                self._laws[stratum] = found
        return found

    def perturb(self, answer: str, stratum: int, source: Source) -> int:
        """Draw what a new device sends about an answer: first the code, then the law."""
        code = self.encode(answer, range_of(stratum), source)
        return self.law(stratum).perturb(code, source)

    def cost(self, stratum: int) -> int:
        """Return the thousandths of epsilon that an answer costs when it is drawn.

        The level bounds how far any two values are distinguished. A variant's bounds only some
        pairs, so there it is the least c >= 1 with e^(c / 1000) >= the largest ratio of the law.
        """
        if self.variant is None:
            return level_of(stratum)
        return level_above(self.law(stratum).ratio)

    @cached_property
    def _laws(self) -> dict[int, Law]:
        return {}

    def refused(self, wanted: str) -> KindError:
        """Return the error that says what reports would have to be, and what to ask instead."""
        return KindError(self.name, self.mechanism, wanted, self.kind.functions)

    def _refuse(self, family: Family) -> NoReturn:
        label = family is Family.SETS and not self.parameters.listed
        raise self.refused(Kind.LABELS.noun if label else family.noun)


class Questions(dict[str, Question]):
    """Questions by name; any other name is refused with the list of those that there are.

    ``basket:milk`` is whether the set ``basket`` has the item, which its reports imply.
    """

    def __getitem__(self, name: str) -> Question:
        try:
            return super().__getitem__(name)
        except TypeError:  # a list, say
            raise UnknownAttribute(name, tuple(self)) from None

    def __repr__(self) -> str:
        return f"<Questions {some(self)}>"

    def __missing__(self, name: str) -> Question:
        for end in (i for i, character in enumerate(str(name)) if character == OF):
            asked = self.get(name[:end])
            if asked is not None and asked.attribute.several:
                return asked.holding(name[end + 1 :])
        raise UnknownAttribute(name, tuple(self))

    def check(self, names: Iterable[str]) -> None:
        """Refuse names that are not among them."""
        for name in names:
            self[name]
