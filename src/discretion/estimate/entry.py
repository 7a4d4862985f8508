"""One value of an estimate that has several: what ``estimate["bike"]`` returns."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import product
from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from discretion.errors import EstimateError, meant
from discretion.estimate.legend import Legend
from discretion.extras import needed
from discretion.render.formats import number

Array = npt.NDArray[np.float64]
Ends = Array | tuple[Array, Array]

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = 8  # keys that a message names


@dataclass(frozen=True, slots=True)
class Entry:
    """A value with its interval. ``float`` makes a number of it."""

    name: str
    value: float
    stderr: float  # nan where intervals are not made of standard errors
    ends: Callable[[float], Ends]

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return low and high."""
        low, high = self.ends(confidence)
        return float(low), float(high)

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        low, high = map(number, self.interval())
        error = "" if isnan(self.stderr) else f"stderr {number(self.stderr)}, "
        return f"{self.name}: {number(self.value)} ({error}95 % interval {low} to {high})"


class Indexed:
    """An estimate whose values have names, as many for each as ``value`` has axes."""

    __iter__ = None  # a loop would have to be over names or over values: say which

    attribute: str
    legend: Legend

    if TYPE_CHECKING:

        @property
        def value(self) -> Array: ...

        def interval(self, confidence: float = 0.95) -> Array: ...

    @property
    def keys(self) -> Sequence[Sequence[Hashable]]:
        """The names along each axis of ``value``."""
        raise NotImplementedError

    def plot(self, ax: "Axes | None" = None, confidence: float = 0.95) -> "Axes":
        """Draw the values with their intervals, on ``ax`` or a new figure; return the axes."""
        with needed("plot()"):
            from discretion.render.whiskers import plot_intervals

        ends = np.concatenate([self.value[..., None], self.interval(confidence)], axis=-1)
        labels = [", ".join(map(self.called, names)) for names in product(*self.keys)]
        note = f"{100 * confidence:.4g} % intervals"
        return plot_intervals(self.heading, note, labels, ends.reshape(-1, 3), ax, self.tick)

    @property
    def heading(self) -> str:
        """What its picture is called."""
        return self.legend.question(self.attribute)

    def called(self, name: Hashable) -> str:
        """Return what people call one of the names: a label in the words of the plan."""
        if isinstance(name, tuple):
            return " to ".join(map(self.called, name))
        if isinstance(name, str):
            return self.legend.label(self.attribute, name)
        return "" if name is None else number(name) if isinstance(name, int | float) else str(name)

    def tick(self, value: float) -> str:
        """Write a value on an axis."""
        return number(value)

    def __getitem__(self, key: Hashable) -> Entry:
        """Return the value that has a name, or a name for each axis, and its interval."""
        axes = self.keys
        named = (key,) if len(axes) == 1 else key
        if not isinstance(named, tuple) or len(named) != len(axes):
            raise EstimateError(f"give {len(axes)} names, one for each axis, got {key!r}")
        at = tuple(map(_position, axes, named))
        stderr = getattr(self, "stderr", None)
        return Entry(
            ", ".join(map(str, named)),
            float(self.value[at]),
            nan if stderr is None else float(stderr[at]),
            lambda confidence: self.interval(confidence)[at],
        )


def _position(known: Sequence[Hashable], name: Hashable) -> int:
    """Return where a name stands."""
    if name not in known:
        words = [each for each in known if isinstance(each, str)]
        listed = ", ".join(map(str, known[:SHOWN])) + ", ..." * (len(known) > SHOWN)
        raise EstimateError(f"there is no {name!r}{meant(name, words)}; there are {listed}")
    return known.index(name)
