"""A first plan for records that are at hand: a frame in, an author's YAML with reasons out.

Text becomes labels, numbers become bins on a round grid. What can hardly be asked about
(identifiers, constants, free text) is left out, with the reason. The author goes on from there.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discretion.design import listed
from discretion.design.coded import UNKNOWN, codes_of, question_of
from discretion.design.grid import Grid, round_grid, round_periods
from discretion.errors import RecordError
from discretion.plan.attributes import EXACT
from discretion.plan.field import LONGEST_TEXT
from discretion.plan.file import comment, flow, lines_of
from discretion.schema.categorical import OTHER, text
from discretion.schema.moment import FIRST, LAST, Date
from discretion.table.frame import to_arrow
from discretion.table.labelled import Described

MOST_LABELS = 64
FEW_NUMBERS = 24  # so many different whole numbers become labels: they may well be codes
NOTE = b"note"  # of a column, in the metadata of its field: how it was read
FEWEST_ROWS = 20  # among fewer, all values may differ by coincidence

HEADER = """\
A proposal for {rows} records. Change what you know better. To see what a plan means, and whether
records fit it: discretion plan check PLAN DATA

CAUTION: the labels, ranges and bins were taken from the records, and a plan is public. They can
themselves reveal something: that somebody has a rare label, or a decile of all people. In a
real survey take them from public knowledge, such as a code book or a census.

Labels stand in alphabetical order, which does not reveal how frequent they are. A label that is not
listed becomes "other" where that is listed, else the fallback, else the last label.

Dates are in bins that begin with a week, a month or a year.

Numbers are on a grid of round numbers, and the range is rounded outwards. The bins, about ten, have
round edges near the quantiles, so that a first estimate is readable; a very frequent number has a
bin of its own. Without "bins" the number itself is asked for: means and quantiles instead of
frequencies, on a grid of at most 4,096 points."""

BUDGET = """\
What an owner may choose. A level is an epsilon: any report is at most e^epsilon times as likely
with her answer as with another one (e^0.25 = 1.3, e^2 = 7.4, e^6 = 403). Each attribute she shares
gets a level of 0.25, 0.5, ..., 6, and if she shares m attributes, their levels sum to at most 2 m.
Smaller levels reveal less about her, and less about the crowd."""


@dataclass(frozen=True, slots=True)
class _Column:
    """What becomes of a column: the fields of a question, or none; and why."""

    name: str
    reason: str
    fields: tuple[str, ...] = ()
    asked: bool = False

    def write(self) -> str:
        """Return the question under its reason; one that is not asked is a comment, too."""
        reason = self.reason if self.asked else f"Left out: {_shown(self.name)}. {self.reason}"
        first = f"name: {flow(self.name)}"
        question = [f"- {first}", *(f"  {field}" for field in self.fields)] if self.fields else []
        margin = "  " if self.asked else "  #   "
        return "\n".join([comment(reason, "  "), *(margin + line for line in question)])


def propose(frame: object, name: str = "survey") -> str:
    """Return a plan in YAML, with reasons, that asks about the columns and fits all the rows."""
    data = to_arrow(frame)
    if data.num_rows == 0:
        raise RecordError("records", "there must be at least one", 0)
    names = data.column_names
    columns = [_column(n, data.column(i), names.count(n)) for i, n in enumerate(names)]
    columns = [
        _described(_noted(column, note_of(field)), Described.of(field), data.column(i))
        for i, (column, field) in enumerate(zip(columns, data.schema, strict=True))
    ]
    columns = [_conditional(data, column, columns[:i]) for i, column in enumerate(columns)]
    if not any(column.asked for column in columns):
        why = "; ".join(f"{_shown(c.name)}: {c.reason.partition('.')[0]}" for c in columns[:3])
        rule = f"there must be a column to ask about ({why or 'there is none'})"
        raise RecordError("records", rule, names[:3] + ["..."] * (len(names) > 3))
    title = flow(name if _printable(name) else "survey")
    return "\n\n".join(
        [
            comment(HEADER.format(rows=f"{data.num_rows:,}")),
            f"name: {title}",
            "\n\n".join(["attributes:", *(c.write() for c in columns)]).replace("\n\n", "\n", 1),
            f"{comment(BUDGET)}\nbudget: {{average: 2.0, least: 0.25, most: 6.0, step: 0.25}}\n",
        ]
    )


def _conditional(data: pa.Table, column: _Column, above: Sequence[_Column]) -> _Column:
    """Ask a column of some people only, where another column says exactly who has no value."""
    labels = [each for each in above if each.asked and each.fields[0] == "kind: categorical"]
    empty = pc.is_null(data[column.name], nan_is_null=True) if column.asked else None
    if empty is None or pc.sum(empty).as_py() < FEWEST_ROWS:
        return column
    for other in labels:
        named = pa.table({"label": data[other.name], "empty": empty}).group_by("label")
        found = named.aggregate([("empty", "min"), ("empty", "max")]).to_pylist()
        split = all(
            row["label"] is not None and row["empty_min"] == row["empty_max"] for row in found
        )
        asked = sorted(text(row["label"]) for row in found if not row["empty_min"])
        if split and len(found) <= MOST_LABELS and 0 < len(asked) < len(found):
            reason = column.reason.rpartition(" rows have no value")[0].rpartition(". ")[0]
            why = f"{reason}. It is empty exactly where {other.name} is none of those below."
            lines = lines_of(f"applies: {{{flow(other.name)}", map(flow, asked))
            fields = (*column.fields, *lines[:-1], f"{lines[-1]}}}")
            return replace(column, reason=why, fields=fields)
    return column


def note_of(field: pa.Field) -> str:
    """Return what is to be said of how a column was read."""
    return (field.metadata or {}).get(NOTE, b"").decode()


def _noted(column: _Column, note: str) -> _Column:
    """Say how a column was read, after the reason."""
    if not note:
        return column
    said = f"It was read from the file as follows: {note}."
    return replace(column, reason=f"{said} {column.reason}")


def _described(column: _Column, described: Described, values: pa.ChunkedArray) -> _Column:
    """Ask as a file words it, about the values that it has labels for."""
    reason, fields = codes_of(described, values)
    if fields:
        missing = _missing(values.null_count)
        column = replace(column, reason=reason + missing, fields=fields, asked=True)
    elif reason:
        column = replace(column, reason=column.reason + reason)
    if not column.fields:
        return column
    first, *others = column.fields
    return replace(column, fields=(first, *question_of(described), *others))


def _column(name: str, column: pa.ChunkedArray, times: int) -> _Column:
    if times > 1:
        return _Column(name, f"{times} columns have this name: rename them.")
    if not _printable(name):
        return _Column(name, f"A name must be 1 to {LONGEST_TEXT} printable characters.")
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_string_view(column.type):
        column = column.cast(pa.string())
    if _is_any(column.type, "integer", "floating", "decimal"):
        return _numbers(name, column)
    if _is_any(column.type, "date", "timestamp"):
        return _dates(name, column)
    if _is_any(column.type, "string", "large_string", "boolean", "temporal", "null"):
        return _labels(name, column)
    if found := listed.question_of(column.combine_chunks(), _printable):
        reason, fields = found
        missing = _missing(column.null_count) if fields else ""
        return _Column(name, reason + missing, fields, asked=bool(fields))
    return _Column(name, f"Its values ({column.type}) are neither text nor numbers.")


def _numbers(name: str, column: pa.ChunkedArray) -> _Column:
    values = np.asarray(column.cast(pa.float64(), safe=False).drop_null(), np.float64)
    values = values[~np.isnan(values)]
    distinct = np.unique(values)
    if len(distinct) < 2:
        return _Column(name, _always_the_same(len(distinct)))
    if np.isinf(distinct).any():
        return _Column(name, "It has infinite numbers, which are on no grid.")
    whole = bool((distinct % 1 == 0).all()) and not pa.types.is_decimal(column.type)
    if whole and len(distinct) <= FEW_NUMBERS and np.abs(distinct).max() < EXACT:
        return _codes(name, [int(value) for value in distinct], len(column) - len(values))
    grid = round_grid(values)
    if grid is None:
        return _Column(name, "Its numbers are too large or too fine for a grid.")
    if whole and len(distinct) == len(values) >= FEWEST_ROWS:
        reason = "All its whole numbers differ, as identifiers do. If they measure something:"
        return _Column(name, reason, _grid_fields(grid))
    reason = f"{len(distinct):,} different numbers, on a grid of {grid.points:,} points."
    if grid.heavy:
        own = (f"[{_plain(a)}, {_plain(b)})" for a, b in pairwise(grid.edges) if a in grid.heavy)
        reason += f" For a very frequent number: {' and '.join(own)}."
    reason += _missing(len(column) - len(values))
    return _Column(name, reason, _grid_fields(grid), asked=True)


def _dates(name: str, column: pa.ChunkedArray) -> _Column:
    """Ask for the day, in bins of whole weeks, months or years."""
    if pa.types.is_timestamp(column.type) and column.type.tz:
        column = pc.local_timestamp(column)
    days = np.asarray(column.cast(pa.date32(), safe=False).cast(pa.int32()).drop_null(), np.int64)
    distinct = len(np.unique(days))
    if distinct < 2:
        return _Column(name, _always_the_same(distinct))
    low, high = int(days.min()), int(days.max())
    if not FIRST <= low < high < LAST:
        return _Column(name, "It has dates that nobody writes with four digits of a year.")
    edges = round_periods(days)
    ends = f"range: [{Date.written(edges[0])}, {Date.written(edges[-1])}]"
    fields = ("kind: date", ends, *lines_of("bins", map(Date.written, edges)))
    reason = f"{distinct:,} different dates, in bins that begin with a week, a month or a year."
    return _Column(name, reason + _missing(len(column) - len(days)), fields, asked=True)


def _codes(name: str, numbers: list[int], missing: int) -> _Column:
    reason = f"{len(numbers)} different whole numbers: labels, since they may be codes."
    if len(numbers) > 2 and numbers[-1] - numbers[0] < 2 * FEW_NUMBERS:
        reason += (
            " If they measure something, write in place of kind and values: kind: numeric, "
            f"range: [{numbers[0]}, {numbers[-1]}], step: 1."
        )
    fields = ("kind: categorical", *lines_of("values", map(str, numbers)))
    return _Column(name, reason + _missing(missing), fields, asked=True)


def _labels(name: str, column: pa.ChunkedArray) -> _Column:
    """Keep the labels; where they are too many, fold the rarest into ``other``."""
    counted, rows = pc.value_counts(column.drop_null()), len(column) - column.null_count
    if len(counted) < 2:
        return _Column(name, _always_the_same(len(counted)))
    if len(counted) == rows >= FEWEST_ROWS:
        return _Column(name, "All its values differ, as names and identifiers do.")
    tally = Counter[str]()
    for value, count in zip(*(counted.field(i).to_pylist() for i in range(2)), strict=True):
        tally[text(value)] += count
    kept = sorted(filter(_printable, tally), key=lambda label: (-tally[label], label))
    if len(tally) > min(len(kept), MOST_LABELS):
        kept = [label for label in kept if label != OTHER][: MOST_LABELS - 1]
    folded = rows - sum(tally[label] for label in kept)
    if folded > rows / 2:
        return _Column(
            name,
            f"It has {len(tally):,} different values, and the {len(kept)} most frequent ones make "
            f"only {100 * (1 - folded / rows):.0f} % of the rows. Make groups of them first.",
        )
    reason, fields = f"{len(kept)} labels.", _label_fields(kept)
    if folded:
        reason = (
            f"The {len(kept)} most frequent labels; {folded:,} rows with "
            f'{len(tally) - len(kept):,} rarer or unprintable ones become "other".'
        )
        fields = _label_fields([*kept, OTHER])
    return _Column(name, reason + _missing(column.null_count), fields, asked=True)


def _label_fields(labels: list[str]) -> tuple[str, ...]:
    order = sorted(labels, key=lambda label: (label == OTHER, label.casefold(), label))
    homes = (label for mark in UNKNOWN for label in order if label.casefold() == mark)
    home = OTHER if OTHER in labels else next(homes, None)
    fallback = [] if home in (None, OTHER) else [f"fallback: {flow(home)}"]
    return ("kind: categorical", *lines_of("values", map(flow, order)), *fallback)


def _grid_fields(grid: Grid) -> tuple[str, ...]:
    ends = f"range: [{_plain(grid.low)}, {_plain(grid.high)}]"
    bins = lines_of("bins", map(_plain, grid.edges))
    return ("kind: numeric", ends, f"step: {_plain(grid.step)}", *bins)


def _always_the_same(distinct: int) -> str:
    return "It has one value only." if distinct else "It is empty."


def _missing(rows: int) -> str:
    return f" {rows:,} rows have no value: these owners do not share it." if rows else ""


def _printable(label: str) -> bool:
    """Whether a plan can hold this text."""
    return bool(label.strip()) and len(label) <= LONGEST_TEXT and label.isprintable()


def _is_any(kind: pa.DataType, *names: str) -> bool:
    return any(getattr(pa.types, f"is_{name}")(kind) for name in names)


def _shown(name: str) -> str:
    return name if _printable(name) else repr(name[:LONGEST_TEXT])


def _plain(number: Decimal) -> str:
    return f"{number.normalize() + 0:f}"
