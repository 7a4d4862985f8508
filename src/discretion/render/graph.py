"""A graph of named things: an oval with the names outside, a line for each pair that is linked.

Names stand on two sides in rows of their own, so that they never overlap, however many; on an oval
a line between two things meets no third one. Those with strong links face each other.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import NamedTuple

from discretion.render.labels import Label
from discretion.render.markup import Markup, element, text
from discretion.render.svg import LETTER, length, picture

THINNEST, WIDEST = 1.0, 7.0  # of lines, in points or pixels
ROUND = 0.85  # of the height: the width of a high oval
LONGEST = 24  # letters of a name
OVAL, ROW, LOWEST = 220, 26, 150  # the oval's width at least, a name beside it, the least height

Link = tuple[str, str]


class Position(NamedTuple):
    """A position from -1 to 1, from left to right and from top to bottom."""

    x: float
    y: float

    @property
    def left(self) -> bool:
        """Whether the name stands to the left."""
        return self.x < 0


@dataclass(frozen=True)
class Graph:
    """Names, and the strength of each link between two of them."""

    names: Sequence[str]
    links: Mapping[Link, float]
    dashed: Collection[Link] = ()

    @cached_property
    def linked(self) -> frozenset[str]:
        """The names that have a link."""
        return frozenset(name for link in self.links for name in link)

    @cached_property
    def labels(self) -> Mapping[str, Label]:
        """Each name as it is written beside the oval."""
        return {name: Label.of(name, LONGEST) for name in self.names}

    @property
    def longest(self) -> int:
        """The letters of the longest line of a label."""
        return max(label.letters for label in self.labels.values())

    def oval(self, row: float, lowest: float, narrowest: float) -> tuple[float, float]:
        """Return width and height of an oval with room for a name in each row."""
        height = max(lowest, row * -(-len(self.names) // 2))
        return max(narrowest, ROUND * height), height

    @cached_property
    def positions(self) -> Mapping[str, Position]:
        """The position of each name: from side to side, from the top to the bottom."""
        order = self._order()
        sides = {1: -(-len(order) // 2), -1: len(order) // 2}
        found = {}
        for i, name in enumerate(order):
            side = -1 if i % 2 else 1
            y = (2 * (i // 2) + 1) / sides[side] - 1
            found[name] = Position(side * sqrt(1 - y * y), y)
        return found

    @property
    def widths(self) -> Mapping[Link, float]:
        """The width of each line: the strongest is widest, by the root of the strength."""
        top = max(self.links.values(), default=1.0) or 1.0
        return {
            link: THINNEST + (WIDEST - THINNEST) * (strength / top) ** 0.5
            for link, strength in self.links.items()
        }

    def draw(self, label: str) -> Markup:
        """Draw the graph as SVG."""
        wide, high = self.oval(ROW, LOWEST, OVAL)
        width, height = wide + 2 * (LETTER * self.longest + 16), high + 16
        where = {
            name: Position(width / 2 + wide / 2 * p.x, height / 2 + high / 2 * p.y)
            for name, p in self.positions.items()
        }
        parts = [*self._lines(where)]
        for name, position in where.items():
            kind = "node" if name in self.linked else "node alone"
            step, side = (-10, "start") if self.positions[name].left else (10, "end")
            at = {"cx": length(position.x), "cy": length(position.y)}
            parts.append(element("circle", **at, r=5.5, class_=kind))
            kind = f"name {side} {kind}"
            parts.append(self.labels[name].draw(position.x + step, position.y + 4, kind))
        return picture(width, height, label, parts, "graph")

    def _lines(self, where: Mapping[str, Position]) -> Iterator[Markup]:
        for (one, other), wide in self.widths.items():
            a, b = where[one], where[other]
            ends = {"x1": length(a.x), "y1": length(a.y), "x2": length(b.x), "y2": length(b.y)}
            kind = "edge dashed" if (one, other) in self.dashed else "edge"
            title = text("title", f"{one} and {other}: {self.links[one, other]:.2g} nats")
            yield element("line", title, **ends, stroke_width=length(wide), class_=kind)

    def _order(self) -> list[str]:
        """Follow the strongest links from the name that has most; those without any come last."""
        near = self._tree()
        weight = dict.fromkeys(self.names, 0.0)
        for link, strength in self.links.items():
            for name in link:
                weight[name] += strength
        order: list[str] = []
        for start in sorted(self.names, key=lambda name: (not near[name], -weight[name])):
            path = [] if start in order else [start]
            order += path
            while path:
                ahead = [(s, name) for name, s in near[path[-1]].items() if name not in order]
                if ahead:
                    path.append(max(ahead)[1])
                    order.append(path[-1])
                else:
                    path.pop()
        return order

    def _tree(self) -> dict[str, dict[str, float]]:
        """Return the neighbours of each name in the spanning tree of the strongest links."""
        near: dict[str, dict[str, float]] = {name: {} for name in self.names}
        part = {name: name for name in self.names}  # which names hang together so far
        for (one, other), strength in sorted(self.links.items(), key=lambda each: -each[1]):
            if part[one] != part[other]:
                near[one][other] = near[other][one] = strength
                part = {n: part[one] if p == part[other] else p for n, p in part.items()}
        return near
