"""Writing files of SPSS and Stata: rows whose columns have a question, and labels of their values.

Both formats name columns as programs name variables, and cut long texts. Stata has labels of
numbers only: there, text with labels becomes 1, 2, ... in the order of its labels.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from discretion.extras import needed
from discretion.table.labelled import STATA, Described

WHOLE = re.compile(r"-?(0|[1-9]\d{0,14})")
RESERVED = ("ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH")
Labels = dict[int | float | str, str]


@dataclass(frozen=True)
class _Limits:
    """The most bytes of each text."""

    name: int
    question: int
    label: int


LIMITS = {True: _Limits(31, 80, 32_000), False: _Limits(64, 256, 120)}  # Stata, SPSS


def write_labelled(table: pa.Table, path: Path, suffix: str) -> None:
    """Write a table and what its columns say in the format of a suffix, whatever the path is."""
    with needed(f"a {suffix} file"):
        import pandas as pd
        import pyreadstat
    stata = suffix in STATA
    limits = LIMITS[stata]
    columns, questions, labels = {}, {}, {}
    for name, own in zip(_names(table.column_names, limits.name), table.schema, strict=True):
        said = Described.of(own)
        columns[name], found = _coded(table[own.name], said.labels, stata=stata)
        labels[name] = {code: _cut(label, limits.label) for code, label in found.items()}
        questions[name] = _cut(said.question or own.name, limits.question)
    frame = pd.DataFrame({name: pd.Series(each, dtype=object) for name, each in columns.items()})
    frame = frame.infer_objects()
    options: Any = {
        "column_labels": {name: said for name, said in questions.items() if said != name},
        "variable_value_labels": {name: found for name, found in labels.items() if found},
    }
    if stata:
        pyreadstat.write_dta(frame, str(path), **options)
    else:
        pyreadstat.write_sav(frame, str(path), compress=suffix == ".zsav", **options)


def _coded(
    column: pa.ChunkedArray, said: Mapping[str, str], *, stata: bool
) -> tuple[list[Any], Labels]:
    """Return values as a format can label them, and the labels."""
    values = column.to_pylist()
    if not said:
        return values, {}
    if all(WHOLE.fullmatch(code) for code in said):
        found: Labels = {int(code): label for code, label in said.items() if label != code}
        return [None if value is None else int(value) for value in values], found
    if not stata:
        return values, {code: label for code, label in said.items() if label != code}
    places = {code: place for place, code in enumerate(said, 1)}
    return [places.get(value) for value in values], dict(enumerate(said.values(), 1))


def _names(names: Iterable[str], most: int) -> list[str]:
    """Return names that both programs take, as like the given ones as they can be."""
    found: list[str] = []
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
        if not plain[:1].isalpha() or plain.upper() in RESERVED:
            plain = f"v_{plain}"
        taken, own, count = {each.lower() for each in found}, plain[:most], 2
        while own.lower() in taken:
            own, count = f"{plain[: most - 4]}_{count}", count + 1
        found.append(own)
    return found


def _cut(text: str, most: int) -> str:
    """Return so many bytes of a text at most, without half a letter."""
    return text.encode()[:most].decode(errors="ignore")
