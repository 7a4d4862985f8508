"""What tables and charts call attributes and values: a plan's wording, in one language.

Frames, files and documents for machines keep names and codes; where people read, they read this.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self, cast

from discretion.plan import Plan
from discretion.plan.wording import Wording
from discretion.render.formats import Write, with_unit
from discretion.render.labels import isolated
from discretion.schema import Moment
from discretion.schema.entries import Entries
from discretion.schema.holding import Holding
from discretion.schema.itemsets import together
from discretion.schema.moment import round_points


@dataclass(frozen=True, slots=True)
class Legend:
    """Words for names and codes; without wording, they stand for themselves."""

    wording: Wording = field(default_factory=Wording)  # in one language
    moments: Mapping[str, Moment] = field(default_factory=dict)  # dates, and times of day
    items: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # the set of each, and code

    @classmethod
    def of(cls, plan: Plan, wanted: Iterable[str] = ()) -> Self:
        """Return the words of a plan in a language that is wanted, or else in its first one."""
        quantities = {name: own.quantity for name, own in plan.attributes.items()}
        moments = {n: cast("Moment", own) for n, own in quantities.items() if own and own.calendar}
        wording = _with_itemsets(plan, plan.wording.within(plan.wording.best(wanted) or ""))
        implied = (each.attribute for each in plan.questions.values() if each.implied)
        parts = (cast("Holding", part) for each in implied for part in each.parts)
        return cls(wording, moments, {part.name: (part.source, part.item) for part in parts})

    def question(self, name: str) -> str:
        """Return what was asked; without a question, the name. An item is called after its set."""
        if name in self.items:
            source, item = self.items[name]
            called = self.question(source), self.label(source, item)
            return name if called == (source, item) else ": ".join(called)
        return isolated(str(self.wording.of(name).question)) or name

    def title(self, name: str) -> str:
        """Return what was asked, and beside it the name that files and addresses have."""
        question = self.question(name)
        return name if question == name else f"{question} ({name})"

    def entry(self, name: str) -> str:
        """Return the name first, as in a list to choose from, and then what was asked."""
        question = self.question(name)
        return name if question == name else f"{name}: {question}"

    def survey(self, name: str) -> str:
        """Return the title of the survey; without one, its name."""
        return isolated(str(self.wording.title)) or name

    def label(self, name: str, code: str) -> str:
        """Return what people call a code."""
        known = self.wording.of(name).labels
        return isolated(str(known[code])) if code in known else code

    def unit(self, name: str) -> str:
        """Return the unit of a number, or nothing."""
        return isolated(str(self.wording.of(name).unit))

    def write(self, name: str, write: Write) -> Write:
        """Return how numbers are written: with their unit, or as dates or times of day."""
        moment = self.moments.get(name)
        return with_unit(write, self.unit(name)) if moment is None else moment.write

    def bare(self, name: str, write: Write) -> Write:
        """Return how numbers are written where their unit stands above them."""
        moment = self.moments.get(name)
        return write if moment is None else moment.write

    def ticks(self, name: str, low: float, high: float) -> list[float] | None:
        """Return round dates, or times of day, for an axis; None for plain numbers."""
        moment = self.moments.get(name)
        return None if moment is None else round_points(moment, low, high)

    def difference(self, name: str, write: Write) -> Write:
        """Return how differences of numbers are written."""
        moment = self.moments.get(name)
        return with_unit(write, self.unit(name) if moment is None else moment.difference)


def _with_itemsets(plan: Plan, wording: Wording) -> Wording:
    """Return a wording in which itemsets are called after what their items are called."""
    said = dict(wording.attributes)
    for name, asked in plan.attributes.items():
        if asked.several and name in said and said[name].labels:
            entries, own = cast("Entries", asked), list(said[name].labels.values())
            pairs = zip(entries.labels, entries.members, strict=False)
            called = {code: together([str(own[i]) for i in places]) for code, places in pairs}
            said[name] = replace(said[name], labels={**said[name].labels, **called})
    return replace(wording, attributes=said)
