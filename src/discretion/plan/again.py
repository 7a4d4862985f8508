"""How a device answers in later rounds, which decides what several rounds reveal together.

memo    an answer that was given before is repeated, at no cost: the default
fresh   every round draws anew, and is charged
rotate  as fresh, but an owner answers in one round of every w; she picks w from a public menu

Round numbers are the clock. An owner of phase p answers in the rounds r with r % w == p, so any w
consecutive numbers have one of them, in whatever order rounds come.

Where answers are repeated a plan may have ``groups``: a device draws one of so many once, without
regard to values, and the first byte of the ids of all its reports leaves it when divided by their
number. So analysts see how much whole groups changed, and no owner's reports are linked.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from discretion.plan.field import Field
from discretion.plan.parameters import Asked

MEMO, FRESH, ROTATE = "memo", "fresh", "rotate"
LONGEST = 1000  # rounds between two answers of one owner
SIZES = (16, 32, 64, 128, 256)  # groups: each divides the values of a byte
MOST_OWNERS = 10**10
LEAST_OWNERS = 100  # of a group, as far as is expected


@dataclass(frozen=True, slots=True)
class Again:
    """One of the three ways; ``menu`` has the w that an owner may pick, of ``rotate`` alone."""

    how: str = MEMO
    menu: tuple[int, ...] = ()

    @property
    def repeats(self) -> bool:
        """Whether an answer that was given before is repeated."""
        return self.how == MEMO

    @property
    def document(self) -> dict[str, object]:
        """Return the field of a plan's document, which plans with a memo leave out."""
        if self.repeats:
            return {}
        return {"again": {ROTATE: list(self.menu)} if self.menu else self.how}

    def answers(self, rounds: int, every: int | None = None) -> int:
        """Return how many of so many consecutive rounds an owner answers at most.

        Without ``every``, that of the owner who answers most often.
        """
        every = every or min(self.menu, default=1)
        return -(-rounds // every)


@dataclass(frozen=True, slots=True)
class Groups:
    """How many public random groups there are, and how many owners are expected in all."""

    count: int
    owners: int

    @property
    def bits(self) -> int:
        """What reports of several rounds reveal of their being one owner's."""
        return self.count.bit_length() - 1

    @property
    def each(self) -> int:
        """How many owners are expected to share a group."""
        return self.owners // self.count

    @property
    def document(self) -> dict[str, object]:
        """Return the fields of a plan's document."""
        return {"groups": self.count, "owners": self.owners}

    def of(self, id: bytes) -> int:
        """Return the group that an id reveals."""
        return id[0] % self.count


@dataclass(frozen=True, slots=True)
class Rhythm:
    """When an owner answers: in the rounds whose number leaves the phase when divided."""

    every: int
    phase: int

    def due(self, round: int) -> int:
        """Return the first round from this one on that is hers."""
        return round + (self.phase - round) % self.every


REPEATS = Again()  # what a plan that says nothing does


def read_again(field: Field, asked: Collection[Asked]) -> Again:
    """Return what an author wrote; two stages of randomness make sense with a memo only."""
    again = _read(field)
    if not again.repeats:
        for attribute, parameters in asked:
            if attribute.number is not None and attribute.number.kept:
                field.fail(
                    f"must be memo in a plan with {attribute.name!r}, whose rounding is kept"
                )
            if parameters.staged:
                rule = "whose permanent answer is to be remembered"
                field.fail(f"must be memo in a plan with {attribute.name!r}, {rule}")
    return again


def read_groups(fields: Mapping[str, Field], again: Again) -> Groups | None:
    """Return the groups of a plan, if it has any: they need a memo and many owners."""
    if "groups" not in fields:
        if "owners" in fields:
            fields["owners"].fail("must stand beside groups: it is how many owners are expected")
        return None
    field = fields["groups"]
    count = field.whole(SIZES[0], SIZES[-1])
    if count not in SIZES:
        field.fail(f"must be one of {', '.join(map(str, SIZES))}")
    if not again.repeats:
        field.fail("must be in a plan with again: memo; otherwise rounds are independent")
    if "owners" not in fields:
        field.fail("must stand beside owners: how many are expected to answer")
    owners = fields["owners"]
    found = Groups(count, owners.whole(1, MOST_OWNERS))
    if found.each < LEAST_OWNERS:
        least = LEAST_OWNERS * count
        owners.fail(f"must be {least:,} or more: {LEAST_OWNERS} in each of {count} groups")
    return found


def _read(field: Field) -> Again:
    if not isinstance(field.value, dict):
        return Again(field.one_of((MEMO, FRESH)))
    listed = field.mapping((ROTATE,))[ROTATE]
    menu = tuple(item.whole(2, LONGEST) for item in listed.items())
    if list(menu) != sorted(set(menu)):
        listed.fail("must rise")
    return Again(ROTATE, menu)
