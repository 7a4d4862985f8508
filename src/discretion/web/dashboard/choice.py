"""What an analyst chose to see of a round, as the address of the page states it.

Everything is a plain form that asks for another page, so it works without a script and can be
bookmarked; names are the author's free text, so they are values and never parts of an address.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Self
from urllib.parse import urlencode

from discretion.errors import UnknownAttribute, UnknownRound
from discretion.plan import Plan
from discretion.statistics import STATISTICS, cards
from discretion.statistics.registry import LONGEST_CANDIDATE

MOST_CANDIDATES = 200  # that an address has room for
LONGEST = 20  # digits that are read of a round: more than any has


@dataclass(frozen=True, slots=True)
class Choice:
    """The round, one attribute or all, whether the graph is wanted, and texts."""

    round: int
    attribute: str = ""
    graph: bool = False
    candidates: tuple[str, ...] = ()  # for texts, whichever are asked for

    @classmethod
    def of(cls, plan: Plan, rounds: Sequence[int], newest: int, given: Mapping[str, str]) -> Self:
        """Read an address; what the plan does not have is refused."""
        asked = given.get("round", "")
        round = int(asked[:LONGEST]) if asked.isdecimal() else newest
        if round not in rounds:
            raise UnknownRound(round)
        attribute = given.get("attribute", "")
        if attribute and attribute not in plan.names:
            raise UnknownAttribute(attribute, plan.names)
        lines = (
            line.strip()[:LONGEST_CANDIDATE] for line in given.get("candidates", "").splitlines()
        )
        texts = tuple(dict.fromkeys(filter(None, lines)))[:MOST_CANDIDATES]
        return cls(round, attribute, graph="graph" in given, candidates=texts)

    @property
    def fields(self) -> dict[str, str]:
        """The choice as the fields of a form; what is not chosen is left out."""
        named = {"attribute": self.attribute, "candidates": "\n".join(self.candidates)}
        fields = {"round": str(self.round), **{k: v for k, v in named.items() if v}}
        return {**fields, "graph": "yes"} if self.graph else fields

    def address(self, root: str = "dashboard", **changes: object) -> str:
        """Return where the choice is shown, with some of it changed."""
        changed = replace(self, **changes)  # type: ignore[arg-type]
        return f"{root}?{urlencode(changed.fields)}"


def texts_of(plan: Plan) -> list[str]:
    """Return the attributes of a plan whose frequencies are those of candidates: texts."""
    named = STATISTICS["frequencies"]
    return [name for name, own in cards(plan) if own is named and own.needed(plan, name)]


@dataclass(frozen=True, slots=True)
class Collected:
    """How many reports there are, in all rounds but for the days, which are those of one."""

    rounds: Mapping[int, str]  # and whether each takes reports
    outcomes: Mapping[str, int]
    refused: Mapping[str, int]  # by reason
    days: Mapping[date, int]  # accepted
    closed_on: Mapping[int, str] = field(default_factory=dict)  # days, by round

    @property
    def kept(self) -> int:
        return self.outcomes["accepted"] - self.outcomes["deleted"]

    @property
    def newest(self) -> int:
        """The newest round that takes reports, or the newest of all."""
        taking = [round for round, state in self.rounds.items() if state == "open"]
        return max(taking or self.rounds)
