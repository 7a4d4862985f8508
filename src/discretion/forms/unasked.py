"""What a form may have and a plan cannot ask: each kind of row, and the reason."""

from collections.abc import Iterator, Mapping
from typing import Any

from discretion.forms.workbook import Item

ASKED = {  # by what pyxform binds a kind to: how it is asked here
    "int": "number",
    "decimal": "number",
    "date": "date",
    "dateTime": "date",
    "time": "time",
}
LISTED = ("select one",)
FILE = "a file says more than a mechanism can perturb"
PLACE = "a place on the map identifies people: ask for a district from a list"
FREE = (
    "free text has no list of values, and may identify people: offer choices (or write kind: text, "
    "where analysts will name candidates)"
)
DATA = "data of the device or of its user: nothing is asked, and reports carry none"
MOMENT = "the moment of an interview: nothing is asked, and reports carry none"
LOG = "a log of how the form was filled in: devices keep none"
REASONS = {  # by kind
    "select all that apply": "several choices cannot be asked yet: ask yes or no about each",
    "rank": "a ranking cannot be asked yet: ask for the first choice",
    "select one external": "its choices are in a file or in sheet external_choices: list them",
    "repeat": "repeats: a record has one answer to each question",
    "loop": "repeats: a record has one answer to each question",
    "calculate": "calculated: nothing is asked",
    "hidden": "hidden: nothing is asked",
    "acknowledge": "asks for a tick: owners agree before anything is sent",
    "trigger": "asks for a tick: owners agree before anything is sent",
    "note": "a note that is shown under a condition, or before no question that the plan asks",
    "text": FREE,
    "string": FREE,
    "barcode": "a code identifies a thing or a person",
    **dict.fromkeys(("photo", "image", "audio", "video", "file", "osm"), FILE),
    **dict.fromkeys(("geopoint", "geotrace", "geoshape", "location", "gps"), PLACE),
    **dict.fromkeys(("start-geopoint", "background-geopoint"), PLACE),
    **dict.fromkeys(("start", "end", "today"), MOMENT),
    **dict.fromkeys(("audit", "background-audio"), LOG),
    **dict.fromkeys(("xml-external", "csv-external"), "attaches a file of data: nothing is asked"),
    **dict.fromkeys(
        ("deviceid", "username", "email", "phonenumber", "simserial", "subscriberid"), DATA
    ),
}


class Unaskable(Exception):
    """Why a row cannot be asked; ``fields`` are what an author might complete."""

    def __init__(self, reason: str, fields: Mapping[str, Any] | None = None) -> None:
        self.reason, self.fields = reason, dict(fields or {})
        super().__init__(reason)


def reason_of(item: Item, binding: str, preloaded: str) -> str:
    """Return why a plan cannot ask a row, "" if it can.

    ``binding`` is the type that pyxform gives its answers, ``preloaded`` where it takes them from.
    """
    return next(_reasons(item, binding, preloaded), "")


def _reasons(item: Item, binding: str, preloaded: str) -> Iterator[str]:
    around = [each for each in item.groups if each.type in REASONS]
    if around:
        yield f"inside {around[0].type} {around[0].name!r} (row {around[0].row}), which repeats"
    if item.type in REASONS:
        yield REASONS[item.type]
    if preloaded:
        yield MOMENT if preloaded in ("timestamp", "date") else DATA
    if item.type not in LISTED and binding not in ASKED:
        yield {"binary": FILE, "geopoint": PLACE, "string": FREE}.get(
            binding, f"{item.stated!r} is not a type that is known here"
        )
    if "choice_filter" in item.fields:
        yield "its choices depend on another answer (choice_filter)"
    if str(item.fields.get("control", {}).get("appearance", "")).startswith("search("):
        yield "its choices are in a file: list them"
    if "calculate" in item.bind:
        yield "calculated: nothing is asked"
    if item.bind.get("readonly", "").lower() in ("yes", "true", "true()"):
        yield "read only: nothing is asked"
    if item.type in LISTED and "." in item.choices:
        yield "its choices are in a file: list them"
    if item.type in LISTED and "${" in item.choices:
        yield "its choices are answers to another question"
