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
from discretion.plan.document import FORMAT, as_author, canonical, write_policy, write_questions
from discretion.plan.field import Field
from discretion.plan.file import read_file
from discretion.plan.policy import read_policy
from discretion.plan.questions import read_questions
from discretion.schema import Attribute

CONTRACT = "attribute"  # two records are told apart by at most the budgets of what differs


@dataclass(frozen=True)
class Plan:
    """A checked plan with all defaults resolved, made by ``load``, ``of`` or ``from_bytes``."""

    name: str
    questions: tuple[tuple[Attribute, str], ...]  # each attribute and its mechanism's name
    policy: Policy
    share_least: int
    secret: bool  # whether reports keep the levels to themselves

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
            ("name", "attributes", "budget"), ("share", "allocation", "contract")
        )
        allocation = fields.get("allocation")
        secret = allocation is not None and allocation.one_of(("disclosed", "secret")) == "secret"
        if "contract" in fields:
            fields["contract"].one_of((CONTRACT,))
        questions = read_questions(fields["attributes"], secret=secret)
        share_least = 1
        if "share" in fields:
            share = fields["share"].mapping(("least",))
            share_least = share["least"].whole(1, len(questions))
        policy = read_policy(fields["budget"], range(share_least, len(questions) + 1))
        return cls(fields["name"].text(), questions, policy, share_least, secret)

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
        return {
            "format": FORMAT,
            "name": self.name,
            "contract": CONTRACT,
            "attributes": write_questions(self.questions),
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

    @cached_property
    def attributes(self) -> Mapping[str, Attribute]:
        return {attribute.name: attribute for attribute, _ in self.questions}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.attributes)

    def attribute(self, name: str) -> Attribute:
        if name not in self.attributes:
            raise UnknownAttribute(name, self.names)
        return self.attributes[name]

    @cached_property
    def mechanisms(self) -> Mapping[str, str]:
        return {attribute.name: mechanism for attribute, mechanism in self.questions}

    def law(self, name: str, level: int) -> Law:
        """Return the exact law of an attribute's report at a level."""
        size = self.attribute(name).size
        return law(self.mechanisms[name], size, level)

    def width(self, name: str) -> int:
        """Return the bytes that an answer has: the same for every value and level."""
        return self.law(name, self.policy.menu[0]).width
