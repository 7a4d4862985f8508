"""The plan: what is asked, which budgets may be chosen, by which mechanisms.

Its canonical bytes are the contract and their SHA-256 is its id, which every report carries.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from discretion.budget import Policy
from discretion.budget.grade import level_of, place_of
from discretion.errors import BudgetError, KindError, PlanError, UnknownAttribute
from discretion.mechanism import (
    CODED,
    NUMBERS,
    OPEN,
    OPTIMAL,
    CodedLaw,
    Coding,
    Law,
    Matrix,
    NumberLaw,
    SupportLaw,
    Table,
    Variant,
    law,
    matrix_law,
    number_law,
)
from discretion.mechanism.halfspace import signs
from discretion.plan.assignment import read_assigned
from discretion.plan.bundles import Bundled, check_bundles, read_bundles, write_bundles
from discretion.plan.codings import Codings, check_words, plain_coding
from discretion.plan.contract import Contract, check_contract
from discretion.plan.document import FORMAT, as_author, canonical, write_policy, write_questions
from discretion.plan.field import Field
from discretion.plan.file import read_file
from discretion.plan.legibility import check_legible
from discretion.plan.questions import LABELS, read_questions
from discretion.plan.sampling import Share, read_share
from discretion.plan.tables import Tables, read_tables, write_tables
from discretion.plan.variants import Variants, read_variants
from discretion.schema import Attribute, Bundle, Coarse, Numeric, Text
from discretion.schema.numeric import exact

REMEMBERED = 4096  # laws of a plan, at most


@dataclass(frozen=True)
class Plan:
    """A checked plan with all defaults resolved, made by ``load``, ``of`` or ``from_bytes``."""

    name: str
    questions: tuple[tuple[Attribute, str], ...]  # each attribute and its mechanism's name
    policy: Policy
    share: Share
    secret: bool  # whether reports keep the levels to themselves
    bundled: tuple[Bundled, ...] = ()  # attributes that may be reported as one value, and how
    tables: Tables = ()  # of optimal mechanisms, by level
    codings: Codings = ()  # the words of attributes that have some
    variants: Variants = ()  # what is stated of attributes that are private in another way
    assigned: tuple[str, ...] = ()  # attributes whose hash function comes with the credential

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read an author's YAML or JSON, or the canonical JSON that devices get."""
        content = read_file(Path(path))
        if isinstance(content, dict) and "format" in content:
            return cls.from_bytes(Path(path).read_bytes(), source=str(path))
        return cls.of(content, source=str(path))

    @classmethod
    def of(cls, author: object, source: str = "plan") -> Self:
        """Check a plan as its author writes it, and resolve what was left out."""
        plan = cls._read(author, source)
        check_legible(plan, source)
        check_words(source, plan.questions, plan.codings)
        return plan

    @classmethod
    def _read(cls, author: object, source: str) -> Self:
        fields = Field(source, "", author).mapping(
            ("name", "attributes", "budget"),
            ("share", "allocation", "bundles", "contract", "tables"),
        )
        allocation = fields.get("allocation")
        secret = allocation is not None and allocation.one_of(("disclosed", "secret")) == "secret"
        questions, codings = read_questions(fields["attributes"], fields["budget"], secret=secret)
        bundled: tuple[Bundled, ...] = ()
        if "bundles" in fields:
            attributes = {attribute.name: attribute for attribute, _ in questions}
            bundled = read_bundles(fields["bundles"], attributes, secret=secret)
        share, policy = read_share(fields.get("share"), fields["budget"], questions, bundled)
        if "bundles" in fields:
            check_bundles(fields["bundles"], bundled, policy, share.counts)
        tables = read_tables(fields, questions, policy)
        variants = read_variants(fields["attributes"], questions, bundled)
        stated = tables, codings, variants, read_assigned(fields["attributes"], questions)
        plan = cls(fields["name"].text(), questions, policy, share, secret, bundled, *stated)
        if "contract" in fields:
            check_contract(fields["contract"], plan.contract)
        return plan

    @classmethod
    def from_bytes(cls, data: bytes, source: str = "plan") -> Self:
        """Read a plan's canonical bytes; any other bytes are refused, whatever they mean.

        Rules for authors that no law depends on are not checked again: labels may look alike, and
        words of coded values may be the same.
        """
        try:
            document = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise PlanError(
                source, "plan", f"must be canonical JSON ({error})", data[:40]
            ) from None
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise PlanError(source, "format", f"must be {FORMAT}", data[:40])
        plan = cls._read(as_author(document), source)
        if plan.to_bytes() != data:
            raise PlanError(source, "plan", "must be the canonical bytes", data[:40])
        return plan

    @cached_property
    def document(self) -> dict[str, Any]:
        """The canonical document, ready to be written as JSON."""
        return {
            "format": FORMAT,
            "name": self.name,
            "contract": str(self.contract),
            "attributes": write_questions(
                self.questions, self.codings, self.variants, self.assigned
            ),
            **({"bundles": write_bundles(self.bundled)} if self.bundled else {}),
            "budget": write_policy(self.policy),
            **({"tables": write_tables(self.tables)} if self.tables else {}),
            "share": self.share.document,
            "allocation": "secret" if self.secret else "disclosed",
        }

    def to_bytes(self) -> bytes:
        return canonical(self.document)

    @cached_property
    def id(self) -> str:
        """SHA-256 of the canonical bytes, in hexadecimal."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    @property
    def contract(self) -> Contract:
        """What is promised about two records; with bundles it is weaker."""
        return Contract.RECORD if self.bundles else Contract.ATTRIBUTE

    @property
    def share_least(self) -> int:
        """How many attributes an owner shares at least."""
        return self.share.least

    @property
    def sample(self) -> int | None:
        """How many questions a device draws and reports; None: the owner chooses."""
        return self.share.sample

    @property
    def cohorts(self) -> int:
        """How many cohorts there are, of which a device draws one."""
        return max((coding.cohorts for _, coding in self.codings), default=1)

    @cached_property
    def bundles(self) -> tuple[Bundle, ...]:
        """The attributes that may be reported as one value."""
        return tuple(bundle for bundle, _ in self.bundled)

    @cached_property
    def attributes(self) -> Mapping[str, Attribute]:
        """What is asked, by name; without the bundles."""
        return {attribute.name: attribute for attribute, _ in self.questions}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All that can be reported: the attributes, then the bundles."""
        return (*self.attributes, *(bundle.name for bundle in self.bundles))

    def attribute(self, name: str) -> Attribute:
        """Return an attribute or a bundle."""
        if name not in self._reportable:
            raise UnknownAttribute(name, self.names)
        return self._reportable[name]

    def parts(self, name: str) -> tuple[str, ...]:
        """Return the attributes that a name stands for: itself, or those of the bundle."""
        found = self.attribute(name)
        return tuple(part.name for part in found.parts) if isinstance(found, Bundle) else (name,)

    def menu(self, name: str) -> tuple[int, ...]:
        """Return the levels that a name may have: of a bundle, whole parts are on the policy's."""
        return self._menus[len(self.parts(name))]

    @cached_property
    def mechanisms(self) -> Mapping[str, str]:
        """The mechanism of each attribute and bundle."""
        alone = {attribute.name: mechanism for attribute, mechanism in self.questions}
        return alone | {bundle.name: mechanism for bundle, mechanism in self.bundled}

    def question(self, name: str, place: int = 0) -> Attribute:
        """Return an attribute as it is answered in one of its ranges, or a bundle."""
        found = self.attribute(name)
        return found.within(place) if isinstance(found, Numeric) else found

    def ranges(self, name: str) -> tuple[tuple[Fraction, Fraction], ...]:
        """Return the ranges an owner may choose from, the whole one first; () for no choice."""
        self.attribute(name)
        return self._ranges.get(name, ())

    def place(self, name: str, ends: object) -> int:
        """Return the place of a range on the menu of an attribute."""
        menu = self.ranges(name)
        try:
            low, high = (exact(end) for end in ends)  # type: ignore[attr-defined]
            return menu.index((low, high))
        except (TypeError, ValueError):
            listed = ", ".join(f"[{float(a):.12g}, {float(b):.12g}]" for a, b in menu)
            rule = f"{name}: range must be on the plan's menu ({listed or 'which has none'})"
            raise BudgetError(rule, ends) from None

    def law(self, name: str, grade: int) -> Law:
        """Return the exact law of the report about an attribute or a bundle at a grade.

        A grade is a level, and where an owner chose a range, that too. Laws are remembered:
        a device and a reader of reports ask for the same few over and over.
        """
        found = self._laws.get((name, grade))
        if found is None:
            found = self._law(name, grade)
            if len(self._laws) < REMEMBERED:
                self._laws[name, grade] = found
        return found

    def _law(self, name: str, grade: int) -> Law:
        if self.is_text(name):
            return OPEN[self.mechanisms[name]](self.coding(name), grade)
        if self.is_coded(name):
            return self.coded_law(name, grade)
        if self.is_matrix(name):
            return self.matrix_law(name, grade)
        if self.is_label(name):
            return self.support_law(name, grade)
        if self.is_number(name):
            return self.number_law(name, grade)
        size, mechanism = self.attribute(name).size, self.mechanisms[name]
        return signs(size, grade) if mechanism == "duchi" else law(mechanism, size, grade)

    def support_law(self, name: str, level: int) -> SupportLaw:
        """Return the law of a report that is a set of codes."""
        if not self.is_label(name):
            raise KindError(name, self.mechanisms[name], "a label")
        if self.is_coded(name) or self.is_matrix(name):
            raise KindError(name, self.mechanisms[name], "a set of codes")
        return law(self.mechanisms[name], self.attribute(name).size, level)

    def coded_law(self, name: str, level: int) -> CodedLaw:
        """Return the law of a report that is bits, of which each code has some as its word."""
        if not self.is_coded(name):
            raise KindError(name, self.mechanisms[name], "bits of words")
        return CODED[self.mechanisms[name]](self.coding(name), level)

    def coding(self, name: str) -> Coding:
        """Return the words, or the cells, that stand in the plan; else a digit for each code."""
        stated = dict(self.codings)
        if name in stated:
            return stated[name]
        return plain_coding(self.mechanisms[name], self.attribute(name).size)

    def matrix_law(self, name: str, level: int) -> Matrix:
        """Return the law of a report that is the column of a matrix."""
        variant = self.variant(name)
        if variant is None:
            raise KindError(name, self.mechanisms[name], "a column of a matrix")
        return matrix_law(variant, level)

    def variant(self, name: str) -> Variant | None:
        """Return how the values of an attribute are private; None: any two alike, by the level."""
        return dict(self.variants).get(self.attribute(name).name)

    def number_law(self, name: str, grade: int) -> NumberLaw:
        """Return the law of a report about a number."""
        if not self.is_number(name):
            raise KindError(name, self.mechanisms[name], "a number")
        level, size = level_of(grade), self.question(name, place_of(grade)).size
        if self.mechanisms[name] == OPTIMAL:
            return Table(size, dict(self.tables)[level])
        return number_law(self.mechanisms[name], size, level)

    def is_label(self, name: str) -> bool:
        """Whether reports are about codes: those of labels, bins, and bundles of them."""
        return not self.is_numbers(name) and self.mechanisms[name] in LABELS

    def is_coded(self, name: str) -> bool:
        """Whether reports about codes are bits or digits of words, not sets of codes."""
        return self.mechanisms[self.attribute(name).name] in CODED

    def is_text(self, name: str) -> bool:
        """Whether any text may be the answer; analysts bring candidates."""
        return isinstance(self.attribute(name), Text)

    def is_matrix(self, name: str) -> bool:
        """Whether reports about codes are columns of a matrix, by a variant of local privacy."""
        return self.variant(name) is not None

    def is_number(self, name: str) -> bool:
        """Whether reports are decoded to a number."""
        return not self.is_numbers(name) and self.mechanisms[name] in (*NUMBERS, OPTIMAL)

    def is_numbers(self, name: str) -> bool:
        """Whether it is a bundle of numbers, each told at a few levels."""
        found = self.attribute(name)
        return isinstance(found, Bundle) and isinstance(found.parts[0], Coarse)

    def width(self, name: str) -> int:
        """Return the bytes that an answer has: the same for every value and level."""
        return self.law(name, self.menu(name)[0]).width

    @cached_property
    def _reportable(self) -> Mapping[str, Attribute]:
        return {**self.attributes, **{bundle.name: bundle for bundle in self.bundles}}

    @cached_property
    def _laws(self) -> dict[tuple[str, int], Law]:
        return {}

    @cached_property
    def _ranges(self) -> Mapping[str, tuple[tuple[Fraction, Fraction], ...]]:
        """The ranges of those attributes that have a choice of them."""
        found: dict[str, tuple[tuple[Fraction, Fraction], ...]] = {}
        for name, own in self.attributes.items():
            if isinstance(own, Numeric) and own.ranges:
                pairs = ((own.low, own.high), *own.ranges)
                found[name] = tuple((low * own.unit, high * own.unit) for low, high in pairs)
        return found

    @cached_property
    def _menus(self) -> Mapping[int, tuple[int, ...]]:
        """The levels of so many attributes that are one answer."""
        counts = {1, *(len(bundle.parts) for bundle in self.bundles)}
        return {c: tuple(c * level for level in self.policy.menu_of(c)) for c in counts}
