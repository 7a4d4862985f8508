"""Several attributes as one: a value is a cell of their table, reported with one level.

A cell is reported as a whole, so its codes are those of the table in row-major order, the last part
fastest: with sizes 2 and 3, the cell (1, 0) has code 3.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Self

from discretion.errors import RecordError
from discretion.randomness import Source
from discretion.schema.attribute import Attribute, Ends, Misfit, ends_of

if TYPE_CHECKING:
    from discretion.schema.conditional import Condition

JOINT = "+"  # between the names of the parts, in the name of the bundle


@dataclass(frozen=True)
class Bundle:
    """Two or more attributes whose cell is one answer; a value is the values of the parts."""

    parts: tuple[Attribute, ...]

    @cached_property
    def name(self) -> str:
        return JOINT.join(part.name for part in self.parts)

    @property
    def source(self) -> str:
        return self.name

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(part.size for part in self.parts)

    @property
    def size(self) -> int:
        return prod(self.sizes)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple(", ".join(cell) for cell in product(*(part.labels for part in self.parts)))

    @property
    def range_menu(self) -> tuple[Ends, ...]:
        return ()

    def within(self, range_index: int) -> Self:
        return self

    @property
    def several(self) -> bool:
        return False

    @property
    def cut(self) -> str:
        return ""

    @property
    def conditions(self) -> "tuple[Condition, ...]":
        return ()

    @property
    def depends_on(self) -> frozenset[str]:
        return frozenset().union(*(part.depends_on for part in self.parts))

    def needs(self, record: Mapping[str, object]) -> Iterator[str]:
        for part in self.parts:
            yield from part.needs(record)

    def value(self, record: Mapping[str, object]) -> object:
        return [part.value(record) for part in self.parts]

    @property
    def ends(self) -> tuple[object, object]:
        pairs = [part.ends for part in self.parts]
        return tuple(low for low, _ in pairs), tuple(high for _, high in pairs)

    @property
    def number(self) -> None:
        return None

    @property
    def quantity(self) -> None:
        return None

    @property
    def listed(self) -> bool:
        return all(part.listed for part in self.parts)

    @property
    def ordered(self) -> bool:
        return False

    @property
    def domain(self) -> str:
        return ends_of(self.labels)

    @property
    def otherwise(self) -> str:
        return "as its parts"

    @property
    def document(self) -> dict[str, Any]:
        return {"attributes": [part.name for part in self.parts]}

    def cell(self, codes: Sequence[int]) -> int:
        """Return the code of the cell that the codes of the parts make, which may be arrays."""
        code = 0
        for part, own in zip(self.parts, codes, strict=True):
            code = code * part.size + own
        return code

    def answer(self, value: object) -> str:
        values = self._values(value)
        return json.dumps([p.answer(v) for p, v in zip(self.parts, values, strict=True)])

    def encode(self, answer: str, source: Source) -> int:
        answers = json.loads(answer)
        return self.cell([p.encode(a, source) for p, a in zip(self.parts, answers, strict=True)])

    def code(self, value: object) -> int:
        values = self._values(value)
        return self.cell([p.code(v) for p, v in zip(self.parts, values, strict=True)])

    def misfit(self, value: object) -> Misfit | None:
        found = (p.misfit(v) for p, v in zip(self.parts, self._values(value), strict=True))
        return next(filter(None, found), None)

    def instead(self, misfit: Misfit) -> str:
        return self.otherwise

    @property
    def edged(self) -> bool:
        return False

    @property
    def assumed(self) -> bool:
        return any(part.assumed for part in self.parts)

    def _values(self, value: object) -> Sequence[object]:
        if not isinstance(value, list | tuple) or len(value) != len(self.parts):
            raise RecordError(self.name, f"must be {len(self.parts)} values, one a part", value)
        return value


@dataclass(frozen=True)
class Quadrants(Bundle):
    """Numbers in parts, powers of two, whose cells are ordered by the bits of all parts in turns.

    So the cells of each run that a tree has at a depth are a box. Turns begin with the number that
    has most bits; when another one has no bits left, the rest go on.
    """

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The part that each bit of a code is of, the most significant one first."""
        left = [size.bit_length() - 1 for size in self.sizes]
        order = sorted(range(len(left)), key=lambda i: -left[i])
        rounds = ([i for i in order if left[i] > turn] for turn in range(max(left)))
        return tuple(i for each in rounds for i in each)

    @property
    def listed(self) -> bool:
        return False

    @property
    def domain(self) -> str:
        return f"{' x '.join(map(str, self.sizes))} boxes"

    def cell(self, codes: Sequence[int]) -> int:
        left, code = [size.bit_length() - 1 for size in self.sizes], 0 * codes[0]
        for i in self.turns:
            left[i] -= 1
            code = code << 1 | (codes[i] >> left[i] & 1)
        return code
