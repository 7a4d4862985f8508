"""The quality report as one HTML file: nothing is fetched, no script runs, it prints and scales."""

from collections.abc import Sequence
from importlib.metadata import version

from discretion.joints.interactions import Interaction
from discretion.render.bars import gauge, interval_mark
from discretion.render.formats import interval, number, p_value, percent
from discretion.render.heat import NUMBERED, PLAIN, Cell, HeatMap
from discretion.render.markup import Markup, element, lines, text
from discretion.render.page import (
    fact,
    figure,
    filled,
    paragraphs,
    scrolled,
    standalone_page,
    table_card,
)
from discretion.render.tables import Table
from discretion.render.trend import Column, trend_chart
from discretion.synthesis import words
from discretion.synthesis.agreement import Agreement
from discretion.synthesis.dependence import Dependence
from discretion.synthesis.headline import Figure
from discretion.synthesis.quality import Quality, Utility
from discretion.synthesis.spending import Question, Spending
from discretion.synthesis.unlearnt import Unlearnt

WRITTEN = 12  # attributes up to which the cells of their pairs have numbers
FAINTEST, FULL = 0.12, 2.0  # the shade of a ratio of 0, and the ratio of a full colour
MOST_TRIPLES = 100  # that are listed, those with the clearest interaction first
SECRET = "secret"
BELOW = "Numbers: table below."


def page(quality: Quality) -> str:
    """Return the whole page."""
    kind = "Simulated reports" if quality.simulated else "Reports"
    body = filled(
        "discretion.synthesis",
        "quality.html",
        name=quality.plan,
        verdict=_verdict(quality),
        facts=_facts(quality),
        privacy=_privacy(quality.spending),
        agreement=_agreement(quality),
        graph=_graph(quality),
        figures=_figures(quality.figures),
        unlearnt=_unlearnt(quality.unlearnt),
        utility=_utility(quality.utility),
        source=f"{kind} of plan {quality.plan}, {quality.plan_id[:16]}",
        version=version("discretion"),
    )
    return standalone_page("Discretion: quality of a publication", body)


def summary(quality: Quality) -> Markup:
    """Return the verdict for a notebook."""
    return element("div", paragraphs([*words.verdict(quality), *words.known(quality)]))


def edges(found: Dependence) -> Table:
    """Return the pairs that depend."""
    rows = [
        (" and ".join(pair.names), f"{pair.strength:.4f}", p_value(pair.adjusted), f"{pair.n:,}")
        for pair in found.edges
    ]
    heads = ("pair", "strength (nats)", "adjusted p", "reports with both")
    return Table(heads, rows, f"{len(rows)} of {len(found.pairs)} pairs depend")


def _verdict(quality: Quality) -> Markup:
    said = [text("p", " ".join(words.verdict(quality)), class_="lead")]
    if truth := list(words.known(quality)):
        said.append(text("p", " ".join(truth)))
    return lines(said)


def _facts(quality: Quality) -> Markup:
    spending, pairs, missed = quality.spending, quality.dependence.pairs, len(quality.misses)
    tables = len(quality.one_way) + len(quality.two_way)
    mean = f"{number(spending.mean, 3)} on average"
    return lines(
        [
            fact("owners", f"{spending.reports:,}", f"{quality.rows:,} synthetic rows"),
            fact("largest total epsilon", number(spending.largest, 3), mean),
            fact("model misses", str(missed), f"of {tables} tables", "alert" if missed else ""),
            fact("pairs that depend", str(len(quality.dependence.edges)), f"of {len(pairs)}"),
        ]
    )


def _privacy(spending: Spending) -> Markup:
    said = paragraphs(words.privacy_notes(spending))
    heads = ("asked", "reports", "of all", "mean level", "largest", "of all spent")
    table = table_card(Table(heads, [*map(_spent, spending.questions)], "What was shared"))
    what = "Epsilon of whole records" + ("" if spending.disclosed else ", at most")
    if spending.largest <= spending.edges[0]:
        alike = text("p", f"{what}: {number(spending.largest, 3)}, for every owner.")
        return lines([said, alike, table])
    middle = f"mean {number(spending.mean, 3)}, median {number(spending.median, 3)}"
    chart = figure(_totals(spending), f"{what}: {middle}")
    return lines([said, element("div", chart, table, class_="pair")])


def _spent(own: Question) -> tuple[str, ...]:
    levels = (
        SECRET if level is None else number(level, 3)
        for level in (own.mean_level, own.largest_level)
    )
    spent = SECRET if own.of_all_spent is None else percent(own.of_all_spent)
    return own.name, f"{own.n:,}", percent(own.share), *levels, spent


def _totals(spending: Spending) -> Markup:
    """Draw how many owners spent how much in all."""
    edges = [number(edge, 3) for edge in spending.edges]
    bins = zip(edges, edges[1:], spending.shares, strict=False)
    columns = [
        Column(share, f"{low} to {high}: {percent(share)} of the owners")
        for low, high, share in bins
    ]
    label = "Histogram of the owners' total epsilons."
    return trend_chart(columns, edges, label, lambda share: f"{100 * share:g} %")


def _agreement(quality: Quality) -> Markup:
    one, two = quality.one_way, quality.two_way
    shown = [_agreements("One attribute", one)]
    if two:
        caption = (
            "Distance of each pair, in units of what noise alone would give: the fuller, the "
            "farther, up to twice the noise. Orange: the model misses."
        )
        shown.insert(0, figure(scrolled(_ratios(quality.attributes, two), "Map of pairs"), caption))
        shown.append(_agreements("Two attributes", two))
    if quality.interactions:
        shown.append(_interactions(quality.interactions))
    return lines(shown)


def _interactions(found: Sequence[Interaction]) -> Markup:
    rows = [
        (
            ", ".join(each.attributes),
            f"{each.errors:.1f}",
            p_value(each.adjusted),
            text("span", "not expressed", class_="miss") if each.found else "none found",
        )
        for each in sorted(found, key=lambda each: each.p)[:MOST_TRIPLES]
    ]
    heads = ("three attributes", "standard errors", "adjusted p", "interaction")
    left = frozenset({0, 3})
    return table_card(Table(heads, rows, "Three attributes, beyond what pairs imply", left=left))


def _ratios(names: Sequence[str], pairs: Sequence[Agreement]) -> Markup:
    """Draw how far the model is from unbiased estimates of each pair, in units of their noise."""
    written = len(names) <= WRITTEN
    cells = []
    for pair in pairs:
        column, row = sorted(names.index(name) for name in pair.attributes)
        shade = 1.0 if pair.misses else max(FAINTEST, pair.ratio / FULL)
        title = f"{' and '.join(pair.attributes)}: {pair.ratio:.2f} times the noise"
        number = (f"{pair.ratio:.1f}",) if written else ("!",) * pair.misses
        cells.append(Cell(row - 1, column, shade, title, number, pair.misses))
    rows, columns = names[1:], names[:-1]
    missed = sum(pair.misses for pair in pairs)
    label = f"Ratios of {len(pairs)} pairs, {missed} of which miss. {BELOW}"
    return HeatMap(rows, columns, cells, size=NUMBERED if written else PLAIN).draw(label)


def _agreements(title: str, found: Sequence[Agreement]) -> Markup:
    rows = [
        (
            " and ".join(each.attributes),
            percent(each.distance),
            percent(each.noise),
            f"{each.ratio:.2f}",
            p_value(each.adjusted),
            text("span", "misses", class_="miss") if each.misses else "agrees",
            f"{each.n:,}",
        )
        for each in sorted(found, key=lambda each: (not each.misses, -each.ratio))
    ]
    heads = (title, "distance", "by noise", "ratio", "adjusted p", "model", "reports")
    return table_card(Table(heads, rows, title, left=frozenset({0, 5})))


def _graph(quality: Quality) -> Markup:
    found = quality.dependence
    dropped = [(each.one, each.other) for each in quality.unlearnt.dropped]
    caption = (
        "A line joins two attributes that depend; the wider, the stronger. Grey: none found. "
        "Dashed: not in the model's tables."
    )
    label = f"{len(found.edges)} of {len(found.pairs)} pairs depend. {BELOW}"
    picture = scrolled(found.drawing(dropped).draw(label), "Graph of dependence")
    said = f"At most {percent(found.rate)} of the edges are expected to be no dependence at all."
    return lines([text("p", said), figure(picture, caption), table_card(edges(found))])


def _figures(found: Sequence[Figure]) -> Markup:
    heads = ("figure", "model", "estimate", "95 % interval", "model in it")
    table = table_card(Table(heads, [*map(_figure, found)], "Headline figures"), fold=False)
    bounds = [words.BOUNDS] if any(each.assumes for each in found) else []
    return lines([paragraphs(bounds), table])


def _figure(each: Figure) -> tuple[str, ...]:
    write = percent if each.what == "share" else lambda value: number(value, 3)
    estimate = text("span", write(each.estimate))
    if each.assumes is not None:
        estimate = element("div", estimate, text("div", "if spread evenly", class_="note"))
    inside = "in the interval" if each.holds else "outside of the interval"
    mark = interval_mark(each.model, each.low, each.high, f"The model's number is {inside}.")
    name = f"{each.attribute}: {each.label or each.what}"
    return name, write(each.model), estimate, interval(each.low, each.high, write), mark


def _unlearnt(unlearnt: Unlearnt) -> Markup:
    said = [element("ul", *(text("li", line) for line in words.limits(unlearnt)))]
    if unlearnt.pairs:
        power = f"would have been found in {percent(unlearnt.power)} of such crowds"
        heads = ("not distinguishable from independence", power, "reports with both")
        rows = [
            (f"{each.one} and {each.other}", _visible(each.visible), f"{each.n:,}")
            for each in unlearnt.pairs
        ]
        said.append(table_card(Table(heads, rows, "Pairs without a dependence")))
    if unlearnt.values:
        heads = ("not distinguishable from zero", "model", "detectable from")
        rows = [
            (f"{each.attribute}: {each.label}", percent(each.model), percent(each.resolvable))
            for each in unlearnt.values
        ]
        said.append(table_card(Table(heads, rows, "Values too rare to be resolved")))
    return lines(said)


def _visible(strength: float | None) -> str:
    return "not even the strongest" if strength is None else f"{strength:.4f} nats"


def _utility(utility: Utility | None) -> Markup:
    if utility is None:
        return text("p", "The true records were not given, as they never are outside a simulation.")
    heads = ("attributes", "tables", "off by", "worst", "if unrelated")
    rows = [
        (words.ORDERS[d.order], str(d.sets), *map(percent, (d.mean, d.largest, d.unrelated)))
        for d in utility.distances
    ]
    shown = [table_card(Table(heads, rows, "Total variation from the truth"), fold=False)]
    for kind in utility.classifiers:
        targets = [kind.mean, *kind.targets] if len(kind.targets) > 1 else kind.targets
        title = f"Right answers of a {kind.kind} about real rows"
        guesses = ("target", "drawn", "learnt from synthetic", "from real", "most frequent")
        marked = [
            (
                each.attribute,
                gauge(each.synthetic, percent(each.synthetic)),
                *map(percent, (each.synthetic, each.real, each.majority)),
            )
            for each in targets
        ]
        shown.append(table_card(Table(guesses, marked, title)))
    return lines(shown)
