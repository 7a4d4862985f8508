"""An XLSForm workbook as rows: what each asks, in which groups, and what pyxform left out.

``pyxform`` knows the columns, their aliases and the rules of the format. Every row keeps its number
in the sheet, so that whatever becomes of it can be said by row. Nothing in a cell is executed.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from discretion.errors import FormError
from discretion.extras import needed
from discretion.forms.cells import BEHIND, read_cells
from discretion.forms.cells import remarks as remarks_about

SUFFIXES = (".xlsx", ".xlsm", ".xls")
ZIPPED = SUFFIXES[:2]
LARGEST = 1 << 28  # bytes of all parts of a workbook, unpacked
ROW = "__row"  # the column that carries the number of a row through pyxform
USED = frozenset({"list_name", "list name", "name", "label"})  # columns of choices
SETTINGS = frozenset({"form_title", "title", "form_id", "id_string", "default_language", "name"})
NESTS = ("score", "rank", "kobomatrix")  # blocks that KoboToolbox unfolds before forms are used
CONTROLS = ("group", "repeat", "loop")


@dataclass(frozen=True)
class Item:
    """A row of the survey sheet: a question, a group, or anything else that has a type."""

    row: int
    type: str  # as pyxform calls it
    stated: str  # as the sheet does
    name: str
    fields: Mapping[str, Any]
    groups: tuple["Item", ...] = ()  # those around it, from outside

    @property
    def bind(self) -> Mapping[str, str]:
        """The logic of a question: constraint, relevant, required."""
        return self.fields.get("bind", {})

    @property
    def choices(self) -> str:
        """The name of the list that it chooses from."""
        return str(self.fields.get("itemset", ""))


@dataclass(frozen=True)
class Left:
    """Something that a form has and a plan does not: where it stands, and why it was left out."""

    row: int
    name: str
    type: str
    reason: str


@dataclass(frozen=True)
class Form:
    """A form in the order of its sheet."""

    name: str
    title: str
    language: str  # of texts in columns that name none; "default" if nobody says
    items: tuple[Item, ...]  # groups before what is in them
    choices: Mapping[str, Sequence[Mapping[str, Any]]]
    left: tuple[Left, ...]  # rows that are no part of the form
    remarks: tuple[str, ...] = field(default=())  # about the whole workbook


def read_form(path: Path) -> Form:
    """Read a workbook; what pyxform finds wrong with it is refused with the row it names."""
    if path.suffix.lower() not in SUFFIXES:
        raise FormError(str(path), f"must be an XLSForm: a workbook ({', '.join(SUFFIXES)})")
    with needed("an XLSForm"):
        from pyxform.xls2json import workbook_to_json
        from pyxform.xls2json_backends import get_xlsform
    _check_size(path)
    with _readable(path):
        cells = read_cells(path)
        sheets = get_xlsform(str(path), file_type=path.suffix.lower())
        remarks = [*_unread(sheets), *remarks_about(cells, sheets)]
        unread = cells["survey"].unread(sheets.survey or ()) if "survey" in cells else []
    stated = {
        n: str(row["type"]) for n, row in _rows(_lowered(sheets.survey or ())) if "type" in row
    }
    nested = _nested(sheets)
    if sheets.survey_header:
        sheets.survey_header[0][ROW] = None
    for number, row in _rows(sheets.survey or ()):
        row[ROW] = str(number)
    with _readable(path):
        found = workbook_to_json(sheets, fallback_form_name=path.stem)
    items = tuple(_items(found["children"], stated))
    seen = {item.row for item in items} | {left.row for left in nested}
    return Form(
        name=str(found["id_string"]),
        title=str(found.get("title") or ""),
        language=str(found["default_language"]),
        items=items,
        choices=found.get("choices", {}),
        left=(
            *nested,
            *_skipped(sheets.survey or (), stated, seen),
            *(Left(row, "", "", f"{BEHIND}: not read") for row in unread),
        ),
        remarks=tuple(remarks),
    )


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Say in one line what pyxform, or a reader below it, finds wrong with a workbook."""
    from pyxform.errors import PyXFormError

    try:
        yield
    except FormError:
        raise
    except PyXFormError as error:
        raise FormError(str(path), _said(error)) from None
    except Exception as error:  # the readers raise whatever a broken file leads them to
        why = f"cannot be read as a workbook ({type(error).__name__}: {_said(error)})"
        raise FormError(str(path), why) from None


def _is_zipped(path: Path) -> bool:
    return path.suffix.lower() in ZIPPED


def _check_size(path: Path) -> None:
    """Refuse what is no workbook, and one that would fill the memory when it is unpacked."""
    if not _is_zipped(path):
        path.stat()
        return
    try:
        with ZipFile(path) as parts:
            size = sum(part.file_size for part in parts.infolist())
    except BadZipFile:
        raise FormError(str(path), "must be a workbook, and is none") from None
    if size > LARGEST:
        raise FormError(str(path), f"must have at most {LARGEST >> 20} MB, and has {size >> 20}")


def _said(error: Exception) -> str:
    """Return the first lines of an error in one, with rows as they are written here."""
    text = " ".join(str(error).split())
    if text.startswith("Argument 'definition'"):
        return "must be a workbook, and cannot be read as one"
    return text.replace("[row : ", "row ").replace("] ", ": ", 1)[:300]


def _rows(sheet: Sequence[dict[str, Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows that are not empty with their numbers in the sheet."""
    return ((number, row) for number, row in enumerate(sheet, start=2) if row)


def _lowered(sheet: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{key.strip().lower(): value for key, value in row.items()} for row in sheet]


def _items(
    children: Sequence[Mapping[str, Any]],
    stated: Mapping[int, str],
    groups: tuple[Item, ...] = (),
    row: int = 0,
) -> Iterator[Item]:
    """Yield what pyxform found; what it made up belongs to the row before."""
    for child in children:
        row = int(child.get(ROW, row))
        found, name = str(child["type"]), str(child.get("name", ""))
        own = ROW in child
        shown = stated.get(row, found) if own else found
        item = Item(row, found, shown, name, child, groups)
        if own or found == "text":  # what is written beside "other"
            yield item
        inside = (*groups, item) if own else groups
        yield from _items(child.get("children", ()), stated, inside, row)


def _nested(sheets: Any) -> list[Left]:
    """Take KoboToolbox's own blocks out of the sheet: pyxform knows nothing of them."""
    left, block, survey = [], "", list(sheets.survey or ())
    for number, row in _rows(survey):
        kind = str(next((row[key] for key in row if key.strip().lower() == "type"), ""))
        word = kind.strip().lower().replace(" ", "_")
        begun = next((nest for nest in NESTS if word == f"begin_{nest}"), "")
        block = block or begun
        if block:
            reason = f"a {block} block of KoboToolbox: ask its parts as questions of their own"
            if word != f"end_{block}":
                left.append(Left(number, str(row.get("name", "")), kind, reason))
            survey[number - 2] = {}
        if word == f"end_{block}":
            block = ""
    sheets.survey = survey
    return left


def _skipped(
    sheet: Sequence[Mapping[str, Any]], stated: Mapping[int, str], seen: set[int]
) -> Iterator[Left]:
    """Yield the rows that are in the sheet and became nothing, but for the ends of groups."""
    for number, row in enumerate(sheet, start=2):
        kind = stated.get(number, "")
        ends = kind.strip().lower().replace("_", " ").startswith("end ")
        if not row or number in seen or (ends and kind.split()[-1].split("_")[-1] in CONTROLS):
            continue
        reason = "a comment: the row has no type"
        if kind:
            reason = "disabled in the form" if "disabled" in row else "a setting, not a question"
        yield Left(number, str(row.get("name", "")), kind, reason)


def _unread(sheets: Any) -> Iterator[str]:
    """Yield a remark about sheets, settings and columns of choices without a place in a plan."""
    for name in ("entities", "osm", "external_choices"):
        if getattr(sheets, name):
            yield f"sheet {name}: not carried over"
    columns = {
        "settings": [*(sheets.settings_header or [{}])[0]],
        "choices": [*(sheets.choices_header or [{}])[0]],
    }
    for sheet, known in (("settings", SETTINGS), ("choices", USED)):
        names = [name for name in columns[sheet] if name.split(":")[0].strip().lower() not in known]
        if names:
            more = f" and {len(names) - 8} more" if len(names) > 8 else ""
            yield f"sheet {sheet}: {', '.join(names[:8])}{more}: not carried over"
