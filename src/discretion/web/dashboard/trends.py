"""The panel over rounds: the curve of each label, or of a mean, and where something changed."""

from collections.abc import Mapping, Sequence

from discretion.estimate.documents.shares import Moment, Series
from discretion.estimate.legend import Legend
from discretion.render.bars import Interval
from discretion.render.formats import Write, interval, listed, measured, p_value, percent
from discretion.render.line import Moment as Point
from discretion.render.line import line_chart
from discretion.render.markup import Markup, element, lines, text
from discretion.render.page import card, figure, folded, tabulated
from discretion.render.tables import Table
from discretion.web.dashboard.documents import Trends, TriedSeries
from discretion.web.dashboard.tables import table_links
from discretion.web.dashboard.words import BELOW, said, warned

DRAWN = 5  # curves of one attribute
LEGEND = "Line: smoothed over all rounds, with its 95 % band. Dots: each round by itself."
MARKED = " Dashed: something changed."
REPEATED = "Devices repeat answers, so rounds share noise: bands and tests are bounds."
SAME = "No change was found at the 5 % level."
SPOKEN = "{} over rounds {} to {}: from {} to {}. {}"
MEAN = "mean"  # the one curve of a number
FILES = {"trends": "Estimates by round", "shifts": "What changed"}


def trends_view(found: Trends, attribute: str, legend: Legend) -> Markup:
    """Return a card for everything that can be followed, or for the one attribute."""
    chosen = [each for each in found["trends"] if attribute in ("", each["name"])]
    if not chosen:
        return text("p", "Two rounds with reports are needed for a curve.", class_="note")
    cards = element("div", *(_card(each, legend) for each in chosen), class_="grid")
    return lines([cards, table_links("", FILES)])


def _card(tried: TriedSeries, legend: Legend) -> Markup:
    name, found = tried["name"], tried["found"]
    title, notes = legend.title(name), warned(tried["warnings"])
    if found is None:
        return card("trends", title, notes, said(tried["reason"]))
    curves = _curves(found)
    shown = sorted(curves, key=lambda label: -curves[label][-1]["smooth"])[:DRAWN]
    left = len(curves) - len(shown)
    more = (MARKED if found["shifts"] else "") + (f" {left} more in the table." if left else "")
    return card(
        "trends",
        title,
        text("p", _changes(found, legend), class_="note"),
        notes,
        lines(_figure(found, label, curves[label], legend) for label in shown),
        text("p", f"{LEGEND}{more}", class_="note"),
        text("p", REPEATED, class_="note") if found["repeated"] else "",
        folded(f"{name} by round: the numbers", _numbers(found, legend)),
    )


def _curves(found: Series) -> Mapping[str, Sequence[Moment]]:
    """Return the points of each label, round after round."""
    curves: dict[str, list[Moment]] = {label: [] for label in found["labels"]}
    for point in found["points"]:
        curves[point["label"]].append(point)
    return curves


def _changes(found: Series, legend: Legend) -> str:
    """Say where something changed, the clearest first."""
    named = [
        f"{_called(found, shift['label'], legend)} from round {shift['round']} on "
        f"(p {p_value(shift['p'])})"
        for shift in found["shifts"]
    ]
    return f"Something changed: {listed(named, DRAWN)}." if named else SAME


def _called(found: Series, label: str, legend: Legend) -> str:
    return "the mean" if _is_mean(found) else legend.label(found["attribute"], label)


def _is_mean(found: Series) -> bool:
    return list(found["labels"]) == [MEAN]


def _write(found: Series, legend: Legend) -> Write:
    if not _is_mean(found):
        return percent
    first = found["points"][0]
    return legend.write(found["attribute"], measured((first["raw_high"] - first["raw_low"]) / 4))


def _figure(found: Series, label: str, points: Sequence[Moment], legend: Legend) -> Markup:
    write, called = _write(found, legend), _called(found, label, legend)
    moments = [
        Point(
            point["round"],
            Interval(point["smooth"], point["smooth_low"], point["smooth_high"]),
            point["raw"],
            f"round {point['round']}: {write(point['raw'])} by itself, "
            f"{write(point['smooth'])} smoothed",
        )
        for point in points
    ]
    first, last = moments[0], moments[-1]
    ends = first.round, last.round, write(first.curve.value), write(last.curve.value)
    changed = [shift["round"] for shift in found["shifts"] if shift["label"] == label]
    spoken = SPOKEN.format(called, *ends, BELOW)
    caption = f"{called}: {interval(last.curve.low, last.curve.high, write)} in round {last.round}"
    return figure(line_chart(moments, changed, spoken, write), caption)


def _numbers(found: Series, legend: Legend) -> Markup:
    write = _write(found, legend)
    rows = [
        (
            f"{point['round']}",
            _called(found, point["label"], legend),
            f"{point['reports']:,}",
            *(
                f"{write(value)} ({interval(low, high, write)})"
                for value, low, high in (
                    (point["raw"], point["raw_low"], point["raw_high"]),
                    (point["online"], point["online_low"], point["online_high"]),
                    (point["smooth"], point["smooth_low"], point["smooth_high"]),
                )
            ),
        )
        for point in found["points"]
    ]
    heads = ("round", "of", "reports", "by itself", "known by then", "smoothed")
    caption = f"{found['attribute']}: estimates by round, with 95 % intervals"
    return tabulated(Table(heads, rows, caption, left=frozenset({1})))
