"""How commands show what does not fit a plan in a file of records."""

from collections.abc import Iterable, Iterator

import pyarrow as pa

from discretion.crowd.misfits import Group, Misfits
from discretion.crowd.records import note_misfits
from discretion.errors import TableError
from discretion.plan import Plan
from discretion.render.formats import counted
from discretion.render.tables import Table

LONGEST = 24  # characters of an example


def passing(plan: Plan, parts: Iterable[pa.Table], misfits: Misfits) -> Iterator[pa.Table]:
    """Yield records as they are, and note in passing what does not fit."""
    for part in parts:
        note_misfits(plan, part, misfits)
        yield part


def misfits_of(plan: Plan, parts: Iterable[pa.Table]) -> Misfits:
    """Return what does not fit in any part of a file."""
    misfits = Misfits()
    for _ in passing(plan, parts, misfits):
        pass
    return misfits


def misfits_table(misfits: Misfits) -> Table:
    """Return a row for each attribute and reason."""
    heads = ("attribute", "values", "do not fit", "count as", "first rows")
    rows = [
        (
            each.attribute,
            f"{each.count:,}",
            each.misfit.meaning.removeprefix("is "),
            each.misfit.shown(each.instead),
            _examples(each),
        )
        for each in misfits
    ]
    return Table(heads, rows, left=frozenset({0, 2, 3, 4}), elastic=frozenset({0, 4}))


def misfits_document(misfits: Misfits) -> list[dict[str, object]]:
    """Return the same for machines."""
    return [
        {
            "attribute": each.attribute,
            "misfit": str(each.misfit),
            "values": each.count,
            "counts_as": each.instead,
            "first": [{"row": row + 1, "value": str(value)} for row, value in each.examples],
        }
        for each in misfits
    ]


def refuse(path: object, misfits: Misfits) -> None:
    """Refuse records with values that a strict reader does not take."""
    if misfits.refused:
        count = counted(misfits.refused, "value")
        raise TableError(f"{path}: {count} must fit the plan, as the table shows")


def _examples(group: Group) -> str:
    return ", ".join(f"{row + 1:,}: {_shown(value)}" for row, value in group.examples)


def _shown(value: object) -> str:
    text = f"{value:.12g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
