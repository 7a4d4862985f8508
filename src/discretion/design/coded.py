"""What a proposal takes from a file that describes its columns: questions, and labels of codes."""

from collections.abc import Iterator, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from discretion.errors import PlanError
from discretion.plan.attributes import MOST_CODES
from discretion.plan.file import flow
from discretion.plan.legibility import check_distinct, illegible
from discretion.plan.wording import ATTRIBUTE, LABEL
from discretion.schema.categorical import OTHER, text
from discretion.table.labelled import Described

UNKNOWN = ("?", "unknown", "not stated", "missing", "n/a", "na", "other")  # homes for new labels
SHOWN = 3  # labels that a reason quotes


def question_of(described: Described) -> tuple[str, ...]:
    """Return the field of a question that people can read, cut where a plan has no more room."""
    said = described.question[: ATTRIBUTE["question"]]
    return (f"question: {flow(said)}",) if said and not illegible(said) else ()


def codes_of(described: Described, column: pa.ChunkedArray) -> tuple[str, tuple[str, ...]]:
    """Return the reason and the fields of a column whose values all have labels in the file.

    Its code book says what may be answered, not the records. Where other values occur, there are no
    fields, and the reason says which have labels.
    """
    labels = described.labels
    if not labels:
        return "", ()
    held = {text(value) for value in pc.unique(column).to_pylist() if value is not None}
    if not held <= {*labels} or not 2 <= len(labels) <= MOST_CODES:
        quoted = ", ".join(f"{code}: {label}" for code, label in [*labels.items()][:SHOWN])
        more = ", ..." if len(labels) > SHOWN else ""
        return f" The file has labels of some of its values ({quoted}{more}).", ()
    reason, shown = f"{len(labels)} values with labels, as the file defines them.", dict(labels)
    if fault := _fault(labels):
        reason, shown = f"{reason} The labels are left out: {fault}.", {}
    values = ["values:", *(f"  - {line}" for line in _values(labels, shown))]
    return reason, ("kind: categorical", *values, *_fallback(labels))


def _fault(labels: Mapping[str, str]) -> str:
    """Return why people could not tell labels apart, "" if they can."""
    try:
        check_distinct("", "labels", labels.values())
    except PlanError as error:
        return f"{error.value!r} {error.rule}"
    return next(
        (f"{label!r} {fault}" for label in labels.values() if (fault := illegible(label))), ""
    )


def _values(labels: Mapping[str, str], shown: Mapping[str, str]) -> Iterator[str]:
    for code in labels:
        yield flow({"code": code, "label": shown[code][:LABEL]} if shown else code)


def _fallback(labels: Mapping[str, str]) -> tuple[str, ...]:
    """Return where a value belongs that is not listed, if one of the labels says that."""
    if OTHER in labels:
        return ()
    homes = (code for mark in UNKNOWN for code, own in labels.items() if own.casefold() == mark)
    home = next(homes, None)
    return (f"fallback: {flow(home)}",) if home else ()
