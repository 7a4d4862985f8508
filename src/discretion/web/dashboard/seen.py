"""The rows of a sheet as somebody wants to see them: found, sorted, and written as people read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from discretion.budget import epsilon
from discretion.estimate.legend import Legend
from discretion.plan import Plan
from discretion.render.bars import Interval
from discretion.render.formats import (
    UNKNOWN,
    Write,
    interval,
    measured,
    number,
    on_grid,
    percent,
    round_percent,
)
from discretion.web.dashboard.documents import Cell, Measure, Sheet
from discretion.web.dashboard.inquiry import Inquiry

Row = Mapping[str, Cell]
PARTS = ("row", "column", "total", "share")  # shares, whatever the statistic is about
OF_SAME = ("attribute",)  # columns that say the same in every row
DIFFERENCE, SMOOTH = "difference", "smooth"
ROUND = "round"
TITLES = {"row": "row %", "column": "column %", "total": "total %", "value": "estimate"}
HALF = 3.92  # standard errors in an interval of 95 %


@dataclass(frozen=True, slots=True)
class Seen:
    """A sheet, what was asked, and the words of the plan."""

    sheet: Sheet
    inquiry: Inquiry
    plan: Plan
    legend: Legend

    @property
    def names(self) -> list[str]:
        """The columns that say what a row is about, but for those that say the same of all."""
        known = [name for name in self.sheet["names"] if name not in OF_SAME]
        varied = [name for name in known if len({row[name] for row in self._whole}) > 1]
        return varied or known[-1:]

    @property
    def measures(self) -> Sequence[Measure]:
        return self.sheet["measures"]

    @property
    def measure(self) -> Measure | None:
        """What is drawn: the one that was chosen, or the first."""
        known = {each["value"]: each for each in self.measures}
        if not known:
            return None
        first = next(iter(known.values()))
        return known.get(self.inquiry.measure) or known.get(SMOOTH) or first

    @property
    def more(self) -> list[str]:
        """The columns that are neither names nor estimates nor their errors."""
        used = {end for each in self.measures for end in each.values()}
        errors = {f"{each['value']}_stderr" for each in self.measures} | {"stderr"}
        return [h for h in self.sheet["heads"] if h not in {*self.sheet["names"], *used, *errors}]

    @property
    def rows(self) -> list[Row]:
        """The rows that have the text somebody looks for, in the order that she wants."""
        whole: list[Row] = self._whole
        text = self.inquiry.find.casefold()
        found = [r for r in whole if text in " ".join(self.called(r)).casefold()]
        column = self.inquiry.sort.removeprefix("-")
        if column not in self.sheet["heads"]:
            return found
        down = self.inquiry.sort.startswith("-")
        known = [row for row in found if row[column] is not None]
        known.sort(key=lambda row: _order(row[column]), reverse=down)
        return [*known, *(row for row in found if row[column] is None)]

    @property
    def _about_shares(self) -> bool:
        return self.inquiry.statistic.of_shares(self.plan, self.inquiry.names[0])

    @property
    def _whole(self) -> list[Row]:
        return [dict(zip(self.sheet["heads"], row, strict=True)) for row in self.sheet["rows"]]

    def called(self, row: Row) -> list[str]:
        """Return what people call what a row is about."""
        return [self._called(name, row[name]) for name in self.names]

    def own(self, row: Row, measure: Measure) -> Interval | None:
        """Return an estimate with its interval; one without ends is a point."""
        value = self._number(row[measure["value"]])
        if value is None:
            return None
        if measure["low"] is None or measure["high"] is None:
            return Interval(value, value, value)
        low, high = self._number(row[measure["low"]]), self._number(row[measure["high"]])
        least, most = (0.0, 1.0) if self.of_shares(measure) else (value, value)
        return Interval(value, least if low is None else low, most if high is None else high)

    def of_shares(self, measure: Measure) -> bool:
        """Whether a measure is a share, and not a number."""
        return measure["value"] in PARTS or self._about_shares

    def write(self, measure: Measure) -> Write:
        """Return how an estimate is written: a share, or a number with its unit."""
        name, apart = self.inquiry.names[0], measure["value"] == DIFFERENCE
        if self.of_shares(measure):
            return (lambda share: f"{100 * share:+.1f}") if apart else percent
        owns = filter(None, (self.own(row, measure) for row in self._whole))
        wide = [own.high - own.low for own in owns if own.high > own.low]
        rough = measured(median(wide) / HALF) if wide else on_grid
        return self.legend.difference(name, rough) if apart else self.legend.write(name, rough)

    def tick(self, measure: Measure) -> Write:
        """Return how the numbers of an axis are written."""
        if self.of_shares(measure):
            form = "{:+g}" if measure["value"] == DIFFERENCE else "{:g} %"
            return lambda share: form.format(round(100 * share, 6)) if share else "0"
        return self.legend.bare(self.inquiry.names[0], on_grid)

    def ends(self, row: Row, measure: Measure) -> str:
        """Write the interval of an estimate."""
        own = self.own(row, measure)
        if own is None or measure["low"] is None:
            return ""
        return interval(own.low, own.high, self.write(measure))

    def cell(self, name: str, value: Cell) -> str:
        """Write any other value."""
        if value is None:
            return ""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, str):
            return value
        if isinstance(value, int):
            return f"{value:,}"
        side = DIFFERENCE in self.sheet["heads"] and self._about_shares
        return percent(value) if side or name in PARTS else number(value)

    def title(self, column: str) -> str:
        """Return what stands above a column."""
        return TITLES.get(column, column.replace("_", " "))

    def _number(self, value: Cell) -> float | None:
        """Return a cell as a number: dates and times of day too."""
        moment = self.legend.moments.get(self.inquiry.names[0])
        if isinstance(value, str):
            return None if moment is None else float(moment.exact(value))
        return None if value is None else float(value)

    def _called(self, name: str, value: Cell) -> str:
        if value is None:
            return UNKNOWN
        if name == ROUND:
            return f"round {value}"
        if name == "level":
            if isinstance(value, float):
                return "median" if value == 0.5 else f"{round_percent(value)} have less"
            return epsilon(int(value))
        if isinstance(value, str):
            return self.legend.label(self._whose(name), value)
        return self.legend.bare(self.inquiry.names[0], on_grid)(float(value))

    def _whose(self, column: str) -> str:
        """Return the attribute whose values a column has."""
        if column in self.plan.attributes:
            return column
        return self.inquiry.by if column == "group" else self.inquiry.names[0]


def grouped(rows: Sequence[Row], key: Callable[[Row], str]) -> Iterator[tuple[str, list[Row]]]:
    """Yield rows by what they have in common, in the order in which that comes first."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    yield from found.items()


def _order(value: Cell) -> tuple[int, float, str]:
    """Return a key that sorts numbers before texts."""
    if isinstance(value, str) or value is None:
        return 1, 0.0, str(value).casefold()
    return 0, float(value), ""
