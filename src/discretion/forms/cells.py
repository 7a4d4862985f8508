"""The cells of a workbook, read once by themselves: how many, which are formulas, what is not read.

``pyxform`` ends a sheet behind 60 empty rows, its columns behind 20 empty ones, and believes the
size that a sheet says it has. What lies beyond that is listed or refused, not lost. Of a formula,
what it showed last is read; a file that no spreadsheet program has saved holds formulas without
values, and then their text is kept. None is computed here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from discretion.errors import FormError

SHEETS = ("survey", "choices", "settings")
SHOWN = 6  # cells or columns that a remark names
MOST = 500_000  # places of a workbook: cells, and empty ones before the last of a row
EMPTY = 60  # rows, behind which pyxform reads nothing
BEHIND = f"behind more than {EMPTY} empty rows, where forms end"


@dataclass
class Cells:
    """What is in a sheet, by its place."""

    heads: dict[int, str] = field(default_factory=dict)  # by column
    rows: list[int] = field(default_factory=list)  # below the heads, that have something in them
    formulas: list[tuple[int, int, str, str]] = field(default_factory=list)  # with place and text

    def unread(self, read: Sequence[Any]) -> list[int]:
        """Return the rows that have something in them and are behind what was read."""
        return [row for row in self.rows if row > len(read) + 1]


def read_cells(path: Path) -> dict[str, Cells]:
    """Return the cells of the sheets that make a form; refuse more than anybody has asked."""
    return _of_xls(path) if path.suffix.lower() == ".xls" else _of_xlsx(path)


def _of_xlsx(path: Path) -> dict[str, Cells]:
    from openpyxl import load_workbook

    book, found, places = load_workbook(path, read_only=True), dict[str, Cells](), 0
    try:
        for sheet in book.worksheets:
            stated = sheet.max_row, sheet.max_column
            sheet.reset_dimensions()  # to see for oneself
            own = Cells()
            for cells in sheet.iter_rows():
                places += len(cells)
                if places > MOST:
                    raise FormError(str(path), f"must have at most {MOST:,} places for cells")
                _take(own, [cell for cell in cells if cell.value is not None])
            if name := _form_sheet(sheet.title, len(book.worksheets)):
                _check_stated(path, name, own, stated)
                found[name] = own
    finally:
        book.close()
    return found


def _of_xls(path: Path) -> dict[str, Cells]:
    """Return the cells of the older format: it states no formulas here, and has 65,536 rows."""
    from xlrd import open_workbook

    found = dict[str, Cells]()
    with open_workbook(path) as book:
        for sheet in book.sheets():
            if name := _form_sheet(sheet.name, book.nsheets):
                head, *rows = [sheet.row_values(i) for i in range(sheet.nrows)] or [[]]
                heads = {i: str(value) for i, value in enumerate(head, 1) if value != ""}
                kept = [i for i, row in enumerate(rows, 2) if any(value != "" for value in row)]
                found[name] = Cells(heads, kept)
    return found


def _form_sheet(title: str, sheets: int) -> str:
    """Return what a sheet is in a form, if it is part of one: the only one is the survey."""
    name = title.lower()
    return name if name in SHEETS else "survey" if sheets == 1 else ""


def _take(own: Cells, cells: Sequence[Any]) -> None:
    """Note a row."""
    formulas = [cell for cell in cells if cell.data_type == "f"]
    if cells and cells[0].row == 1:
        texts = (cell for cell in cells if cell not in formulas)
        own.heads |= {cell.column: " ".join(str(cell.value).split()) for cell in texts}
    elif cells:
        own.rows.append(cells[0].row)
        own.formulas += [(c.row, c.column, c.coordinate, str(c.value)) for c in formulas]


def _check_stated(path: Path, name: str, own: Cells, stated: tuple[int | None, int | None]) -> None:
    """Refuse a sheet that ends, as it says, before its last cell: readers would stop there."""
    rows, columns = max(own.rows, default=1), max(own.heads, default=1)
    if rows > (stated[0] or rows) or columns > (stated[1] or columns):
        rule = f"sheet {name} is larger than it says: save it once with a spreadsheet program"
        raise FormError(str(path), rule)


def remarks(found: Mapping[str, Cells], sheets: Any) -> Iterator[str]:
    """Put the text of a formula where no value of it is stored; say of each sheet what that did.

    Say also which columns, and which rows of other sheets than the survey, were not read.
    """
    for name, own in found.items():
        read = getattr(sheets, name)
        yield from _kept(name, own, read)
        header = (getattr(sheets, f"{name}_header") or [{}])[0]
        beyond = [own.heads[column] for column in sorted(own.heads)[len(header) :]]
        if beyond:
            yield f"sheet {name}: {_listed(beyond)}: behind 20 empty columns, not read"
        if name != "survey" and (rows := own.unread(read)):
            yield f"sheet {name}: rows {_listed([*map(str, rows)])}: {BEHIND}, not read"


def _kept(name: str, own: Cells, rows: list[dict[str, Any]]) -> Iterator[str]:
    stored, unstored = list[str](), list[str]()
    for row, column, place, text in own.formulas:
        if column not in own.heads or row - len(rows) - 2 > EMPTY:
            continue
        rows.extend({} for _ in range(row - 1 - len(rows)))
        kept = rows[row - 2].setdefault(own.heads[column], text)
        (unstored if kept == text else stored).append(place)
    for places, what in ((stored, "stored values are"), (unstored, "text is")):
        if places:
            yield f"sheet {name}: formulas in {_listed(places)}: their {what} used"


def _listed(items: Sequence[str]) -> str:
    more = f" and {len(items) - SHOWN} more" if len(items) > SHOWN else ""
    return f"{', '.join(items[:SHOWN])}{more}"
