"""The settings of the PENA study: ways to ask for incomes, budgets, and what the figures vary.

Budgets are drawn from U(0, epsilon], as in the paper, and rounded down to a menu: thousandths up to
0.02, hundredths above. The least is 0.001. *LDP* means epsilon for everybody.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np

from discretion.render.theme import LIGHT
from papers.exhibit import GREEN, VIOLET, Style
from papers.pena.incomes import EARNINGS, MADE, Numbers

FINE, COARSE, BETWEEN = 1, 10, 20  # thousandths: the steps of the menu, and where they change
LEAST, MOST, APART = 100, 4000, 50  # thousandths: the menu U(0.1, 4), for weights
EPSILON, FACTOR, SHARE = 0.5, 1.0, 0.5  # the paper's defaults
OWN_RANGES = (0.25, 0.5, 1.0, 2.0)  # epsilons of the figure beyond the paper
NAMES = (EARNINGS.name, MADE)
SMALL = 0.1  # the part of a large table that is asked to see what weights are worth
LARGE = 500_000  # rows of a table that has few runs
LEVELS = (0.1, 0.5, 0.9)  # of quantiles


@dataclass(frozen=True)
class Way:
    """How a mean is asked for, and how it is worked out."""

    name: str
    mechanism: str
    method: str
    style: Style
    personal: bool = True

    def __str__(self) -> str:
        return self.name


PENA_PRINTED = Way("PENA, as printed", "duchi", "pena", Style(LIGHT.second, "D"))
LDP_PRINTED = Way("LDP, as printed", "duchi", "pena", Style(LIGHT.second, "s", "--"), False)
PENA_MENDED = Way("PENA, mended", "duchi", "unweighted", Style(VIOLET, "v"))
LDP_MENDED = Way("LDP, mended", "duchi", "weighted", Style(LIGHT.muted, "s", "--"), False)
TWO_POINTS = Way("ours, two points", "duchi", "weighted", Style(GREEN, "^"))
WINDOW = Way("ours, window", "window", "weighted", Style(LIGHT.first, "o"))
UNWEIGHTED = Way(
    "window, unweighted", "window", "unweighted", WINDOW.style
)  # what weights are worth
PRINTED, OURS = (PENA_PRINTED, LDP_PRINTED), (TWO_POINTS, WINDOW)
LINES = (*PRINTED, PENA_MENDED, LDP_MENDED, *OURS)
WAYS = (*LINES, UNWEIGHTED)
NAIVE = Way("pooled, mended", "duchi", "plain mean", PENA_MENDED.style)
LIKELY = tuple(replace(way, method="likelihood") for way in OURS)
POOLED = (PENA_PRINTED, NAIVE, *LIKELY)  # for reports in ranges of their owners' own


@dataclass(frozen=True)
class Menu:
    """Levels in thousandths, and how probable each of them is."""

    levels: tuple[int, ...]
    chances: tuple[float, ...]

    @classmethod
    @cache
    def up_to(cls, epsilon: float) -> "Menu":
        """Return the menu for U(0, epsilon]: who draws less than a level has the one below."""
        top = round(1000 * epsilon)
        inner = [*range(FINE, BETWEEN, FINE), *range(BETWEEN, top, COARSE), top]
        widths = np.diff([0, *inner[1:], top])  # what is below the least level has that
        return cls(tuple(inner), tuple((widths / top).tolist()))

    @classmethod
    @cache
    def apart(cls) -> "Menu":
        """Return the menu for U(0.1, 4)."""
        levels = tuple(range(LEAST, MOST + 1, APART))
        return cls(levels, (1 / len(levels),) * len(levels))

    def of(self, way: Way) -> "Menu":
        """Return this menu, or for ways with one level for everybody its largest."""
        return self if way.personal else Menu(self.levels[-1:], (1.0,))

    def draw(self, n: int, rng: np.random.Generator) -> Numbers:
        """Return an epsilon for each of n owners."""
        ends = np.cumsum(self.chances)
        places = np.searchsorted(ends, rng.random(n) * ends[-1], side="right")
        return np.array(self.levels)[np.minimum(places, len(ends) - 1)] / 1000


class Point(NamedTuple):
    """One setting: budgets up to epsilon (or U(0.1, 4)), safe range, and who takes part."""

    dataset: str
    epsilon: float = EPSILON
    factor: float = FACTOR
    share: float = SHARE
    apart: bool = False

    @property
    def menu(self) -> Menu:
        return Menu.apart() if self.apart else Menu.up_to(self.epsilon)

    def __str__(self) -> str:
        share = f"{100 * self.share:.0f} %"
        return f"{self.dataset}, epsilon {self.epsilon:g}, range {self.factor:g}, {share}"


class Axis(NamedTuple):
    """What one of the paper's figures varies."""

    title: str
    places: tuple[float, ...]
    point: Callable[[str, float], Point]

    def points(self, dataset: str) -> list[Point]:
        return [self.point(dataset, place) for place in self.places]


AXES = {
    2: Axis("ε", (0.2, 0.4, 0.6, 0.8, 1.0), lambda d, x: Point(d, epsilon=x)),
    3: Axis(
        "safe range over the largest",
        (1.0, 1.1, 1.2, 1.3, 1.4, 1.5),
        lambda d, x: Point(d, factor=x),
    ),
    4: Axis("% who take part", (20, 40, 60, 80, 100), lambda d, x: Point(d, share=x / 100)),
}


def drawn(dataset: str) -> list[Point]:
    """Return the settings of Figures 2, 3 and 4."""
    return [point for axis in AXES.values() for point in axis.points(dataset)]


def weighing(dataset: str, rows: float) -> Point:
    """Return the setting that shows what weights are worth."""
    return Point(dataset, share=SMALL if rows >= LARGE else 1.0, apart=True)
