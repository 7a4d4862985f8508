"""All estimates of a round as a table for spreadsheets: a row for each label, mean, quantile."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

COLUMNS = ("attribute", "what", "value", "stderr", "low", "high", "reports", "method")
FORMULA = re.compile(r"\s*(?![+-]?[\d.,]+$)[=+@-]")  # what a spreadsheet would work out
Row = dict[str, Any]


def estimates_csv(overview: Mapping[str, Any], curves: Mapping[str, Any] | None) -> str:
    """Return the table; what could not be estimated is not in it."""
    found = [each["found"] for each in overview["estimates"] if each["found"] is not None]
    told = [] if curves is None else curves["curves"]
    quantiles = {each["name"]: each["found"] for each in told if each["found"] is not None}
    rows = [row for each in found for row in _rows(each, quantiles)]
    shares = list(dict.fromkeys(column for row in rows for column in row if column not in COLUMNS))
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, [*COLUMNS, *shares], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def plain(name: str) -> str:
    """Return a name as text, whatever its author put first: an apostrophe keeps formulas asleep."""
    return f"'{name}" if FORMULA.match(name) else name


def _rows(found: Mapping[str, Any], quantiles: Mapping[str, Any]) -> Iterator[Row]:
    head = {key: found[key] for key in ("reports", "method")}
    head["attribute"] = plain(found["attribute"])
    if "frequencies" in found:
        for place, row in enumerate(found["frequencies"]):
            named = {key: value for key, value in row.items() if key != "label"}
            yield {**head, "what": plain(row["label"]), **named, **_lies(found["margins"], place)}
        return
    yield {**head, "what": "mean", **found["mean"], **_lies(found["margins"], 0)}
    curve = quantiles.get(found["attribute"], {"quantiles": []})
    for row in curve["quantiles"]:
        named = {key: row[key] for key in ("value", "low", "high")}
        yield {**head, "what": f"quantile {row['level']:g}", "method": curve["method"], **named}


def _lies(margins: Sequence[Mapping[str, Any]], place: int) -> Row:
    """Return how far each share of liars moves an estimate."""
    return {
        f"{way} by {100 * each['share']:g} % of lies": each["margins"][place][way]
        for each in margins
        for way in ("down", "up")
    }
