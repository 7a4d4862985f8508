"""A statistic of the registry with its options, as the address of its page states them.

The address has everything that was chosen, so whoever has a token sees the same by the same link;
the token is never in it. What does not fit the statistic is left out, so that it can be changed
without a script: the rest stays as it was, as far as it means something.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self
from urllib.parse import urlencode

from discretion.errors import EstimateError, UnknownAttribute, UnknownRound
from discretion.plan import Plan
from discretion.statistics import STATISTICS, Option, Statistic, first_of, kinds_of
from discretion.statistics.statistic import BY
from discretion.web.dashboard.choice import LONGEST, MOST_CANDIDATES

CONFIDENCE = "95"  # per cent
LONGEST_TEXT = 4000  # letters that are read of a field
MOST_NAMES = 16
GIVEN = BY[1]
Given = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What somebody wants to know, and how she wants to see it."""

    statistic: Statistic
    names: tuple[str, ...]  # attributes: one, or for joint tables some
    rounds: tuple[int, ...]  # as many as it takes: one, two to compare, or none if it is of all
    texts: Mapping[str, str] = field(default_factory=dict)  # options, as they were written
    confidence: str = CONFIDENCE
    measure: str = ""  # which of several is drawn: row per cent, say
    sort: str = ""  # a column; with a minus before it the largest first
    find: str = ""  # text that rows have

    @classmethod
    def of(cls, plan: Plan, rounds: Sequence[int], newest: int, given: Given) -> Self:
        """Read an address; a round or an attribute that is not there is refused."""
        known = dict(given)
        wanted = [value for name, value in given if name == "attribute" and value]
        names = tuple(dict.fromkeys(wanted or [next(iter(plan.names))]))[:MOST_NAMES]
        for name in names:
            if name not in plan.names:
                raise UnknownAttribute(name, plan.names)
        statistic = _statistic(plan, names[0], known.get("statistic", ""))
        names = names if statistic.several else names[:1]
        chosen = _rounds(statistic, rounds, newest, known)
        fitting = dict(fields_of(plan, statistic, names, known))
        texts = {
            name: value[:LONGEST_TEXT]
            for name, value in given
            if value and name in fitting and value != fitting[name].default
        }
        seen = {name: known.get(name, "")[:LONGEST_TEXT] for name in ("measure", "sort", "find")}
        confidence = known.get("confidence") or CONFIDENCE
        return cls(statistic, names, chosen, texts, confidence[:LONGEST], **seen)

    @property
    def about(self) -> str | list[str]:
        """What the statistic takes: a name, or a list of them."""
        return [*self.names] if self.statistic.several else self.names[0]

    @property
    def by(self) -> str:
        """The attribute whose values are the groups, if any is."""
        return self.texts.get(BY[0], "")

    def values(self) -> dict[str, object]:
        """Return what the process that works it out is asked; what cannot be read is refused."""
        found: dict[str, object] = {"statistic": self.statistic.name, "about": self.about}
        found["confidence"] = self._confidence()
        for option in self.statistic.options:
            value = self._value(option)
            if value is not None:
                found[option.name] = value
        return found | self.named

    @property
    def named(self) -> dict[str, int]:
        """The rounds by the names that the statistic has for them."""
        return dict(zip(self.statistic.span.rounds, self.rounds, strict=False))

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The whole choice as the fields of a form; what nobody chose is left out."""
        found = [("statistic", self.statistic.name)]
        found += [("attribute", name) for name in self.names]
        found += [(name, str(round)) for name, round in self.named.items()]
        found += [*self.texts.items()]
        seen = {"measure": self.measure, "sort": self.sort, "find": self.find}
        if self.confidence != CONFIDENCE:
            seen["confidence"] = self.confidence
        return [*found, *((name, value) for name, value in seen.items() if value)]

    def address(self, root: str = "analysis", **changes: Any) -> str:
        """Return where it is shown, with some of it changed.

        A statistic of other rounds is asked of those that are named if none is.
        """
        if changes.get("statistic", self.statistic).span != self.statistic.span:
            changes["rounds"] = ()
        return f"{root}?{urlencode(replace(self, **changes).fields)}"

    def _confidence(self) -> float:
        try:
            confidence = float(self.confidence) / 100
        except ValueError:
            confidence = 0.0
        if not 0 < confidence < 1:
            rule = "confidence must be a percentage between 0 and 100"
            raise EstimateError(f"{rule}, got {self.confidence!r}")
        return round(confidence, 6)

    def _value(self, option: Option) -> object:
        if option.paired:
            return dict(self._pairs(option)) or None
        written = self.texts.get(option.name, "").strip()
        if not written:
            return None
        if option.type in (list[str], list[str] | None):
            lines = (line.strip() for line in written.splitlines())
            return [*dict.fromkeys(filter(None, lines))][:MOST_CANDIDATES]
        return option.read(written)

    def _pairs(self, option: Option) -> Iterator[tuple[str, object]]:
        for field_, text in self.texts.items():
            named, colon, name = field_.partition(":")
            if colon and named == option.name:
                try:
                    yield name, option.part(text)
                except ValueError:
                    said = f"{option.name} of {name} cannot be {text!r}: {option.help}"
                    raise EstimateError(said) from None


def fields_of(
    plan: Plan, statistic: Statistic, names: Sequence[str], known: Mapping[str, str]
) -> Iterator[tuple[str, Option]]:
    """Yield the fields of a statistic's options: of those for each attribute, one for each."""
    kinds = [kind for name in names for kind in kinds_of(plan, name)]
    for option in statistic.options:
        if option.choices is not None and not option.values(*kinds):
            continue
        if option.name in statistic.span.rounds:
            continue
        if not option.paired:
            yield option.name, option
            continue
        for name in tabled(plan):
            if option.name == GIVEN and name not in names and name != known.get(BY[0]):
                yield f"{GIVEN}:{name}", option
            elif option.name != GIVEN and _binned(plan, name, statistic, names, known):
                yield f"{option.name}:{name}", option


def tabled(plan: Plan) -> list[str]:
    """Return the attributes that can be in a table, so that they can also make groups."""
    return [name for name in plan.attributes if STATISTICS["joint"].applies(plan, name)]


def asked_of(plan: Plan, name: str) -> list[Statistic]:
    """Return all statistics that can be asked of an attribute, what is asked first in front."""
    known = [each for each in STATISTICS.values() if each.applies(plan, name)]
    first = first_of(plan.questions[name].kind)
    return sorted(known, key=lambda each: each is not first)


def _binned(
    plan: Plan, name: str, statistic: Statistic, names: Sequence[str], known: Mapping[str, str]
) -> bool:
    """Whether it is a number on an axis of the table that a statistic reads."""
    if not plan.questions[name].numbers:
        return False
    groups = {field.partition(":")[2] for field, text in known.items() if text and ":" in field}
    groups = {*groups, known.get(BY[0], "")} - {""}
    crossed = bool(groups) and statistic.of_shares(plan, names[0])
    return name in groups or (name in names and (statistic.several or crossed))


def _statistic(plan: Plan, name: str, wanted: str) -> Statistic:
    """Return the statistic that is wanted, or of an attribute without it what is asked first."""
    known = asked_of(plan, name)
    if not known:
        parts = " and ".join(plan.questions[name].parts)
        raise EstimateError(f"{name} is a bundle of numbers: ask for {parts}")
    return next((each for each in known if each.name == wanted), known[0])


def _rounds(
    statistic: Statistic, rounds: Sequence[int], newest: int, known: Mapping[str, str]
) -> tuple[int, ...]:
    """Return the rounds that are named; else the newest, and beside it the one before."""
    before = max((each for each in rounds if each != newest), default=newest)
    otherwise = (newest, before) if statistic.span.apart else (before, newest)
    named = statistic.span.rounds
    pairs = zip(named, otherwise if len(named) > 1 else (newest,), strict=False)
    return tuple(_round(known.get(name, ""), rounds, instead) for name, instead in pairs)


def _round(wanted: str, rounds: Sequence[int], otherwise: int) -> int:
    round = int(wanted[:LONGEST]) if wanted.isdecimal() else otherwise
    if round not in rounds:
        raise UnknownRound(round)
    return round
