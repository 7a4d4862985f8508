"""All estimates of a round as a table for spreadsheets: a row for each label, mean, quantile."""

from collections.abc import Iterator, Sequence

from discretion.estimate.documents import Interval
from discretion.estimate.documents.numbers import Quantile
from discretion.estimate.legend import Legend
from discretion.web.dashboard.documents import (
    Bound,
    Curves,
    Frequencies,
    Mean,
    Overview,
    Quantiles,
    Ranges,
    Rows,
)
from discretion.web.dashboard.export import Export

COLUMNS = ("attribute", "what", "value", "stderr", "low", "high", "reports", "method")
ESTIMATE = ("value", "stderr", "low", "high")
Row = dict[str, object]


def estimates_sheet(overview: Overview, curves: Curves | None, legend: Legend) -> Export:
    """Return the table; what could not be estimated has the reason in its place.

    Dates and times of day stand as such; their standard errors are in days and in minutes.
    """
    quantiles = {each["name"]: each["found"] for each in (curves or {"curves": []})["curves"]}
    rows: list[Row] = []
    for tried in overview["estimates"]:
        if tried["found"] is None:
            rows += [{"attribute": tried["name"], "what": f"no estimate: {tried['reason']}"}]
        elif tried["kind"] == "labels":
            rows += _labels(tried["found"])
        elif tried["kind"] == "ranges":
            rows += _ranges(tried["found"], legend)
        elif tried["kind"] == "other":
            rows += _other(tried["name"], tried["statistic"], tried["found"])
        else:
            rows += _number(tried["found"], quantiles.get(tried["name"]), legend)
    shares = list(dict.fromkeys(column for row in rows for column in row if column not in COLUMNS))
    heads = [*COLUMNS, *shares]
    return Export(heads, [[row.get(head) for head in heads] for row in rows])


def means_of(overview: Overview) -> Iterator[tuple[str, Mean]]:
    """Yield every number that could be estimated, under its name."""
    for tried in overview["estimates"]:
        if tried["kind"] == "number" and tried["found"] is not None:
            yield tried["name"], tried["found"]


def _labels(found: Frequencies) -> Iterator[Row]:
    for i, row in enumerate(found["frequencies"]):
        named = {key: value for key, value in row.items() if key != "label"}
        bounds = _bounds(found["margins"], i)
        yield {**_head(found), "what": row["label"], **named, **bounds}


def _number(found: Mean, quantiles: Quantiles | None, legend: Legend) -> Iterator[Row]:
    def written(row: Interval | Quantile) -> Row:
        own = {"value": row["value"], "low": row["low"], "high": row["high"]}
        moment = legend.moments.get(found["attribute"])
        return {k: v if moment is None or v is None else moment.written(v) for k, v in own.items()}

    mean = {**found["mean"], **written(found["mean"])}
    yield {**_head(found), "what": "mean", **mean, **_bounds(found["margins"], 0)}
    if quantiles is None:
        return
    head = {**_head(found), "method": quantiles["method"]}
    for row in quantiles["quantiles"]:
        yield {**head, "what": f"quantile {row['level']:g}", **written(row)}


def _ranges(found: Ranges, legend: Legend) -> Iterator[Row]:
    moment = legend.moments.get(found["attribute"])
    for i, row in enumerate(found["ranges"]):
        ends = (
            end if moment is None else moment.written(float(end))
            for end in (row["from"], row["to"])
        )
        own = {"what": " to ".join(map(str, ends)), "value": row["value"]}
        own |= {"stderr": row["stderr"], "low": row["low"], "high": row["high"]}
        yield {**_head(found), **own, **_bounds(found["margins"], i)}


def _other(name: str, statistic: str, found: Rows) -> Iterator[Row]:
    for row in found["rows"]:
        named = dict(zip(found["heads"], row, strict=True))
        kept = {key: named[key] for key in ESTIMATE if key in named}
        what = row[0] if isinstance(row[0], str) else statistic  # a row may have a name of its own
        yield {"attribute": name, "what": what, **kept}


def _head(found: Frequencies | Mean | Ranges) -> Row:
    named = {"reports": found["reports"], "method": found["method"]}
    return {**named, "attribute": found["attribute"]}


def _bounds(bounds: Sequence[Bound], i: int) -> Row:
    """Return how far each share of false reports moves an estimate."""
    named: Row = {}
    for each in bounds:
        share, by = f"{100 * each['share']:g} % of false reports", each["margins"][i]
        named |= {f"down by {share}": by["down"], f"up by {share}": by["up"]}
    return named
