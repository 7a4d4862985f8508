"""What an analyst chose to see, as the address of the page tells it, and what she may choose from.

Everything is a plain form that asks for another page, so it works without a script and can be
bookmarked; names are the author's free text, so they are values and never parts of an address.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Self
from urllib.parse import urlencode

from discretion.errors import UnknownAttribute, UnknownRound
from discretion.plan import Plan

LONGEST = 20  # digits that are read of a round: more than any has


@dataclass(frozen=True, slots=True)
class Choice:
    """The round, one attribute or all, a pair or none, and whether the graph is wanted."""

    round: int
    attribute: str = ""
    one: str = ""
    other: str = ""
    graph: bool = False

    @classmethod
    def of(cls, plan: Plan, rounds: Sequence[int], newest: int, given: Mapping[str, str]) -> Self:
        """Read an address; what the plan does not have is refused."""
        asked = given.get("round", "")
        round = int(asked[:LONGEST]) if asked.isdecimal() else newest
        if round not in rounds:
            raise UnknownRound(round)
        names = {key: given.get(key, "") for key in ("attribute", "one", "other")}
        for name in filter(None, names.values()):
            if name not in plan.names:
                raise UnknownAttribute(name, plan.names)
        return cls(round, **names, graph="graph" in given)

    @property
    def pair(self) -> tuple[str, str] | None:
        """The two attributes whose joint table is wanted."""
        return (self.one, self.other) if self.one and self.other else None

    @property
    def fields(self) -> dict[str, str]:
        """The choice as the fields of a form; what is not chosen is left out."""
        named = {"attribute": self.attribute, "one": self.one, "other": self.other}
        fields = {"round": str(self.round), **{k: v for k, v in named.items() if v}}
        return {**fields, "graph": "yes"} if self.graph else fields

    def address(self, root: str = "dashboard", **changes: object) -> str:
        """Return where the choice is shown, with some of it changed."""
        changed = replace(self, **changes)  # type: ignore[arg-type]
        return f"{root}?{urlencode(changed.fields)}"


@dataclass(frozen=True, slots=True)
class Collected:
    """How many reports there are, in all rounds but for the days, which are those of one."""

    rounds: Mapping[int, str]  # and whether each takes reports
    outcomes: Mapping[str, int]
    refused: Mapping[str, int]  # by reason
    days: Mapping[date, int]  # accepted

    @property
    def kept(self) -> int:
        return self.outcomes["accepted"] - self.outcomes["deleted"]

    @property
    def newest(self) -> int:
        """The newest round that takes reports, or the newest of all."""
        taking = [round for round, state in self.rounds.items() if state == "open"]
        return max(taking or self.rounds)
