"""Labels of charts: in lines that fit, each in the direction of its script.

A label is broken between words, and within a word that is longer than a line. What does not fit
ends with an ellipsis, and is said in full where a browser shows titles.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self
from unicodedata import bidirectional, category, east_asian_width

from discretion.render.markup import Markup, element, text
from discretion.render.svg import LETTER, length, words

LINE = 13  # pixels from one line to the next
ISOLATE, END = "\u2068", "\u2069"  # around text that has a direction of its own


def isolated(label: str) -> str:
    """Return a label that keeps its order of writing, whatever is written around it."""
    if ISOLATE in label or not any(bidirectional(letter) in ("R", "AL") for letter in label):
        return label
    return f"{ISOLATE}{label}{END}"


def cells(label: str) -> int:
    """Return how wide a label is, in letters: some take two places, and marks take none."""
    return sum(_width(letter) for letter in label)


def wrapped(label: str, longest: int, most: int = 2) -> tuple[str, ...]:
    """Return a label in at most so many lines of so many letters."""
    plain = label.replace(ISOLATE, "").replace(END, "")
    if cells(plain) <= longest:
        return (isolated(plain),)
    lines = list(_broken(plain, longest))
    if len(lines) > most:
        lines[most - 1 :] = [_head(lines[most - 1], longest - 1).rstrip() + "…"]
    return tuple(map(isolated, lines))


@dataclass(frozen=True, slots=True)
class Label:
    """A label in lines, for SVG."""

    whole: str
    lines: tuple[str, ...]

    @classmethod
    def of(cls, label: str, longest: int, most: int = 2) -> Self:
        """Break a label into lines."""
        return cls(label, wrapped(label, longest, most))

    @property
    def letters(self) -> int:
        """The letters of its longest line."""
        return max(map(cells, self.lines))

    @property
    def width(self) -> float:
        return LETTER * self.letters

    @property
    def height(self) -> float:
        return LINE * len(self.lines)

    def draw(self, x: float, y: float, kind: str, **more: object) -> Markup:
        """Write it so that the middle of its lines is where a single one would stand at ``y``."""
        if len(self.lines) == 1 and not self.lines[0].endswith(("…", f"…{END}")):
            return words(self.lines[0], x, y, kind, **more)
        top = y - LINE / 2 * (len(self.lines) - 1)
        spans = [
            text("tspan", line, x=length(x), y=length(top + LINE * i))
            for i, line in enumerate(self.lines)
        ]
        title = text("title", self.whole)
        return element("text", title, *spans, x=length(x), y=length(y), class_=kind, **more)


def _broken(label: str, longest: int) -> Iterator[str]:
    """Yield lines that are no longer than so many letters."""
    line = ""
    for word in label.split():
        longer = f"{line} {word}" if line else word
        if cells(longer) <= longest:
            line = longer
            continue
        if line:
            yield line
        line = word
        while cells(line) > longest:
            head = _head(line, longest)
            yield head
            line = line[len(head) :]
    if line:
        yield line


def _head(line: str, longest: int) -> str:
    """Return as much of a line as fits, with all marks of its last letter, but one at least."""
    room = longest
    for i, letter in enumerate(line):
        room -= _width(letter)
        if room < 0 and i:
            return line[:i]
    return line


def _width(letter: str) -> int:
    if category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(letter) in ("W", "F") else 1
