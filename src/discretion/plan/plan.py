"""The plan: what is asked, which budgets may be chosen, by which mechanisms.

Its canonical bytes are the contract and their SHA-256 is its id, which every report carries.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Self, cast

from discretion.budget import Policy
from discretion.errors import PlanError
from discretion.plan.again import REPEATS, Again, Groups, read_again, read_groups
from discretion.plan.bundles import (
    Bundled,
    check_alone,
    check_bundles,
    check_variants,
    read_bundles,
)
from discretion.plan.document import FORMAT, as_author, canonical
from discretion.plan.encodings import check_codewords
from discretion.plan.field import Field
from discretion.plan.file import parse_yaml, read_file
from discretion.plan.legibility import check_legible
from discretion.plan.optimal import with_tables, write_tables
from discretion.plan.parameters import Asked
from discretion.plan.policy import Share, check_views, read_policy, read_share
from discretion.plan.question import Question, Questions
from discretion.plan.questions import read_questions
from discretion.plan.views import Views, read_views
from discretion.plan.wording import STATED, Wording, read_wording
from discretion.render.formats import some
from discretion.schema import Attribute, Bundle


class Contract(StrEnum):
    """What an owner's budget promises about her records: ``record`` where there are bundles."""

    ATTRIBUTE = "attribute"
    RECORD = "record"

    @property
    def meaning(self) -> str:
        """What is promised about two records, in a few words."""
        if self is Contract.ATTRIBUTE:
            return "what differs is told apart by at most its budgets"
        return "any two records are told apart by at most the total"


@dataclass(frozen=True, eq=False)
class Plan:
    """A checked plan with all defaults resolved, made by ``load``, ``of`` or ``from_bytes``."""

    name: str
    questions: Questions  # all that can be reported: the attributes, then the bundles
    policy: Policy
    share: Share
    secret: bool  # whether reports keep the levels to themselves
    wording: Wording
    replaces: str | None = None  # the id of the plan whose questions this one words anew
    again: Again = REPEATS  # how devices answer in later rounds
    groups: Groups | None = None  # public random ones, of owners

    def __repr__(self) -> str:
        return f"<Plan {self.name!r}: {some(self.names)}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

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
        if isinstance(author, str):
            raise PlanError(source, "plan", "must be a mapping; Plan.load reads a file", author)
        plan = cls._read(author, source)
        check_legible(plan, source)
        check_codewords(source, plan)
        return plan

    @classmethod
    def from_frame(cls, frame: object, name: str = "survey") -> Self:
        """Propose a plan that asks about the columns of records, as ``discretion plan new`` does.

        A plan is public: labels, ranges and bins that are taken from records can reveal something
        about them. For a real survey take them from public knowledge, such as a census.

        Parameters
        ----------
        frame
            Records in pandas, polars or Arrow, a mapping of columns or a list of rows.
        name
            What the survey is called.

        Returns
        -------
        A plan that asks for every column that can be asked for, and fits all the records.

        Examples
        --------
        >>> import discretion as ds
        >>> plan = ds.Plan.from_frame({"pet": ["cat", "dog"] * 20, "age": list(range(20, 40)) * 2})
        >>> plan.names
        ('pet', 'age')
        """
        propose = import_module("discretion.design.proposal").propose  # on devices it is not there
        return cls.of(parse_yaml(propose(frame, name), name), source=name)

    @classmethod
    def _read(cls, author: object, source: str) -> Self:
        fields = Field(source, "", author).mapping(
            ("name", "attributes", "budget"),
            (
                *("share", "allocation", "bundles", "views", "contract", "tables", "replaces"),
                *("again", "groups", "owners", *STATED),
            ),
        )
        allocation = fields.get("allocation")
        secret = allocation is not None and allocation.one_of(("disclosed", "secret")) == "secret"
        asked = read_questions(fields["attributes"], fields["budget"], secret=secret)
        bundled: tuple[Bundled, ...] = ()
        views: Views | None = None
        if "views" in fields:
            views = _views(fields, asked)
            blocks = [list(block) for block in views.blocks]
            fields["bundles"] = Field(fields["views"].source, "bundles", blocks)
        if "bundles" in fields:
            attributes = {attribute.name: attribute for attribute, _ in asked}
            bundled = read_bundles(fields["bundles"], attributes, secret=secret)
        share, policy = read_share(fields.get("share"), fields["budget"], asked, bundled, views)
        if "bundles" in fields:
            if share.weights:
                check_views(fields["bundles"], bundled, share, policy)
            else:
                check_bundles(fields["bundles"], bundled, policy, share.counts)
            check_alone(fields["bundles"], asked, bundled)
        check_variants(fields["attributes"], asked, bundled)
        asked = with_tables(asked, fields, policy)
        questions = _questions((*asked, *bundled), policy, share)
        replaces = fields["replaces"].identity() if "replaces" in fields else None
        name, wording = fields["name"].text(), read_wording(fields)
        again = read_again(fields["again"], asked) if "again" in fields else REPEATS
        groups = read_groups(fields, again)
        plan = cls(name, questions, policy, share, secret, wording, replaces, again, groups)
        if "contract" in fields:
            _check_contract(fields["contract"], plan.contract)
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
        """The canonical document; what a plan does not use is absent from it."""
        wording = self.wording.document
        return {
            **self._law,
            **({"wording": wording} if wording else {}),
            **({"replaces": self.replaces} if self.replaces else {}),
        }

    @cached_property
    def _law(self) -> dict[str, Any]:
        """The document without what no law depends on."""
        bundles = [self.questions[bundle.name].document for bundle in self.bundles]
        tables = next((own for q in self.questions.values() if (own := q.parameters.tables)), ())
        return {
            "format": FORMAT,
            "name": self.name,
            "contract": str(self.contract),
            "attributes": [self.questions[name].document for name in self.attributes],
            **({"bundles": bundles} if bundles else {}),
            "budget": self.policy.document,
            **({"tables": write_tables(tables)} if tables else {}),
            "share": self.share.document,
            "allocation": "secret" if self.secret else "disclosed",
            **self.again.document,
            **(self.groups.document if self.groups else {}),
        }

    def to_bytes(self) -> bytes:
        return canonical(self.document)

    @cached_property
    def id(self) -> str:
        """SHA-256 of the canonical bytes, in hexadecimal."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    @cached_property
    def law_id(self) -> str:
        """SHA-256 of the canonical bytes without wording: equal where only wording differs."""
        return hashlib.sha256(canonical(self._law)).hexdigest()

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

    @cached_property
    def cohorts(self) -> int:
        """How many cohorts there are, of which a device draws one for all attributes together."""
        own = (each.cohorts for each in self.questions.values() if not each.parameters.apart)
        return max(own, default=1)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all questions: the attributes, then the bundles."""
        return tuple(self.questions)

    @cached_property
    def attributes(self) -> Mapping[str, Attribute]:
        """What is asked, by name; without the bundles."""
        asked = self.questions.items()
        return {name: question.attribute for name, question in asked if len(question.parts) == 1}

    @cached_property
    def bundles(self) -> tuple[Bundle, ...]:
        """The attributes that may be reported as one value."""
        asked = self.questions.values()
        return tuple(cast("Bundle", each.attribute) for each in asked if len(each.parts) > 1)


def _questions(asked: Iterable[Asked | Bundled], policy: Policy, share: Share) -> Questions:
    """Give each question its levels: whole parts of a bundle's are on the policy's menu.

    A view is one answer, whose level is on that menu itself.
    """
    found, views = Questions(), bool(share.weights)
    for attribute, parameters in asked:
        count = len(attribute.parts)
        if views:
            menu = share.menu(count, policy.menu) if count > 1 else policy.menu
        else:
            menu = tuple(count * level for level in policy.menu_of(count))
        found[attribute.name] = Question(attribute, parameters, menu, views)
    return found


def _views(fields: Mapping[str, Field], asked: Sequence[Asked]) -> Views:
    """Return the views of a plan that says how to make them."""
    field = fields["views"]
    if "bundles" in fields:
        field.fail("must not be beside bundles: views are bundles that overlap")
    if "contract" in fields:
        _check_contract(fields["contract"], Contract.RECORD)
    return read_views(field, asked, read_policy(fields["budget"], range(1, 2)))


def _check_contract(field: Field, holds: Contract) -> None:
    """Refuse a contract other than the one that holds, and say why that is."""
    if field.one_of(list(Contract)) == holds:
        return
    if holds is Contract.RECORD:
        field.fail(
            "must be record in a plan with bundles (each attribute of a bundle is protected by "
            "the bundle's whole budget only)"
        )
    field.fail("must be attribute in a plan without bundles (which promises more than record)")
