"""The quality report as one HTML file: nothing is fetched, no script runs, it prints and scales."""

from collections.abc import Iterable, Sequence
from importlib.metadata import version
from importlib.resources import files
from string import Template

from discretion.estimate.look import DARK, LIGHT
from discretion.synthesis import charts, words
from discretion.synthesis.agreement import Agreement
from discretion.synthesis.dependence import Dependence
from discretion.synthesis.headline import Figure
from discretion.synthesis.markup import element, text
from discretion.synthesis.quality import Quality, Utility
from discretion.synthesis.spending import Spending
from discretion.synthesis.unlearnt import Unlearnt
from discretion.synthesis.words import number, percent

OPEN = 12  # rows up to which a table is shown at once

Cell = str  # markup


def page(quality: Quality) -> str:
    """Return the whole page."""
    template = Template(files("discretion.synthesis").joinpath("quality.html").read_text("utf-8"))
    kind = "Simulated reports" if quality.simulated else "Reports"
    return template.substitute(
        light=LIGHT.css,
        dark=DARK.css,
        name=_plain(quality.plan),
        verdict=_verdict(quality),
        facts=_facts(quality),
        privacy=_privacy(quality.spending),
        agreement=_agreement(quality),
        graph=_graph(quality),
        binned=_binned(quality.figures),
        figures=_figures(quality.figures),
        unlearnt=_unlearnt(quality.unlearnt),
        utility=_utility(quality.utility),
        source=_plain(f"{kind} of plan {quality.plan}, {quality.plan_id[:16]}"),
        version=version("discretion"),
    )


def summary(quality: Quality) -> str:
    """Return the verdict for a notebook."""
    said = (*words.verdict(quality), *words.known(quality))
    return element("div", *(text("p", line) for line in said))


def edges_table(found: Dependence) -> str:
    """Return the edges as a table."""
    rows = [
        [
            text("td", f"{pair.strength:.4f}"),
            text("td", words.chance(pair.adjusted)),
            text("td", f"{pair.n:,}"),
        ]
        for pair in found.edges
    ]
    heads = ("pair", "strength (nats)", "adjusted p", "reports with both")
    names = [" and ".join(pair.names) for pair in found.edges]
    return _table(f"{len(rows)} of {len(found.pairs)} pairs depend", heads, names, rows)


def _verdict(quality: Quality) -> str:
    said = [text("p", " ".join(words.verdict(quality)), class_="lead")]
    if truth := list(words.known(quality)):
        said.append(text("p", " ".join(truth)))
    return "\n".join(said)


def _facts(quality: Quality) -> str:
    spending, pairs = quality.spending, quality.dependence.pairs
    missed = len(quality.misses)
    cards = [
        ("owners", f"{spending.reports:,}", f"{quality.rows:,} synthetic rows"),
        ("largest total epsilon", number(spending.largest), f"{number(spending.mean)} on average"),
        ("model misses", str(missed), f"of {len(quality.one_way) + len(quality.two_way)} tables"),
        ("pairs that depend", str(len(quality.dependence.edges)), f"of {len(pairs)}"),
    ]
    return "\n".join(
        element(
            "div",
            text("dt", name),
            element("dd", text("strong", value), text("div", more, class_="note")),
            class_="card alert" if name == "model misses" and missed else "card",
        )
        for name, value, more in cards
    )


def _privacy(spending: Spending) -> str:
    said = [text("p", line) for line in words.privacy_notes(spending)]
    rows = []
    for own in spending.questions:
        levels = [
            "secret" if own.mean_level is None else number(own.mean_level),
            "secret" if own.largest_level is None else number(own.largest_level),
            "secret" if own.of_all_spent is None else percent(own.of_all_spent),
        ]
        rows.append([text("td", cell) for cell in (f"{own.n:,}", percent(own.share), *levels)])
    heads = ("asked", "reports", "of all", "mean level", "largest", "of all spent")
    table = _table("What was shared", heads, [own.name for own in spending.questions], rows)
    what = "Epsilon of whole records"
    if not spending.disclosed:
        what = "Epsilon of whole records, at most"
    if spending.largest > spending.edges[0]:
        middle = f"mean {number(spending.mean)}, median {number(spending.median)}"
        shown = _figure(charts.totals(spending), f"{what}: {middle}")
        return "\n".join([*said, element("div", shown, table, class_="pair")])
    alike = text("p", f"{what}: {number(spending.largest)}, for every owner.")
    return "\n".join([*said, alike, table])


def _agreement(quality: Quality) -> str:
    one, two = quality.one_way, quality.two_way
    shown = [_agreements("One attribute", one)]
    if two:
        caption = (
            "Distance of each pair, in units of what noise alone would give: the fuller, the "
            "farther, up to twice the noise. Orange: the model misses."
        )
        shown.insert(0, _figure(charts.ratios(quality.attributes, two), caption, wide=True))
        shown.append(_agreements("Two attributes", two))
    return "\n".join(shown)


def _agreements(title: str, found: Sequence[Agreement]) -> str:
    order = sorted(found, key=lambda each: (not each.misses, -each.ratio))
    rows = [
        [
            text("td", percent(each.distance)),
            text("td", percent(each.noise)),
            text("td", f"{each.ratio:.2f}"),
            text("td", words.chance(each.adjusted)),
            text("td", "misses" if each.misses else "agrees", class_="miss" if each.misses else ""),
            text("td", f"{each.n:,}"),
        ]
        for each in order
    ]
    heads = (title, "distance", "by noise", "ratio", "adjusted p", "model", "reports")
    return _table(title, heads, [" and ".join(each.attributes) for each in order], rows)


def _graph(quality: Quality) -> str:
    found = quality.dependence
    picture = _figure(
        charts.graph(found, quality.unlearnt.dropped),
        "A line joins two attributes that depend; the wider, the stronger. Grey: none found. "
        "Dashed: not in the model's tables.",
        wide=True,
    )
    rate = percent(found.rate)
    said = f"At most {rate} of the edges are expected to be no dependence at all."
    return "\n".join([text("p", said), picture, edges_table(found)])


def _binned(found: Sequence[Figure]) -> str:
    if not any(each.assumes for each in found):
        return ""
    return text("p", words.BOUNDS)


def _figures(found: Sequence[Figure]) -> str:
    names, rows = [], []
    for each in found:
        write = percent if each.what == "share" else number
        names.append(f"{each.attribute}: {each.label or each.what}")
        rows.append(
            [
                text("td", write(each.model)),
                element("td", text("div", write(each.estimate)), *_assumed(each)),
                text("td", f"{write(each.low)} to {write(each.high)}"),
                element("td", charts.interval(each)),
            ]
        )
    heads = ("figure", "model", "estimate", "95 % interval", "model in it")
    return _table("Headline figures", heads, names, rows, folded=False)


def _assumed(figure: Figure) -> list[Cell]:
    return [] if figure.assumes is None else [text("div", "if spread evenly", class_="note")]


def _unlearnt(unlearnt: Unlearnt) -> str:
    said = [element("ul", *(text("li", line) for line in words.limits(unlearnt)))]
    if unlearnt.pairs:
        names = [f"{each.one} and {each.other}" for each in unlearnt.pairs]
        rows = [
            [text("td", _visible(each.visible)), text("td", f"{each.n:,}")]
            for each in unlearnt.pairs
        ]
        power = f"would have been found in {percent(unlearnt.power)} of such crowds"
        heads = ("not told apart from independence", power, "reports with both")
        said.append(_table("Pairs without a dependence", heads, names, rows))
    if unlearnt.values:
        names = [f"{each.attribute}: {each.label}" for each in unlearnt.values]
        rows = [
            [text("td", percent(each.model)), text("td", percent(each.resolvable))]
            for each in unlearnt.values
        ]
        heads = ("not told apart from nobody", "model", "could be told from")
        said.append(_table("Values too rare to be resolved", heads, names, rows))
    return "\n".join(said)


def _visible(strength: float | None) -> str:
    return "not even the strongest" if strength is None else f"{strength:.4f} nats"


def _utility(utility: Utility | None) -> str:
    if utility is None:
        return text("p", "The true records were not given, as they never are outside a simulation.")
    rows = [
        [
            text("td", str(each.sets)),
            text("td", percent(each.mean)),
            text("td", percent(each.largest)),
            text("td", percent(each.unrelated)),
        ]
        for each in utility.distances
    ]
    heads = ("attributes", "tables", "off by", "worst", "if unrelated")
    names = [words.ORDERS[each.order] for each in utility.distances]
    shown = [_table("Total variation from the truth", heads, names, rows, folded=False)]
    for kind in utility.classifiers:
        targets = [kind.mean, *kind.targets] if len(kind.targets) > 1 else kind.targets
        rows = [
            [
                element("td", charts.bar(each.synthetic)),
                text("td", percent(each.synthetic)),
                text("td", percent(each.real)),
                text("td", percent(each.majority)),
            ]
            for each in targets
        ]
        heads = ("target", "", "learnt from synthetic", "from real", "most frequent")
        title = f"Right answers of a {kind.kind} about real rows"
        shown.append(_table(title, heads, [each.attribute for each in targets], rows))
    return "\n".join(shown)


def _table(
    title: str,
    heads: Sequence[str],
    names: Iterable[str],
    rows: Sequence[Sequence[Cell]],
    *,
    folded: bool = True,
) -> str:
    """Return a table with its title; a long one is folded."""
    head = element("tr", *(text("th", name, scope="col") for name in heads))
    body = [
        element("tr", text("th", name, scope="row"), *cells)
        for name, cells in zip(names, rows, strict=True)
    ]
    table = element("table", element("thead", head), element("tbody", *body))
    wide = element("div", table, class_="wide", role="region", aria_label=title, tabindex=0)
    count = f"{title} ({len(rows)})"
    if folded and len(rows) > OPEN:
        return element("details", text("summary", count), wide, class_="card")
    return element("div", text("h3", title), wide, class_="card")


def _figure(picture: str, caption: str, *, wide: bool = False) -> str:
    shown = element("div", picture, class_="wide") if wide else picture
    return element("figure", text("figcaption", caption), shown)


def _plain(words_: str) -> str:
    return text("span", words_)
