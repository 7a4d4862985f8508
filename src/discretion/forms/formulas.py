"""Formulas in a workbook: what they showed last is read, and none is computed here.

A file that no spreadsheet program has saved holds formulas without values. Then their text is kept,
so that a row does not lose a cell unseen.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

SHEETS = ("survey", "choices", "settings")
SHOWN = 6  # cells that a remark names


def kept_formulas(path: Path, sheets: Any) -> Iterator[str]:
    """Put the text of a formula where no value of it is stored; yield a remark for each sheet."""
    from openpyxl import load_workbook

    book = load_workbook(path, read_only=True)
    try:
        for sheet in book.worksheets:
            name = sheet.title.lower()
            rows = getattr(sheets, name) if name in SHEETS else None
            if rows is not None:
                yield from _kept(name, sheet, rows)
    finally:
        book.close()


def _kept(name: str, sheet: Any, rows: list[dict[str, Any]]) -> Iterator[str]:
    heads: dict[int, str] = {}
    stored, unstored = list[str](), list[str]()
    for cells in sheet.iter_rows():
        for cell in cells:
            if cell.value is None:
                continue
            if cell.row == 1:
                heads[cell.column] = " ".join(str(cell.value).split())
            elif cell.data_type == "f" and cell.column in heads:
                rows.extend({} for _ in range(cell.row - 1 - len(rows)))
                text = str(cell.value)
                kept = rows[cell.row - 2].setdefault(heads[cell.column], text)
                (unstored if kept == text else stored).append(cell.coordinate)
    for places, what in ((stored, "stored values are"), (unstored, "text is")):
        if places:
            more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
            yield f"sheet {name}: formulas in {', '.join(places[:SHOWN])}{more}: their {what} used"
