"""The plan: what is asked, which budgets may be chosen, by which mechanisms.

Its canonical bytes are the contract and their SHA-256 is its id, which every report carries.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from discretion.budget import Policy
from discretion.errors import PlanError, UnknownAttribute
from discretion.mechanism import Law, law
from discretion.plan.bundles import MECHANISM, check_bundles, read_bundles
from discretion.plan.contract import Contract
from discretion.plan.document import FORMAT, as_author, canonical, write_policy, write_questions
from discretion.plan.field import Field
from discretion.plan.file import read_file
from discretion.plan.policy import read_policy
from discretion.plan.questions import read_questions
from discretion.schema import Attribute, Bundle


@dataclass(frozen=True)
class Plan:
    """A checked plan with all defaults resolved, made by ``load``, ``of`` or ``from_bytes``."""

    name: str
    questions: tuple[tuple[Attribute, str], ...]  # each attribute and its mechanism's name
    policy: Policy
    share_least: int
    secret: bool  # whether reports keep the levels to themselves
    bundles: tuple[Bundle, ...] = ()  # attributes that may be reported as one value

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
        fields = Field(source, "", author).mapping(
            ("name", "attributes", "budget"), ("share", "allocation", "bundles", "contract")
        )
        allocation = fields.get("allocation")
        secret = allocation is not None and allocation.one_of(("disclosed", "secret")) == "secret"
        questions = read_questions(fields["attributes"], secret=secret)
        share_least = 1
        if "share" in fields:
            share = fields["share"].mapping(("least",))
            share_least = share["least"].whole(1, len(questions))
        shares = range(share_least, len(questions) + 1)
        policy = read_policy(fields["budget"], shares)
        bundles: tuple[Bundle, ...] = ()
        if "bundles" in fields:
            attributes = {attribute.name: attribute for attribute, _ in questions}
            bundles = read_bundles(fields["bundles"], attributes, secret=secret)
            check_bundles(fields["bundles"], bundles, policy, shares)
        plan = cls(fields["name"].text(), questions, policy, share_least, secret, bundles)
        if "contract" in fields:
            _check_contract(fields["contract"], plan.contract)
        return plan

    @classmethod
    def from_bytes(cls, data: bytes, source: str = "plan") -> Self:
        """Read a plan's canonical bytes; any other bytes are refused, whatever they mean."""
        try:
            document = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise PlanError(
                source, "plan", f"must be canonical JSON ({error})", data[:40]
            ) from None
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise PlanError(source, "format", f"must be {FORMAT}", data[:40])
        plan = cls.of(as_author(document), source)
        if plan.to_bytes() != data:
            raise PlanError(source, "plan", "must be the canonical bytes", data[:40])
        return plan

    @cached_property
    def document(self) -> dict[str, Any]:
        """The canonical document, ready to be written as JSON."""
        bundles = [[part.name for part in bundle.parts] for bundle in self.bundles]
        return {
            "format": FORMAT,
            "name": self.name,
            "contract": str(self.contract),
            "attributes": write_questions(self.questions),
            **({"bundles": bundles} if bundles else {}),
            "budget": write_policy(self.policy),
            "share": {"least": self.share_least},
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
        return alone | {bundle.name: MECHANISM for bundle in self.bundles}

    def law(self, name: str, level: int) -> Law:
        """Return the exact law of the report about an attribute or a bundle at a level."""
        size = self.attribute(name).size
        return law(self.mechanisms[name], size, level)

    def width(self, name: str) -> int:
        """Return the bytes that an answer has: the same for every value and level."""
        return self.law(name, self.menu(name)[0]).width

    @cached_property
    def _reportable(self) -> Mapping[str, Attribute]:
        return {**self.attributes, **{bundle.name: bundle for bundle in self.bundles}}

    @cached_property
    def _menus(self) -> Mapping[int, tuple[int, ...]]:
        """The levels of so many attributes that are one answer."""
        counts = {1, *(len(bundle.parts) for bundle in self.bundles)}
        return {c: tuple(c * level for level in self.policy.menu_of(c)) for c in counts}


def _check_contract(field: Field, holds: Contract) -> None:
    if field.one_of(list(Contract)) == holds:
        return
    if holds is Contract.RECORD:
        field.fail(
            "must be record in a plan with bundles (each attribute of a bundle is protected by "
            "the bundle's whole budget only)"
        )
    field.fail("must be attribute in a plan without bundles (which promises more than record)")
