"""How answers, means and quantiles by group are shown: as crosstabs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from discretion.estimate.estimate import FEW, ROUGH, check_choice
from discretion.estimate.quotient import Proportions
from discretion.groups.grouping import Grouping
from discretion.joints.show import MOST_COLUMNS, spanning
from discretion.render.formats import Write, p_stated
from discretion.render.tables import Table

if TYPE_CHECKING:
    from discretion.groups.beside import ByGroup, Comparable
    from discretion.groups.crosstab import Crosstab
    from discretion.groups.curves import GroupQuantiles
    from discretion.groups.means import GroupMeans

PERCENTS = ("row", "column", "total")
UNLEARNT = "not learnt"
ALL = "all"

Array = npt.NDArray[np.float64]


def crosstab(found: "Crosstab", percent: str) -> Table:
    """Return one kind of per cent, with 95 % intervals: groups down, answers across."""
    check_choice("percent", percent, PERCENTS)
    shares = {"row": found.rows, "column": found.columns, "total": found.total}[percent]
    labels = [found.legend.label(found.attribute, label) for label in found.labels]
    groups, sizes = groups_of(found), percents(found.shares)
    cells = [percents(shares, at) for at in range(len(groups))]
    title = found.grouping.title(found.attribute, found.legend)
    caption = f"{title}: {percent} per cent with 95 % intervals; {_tested(found)}"
    head, note = _head(found.grouping), spanning(shares.interval())
    if len(labels) > MOST_COLUMNS:
        pairs = [(i, j) for i in range(len(groups)) for j in range(len(labels))]
        tall = [(groups[i], labels[j], " ".join(cells[i][j])) for i, j in pairs]
        heads = head, found.attribute, f"{percent} %"
        return Table(heads, tall, caption, note, frozenset({0, 1}))
    rows = [[(g, ""), size, *own] for g, size, own in zip(groups, sizes, cells, strict=True)]
    if percent == "row" and len(groups) > 1:
        rows.append([(ALL, ""), ("100", ""), *percents(found.answers)])
    lines = [[cell[i] for cell in row] for row in rows for i in (0, 1)]  # intervals below values
    return Table((head, "share", *labels), lines, caption, note)


def means(found: "GroupMeans") -> Table:
    """Return share, mean, standard error and 95 % interval of each group."""
    ends = np.column_stack([found.value, found.interval()])
    columns = zip(
        groups_of(found),
        map(" ".join, percents(found.shares)),
        ends.tolist(),
        found.stderr.tolist(),
        strict=True,
    )
    rows = [
        (group, share, *_mean(own, stderr, found.write, found.write_difference))
        for group, share, own, stderr in columns
    ]
    heads = _head(found.grouping), "share", "mean", "stderr", "95 % interval"
    return Table(heads, rows, f"{found.summary}; {_tested(found)}")


def quantiles(found: "GroupQuantiles") -> Table:
    """Return the quantiles of each group in a row, each with its 95 % interval."""
    ends = np.concatenate([found.value[..., None], found.interval()], axis=-1)
    rows = [
        (group, share, *(_quantile(each, found.write) for each in own.tolist()))
        for group, share, own in zip(
            groups_of(found), map(" ".join, percents(found.shares)), ends, strict=True
        )
    ]
    heads = _head(found.grouping), "share", *(f"{100 * level:.4g} %" for level in found.at)
    return Table(heads, rows, f"{found.summary}; {_behind(found)}")


def groups_of(found: "ByGroup") -> list[str]:
    """Return what people call the groups."""
    legend, by = found.legend, found.grouping.by
    return [group if by is None else legend.label(by, group) for group in found.groups]


def percents(shares: Proportions, *at: int) -> list[tuple[str, str]]:
    """Write shares as per cents, each with its interval."""
    ends = np.concatenate([shares.value[..., None], shares.interval()], axis=-1)[at]
    return [
        (UNLEARNT, "") if np.isnan(value) else (f"{value:.1f}", f"({low:.1f}-{high:.1f})")
        for value, low, high in (100 * ends).tolist()
    ]


def _mean(ends: Sequence[float], stderr: float, write: Write, apart: Write) -> tuple[str, ...]:
    if np.isnan(stderr):
        return UNLEARNT, "", ""
    value, low, high = map(write, ends)
    return value, apart(stderr), f"{low} to {high}"


def _quantile(ends: Sequence[float], write: Write) -> str:
    if np.isnan(ends[0]):
        return UNLEARNT
    value, low, high = map(write, ends)
    return f"{value} ({low} to {high})"


def _head(grouping: Grouping) -> str:
    return grouping.by or "among"


def _behind(found: "ByGroup") -> str:
    """Say from how many reports it is."""
    parts = [f"{found.n:,} reports, {found.together:,} about all of it"]
    if found.n < FEW:
        parts.append(ROUGH)
    if found.weighted is not None:
        parts.append(found.weighted.note)
    return "; ".join(parts)


def _tested(found: "Comparable") -> str:
    """Say from how many reports it is, and what the test says."""
    said = f"; {p_stated(found.pvalue)} for no difference between groups"
    return _behind(found) + said * bool(found.test.df)
