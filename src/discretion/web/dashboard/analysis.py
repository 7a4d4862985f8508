"""The analyst's workplace: one statistic with its options, as a picture, a table and files."""

from functools import partial

from discretion.estimate.legend import Legend
from discretion.plan import Plan
from discretion.render.forest import UNLEARNT
from discretion.render.formats import counted, listed
from discretion.render.markup import Markup, element, lines, text
from discretion.render.page import tabulated
from discretion.render.tables import Table
from discretion.web.dashboard.choice import Collected
from discretion.web.dashboard.controls import controls, named, select, statistics_links
from discretion.web.dashboard.documents import Analysis, Found
from discretion.web.dashboard.drawing import drawn
from discretion.web.dashboard.frame import Frame, contents
from discretion.web.dashboard.inquiry import GIVEN, Inquiry, asked_of
from discretion.web.dashboard.seen import Row, Seen, grouped
from discretion.web.dashboard.tables import file_links
from discretion.web.dashboard.words import shown

FEW_ROWS = 12  # that nobody needs to search
MOST_COLUMNS = 8  # of a crosstab
MOST_ROWS = 500  # of a table on the page; the download has all
SORTED = {"": "", "-": " ▾", "+": " ▴"}
SORT_SAID = {"": "", "-": ", sorted, the largest first", "+": ", sorted, the smallest first"}


def analysis_page(
    frame: Frame,
    collected: Collected,
    inquiry: Inquiry,
    found: Found[Analysis],
) -> str:
    """Return the page of an inquiry with what was found, or what it waits for."""
    plan, legend = frame.plan, Legend.of(frame.plan)
    title = title_of(inquiry, legend)
    head = lines(
        [
            text("h2", title, id="analysis"),
            statistics_links(plan, inquiry),
            text("p", inquiry.statistic.help, class_="note"),
            controls(plan, collected.rounds, inquiry),
        ]
    )
    view = partial(_results, plan=plan, inquiry=inquiry, legend=legend, title=title)
    live = element("div", shown(found, view), id="live-analysis", class_="live")
    whole = element("section", head, live, aria_labelledby="analysis")
    aside = contents("Attributes", _attributes(plan, inquiry, legend))
    status = "All rounds"
    if len(inquiry.rounds) == 1:
        came = counted(sum(collected.days.values()), "report")
        status = f"Round {inquiry.rounds[0]}: {came} accepted"
    elif inquiry.rounds:
        status = listed([f"round {round}" for round in inquiry.rounds]).capitalize()
    return frame.page(title, status, aside, [whole], pending=found.pending)


def title_of(inquiry: Inquiry, legend: Legend) -> str:
    """Say what is asked in one line: of what, by what, among whom, in which round."""
    parts = [f"{named(inquiry.statistic)} of"]
    parts.append(" and ".join(map(legend.title, inquiry.names)))
    if inquiry.by:
        parts.append(f"by {legend.title(inquiry.by)}")
    given = [
        f"{name.partition(':')[2]} = {label}"
        for name, label in inquiry.texts.items()
        if name.startswith(f"{GIVEN}:")
    ]
    if given:
        parts.append(f"given {' and '.join(given)}")
    rounds = listed([f"round {round}" for round in inquiry.rounds]) or "all rounds"
    return f"{' '.join(parts)}, {rounds}"


def _attributes(plan: Plan, inquiry: Inquiry, legend: Legend) -> list[tuple[str, str, bool]]:
    """Return a link to everything that the plan asks, with the statistic that is shown now."""
    found = []
    for name in plan.names:
        if asked_of(plan, name):
            changed = inquiry.address(names=(name,), sort="", find="", measure="")
            found.append((legend.entry(name), changed, name in inquiry.names))
        else:
            parts = plan.questions[name].parts
            bundled = f"{name}: ask for {' and '.join(parts)}"
            found.append((bundled, inquiry.address(names=(parts[0],)), False))
    return found


def _results(
    document: Analysis, plan: Plan, inquiry: Inquiry, legend: Legend, title: str
) -> Markup:
    seen = Seen(document["sheet"], inquiry, plan, legend)
    parts = [text("p", f"{document['said']}.", class_="note")]
    table = crosstab_of(seen, title) if _crossed(seen) else table_of(seen, title)
    picture = drawn(seen, title)
    sheet = element("div", table, _downloads(inquiry))
    parts += [_choices(seen), element("div", picture, sheet, class_="beside")]
    cards = [element("article", *parts, class_="card", aria_label=title)]
    if document["beside"] is not None:
        cards.append(_compared(document, plan, inquiry, legend))
    return lines(cards)


def _compared(document: Analysis, plan: Plan, inquiry: Inquiry, legend: Legend) -> Markup:
    """Return the differences of the other groups from the one that was named."""
    assert document["beside"] is not None
    against = legend.label(inquiry.by, inquiry.texts["against"])
    title = f"The other groups less {against}"
    seen = Seen(document["beside"], inquiry, plan, legend)
    if not seen.sheet["rows"]:
        nothing = text("p", "There are no estimates for the other groups.", class_="missing")
        return element("article", text("h3", title), nothing, class_="card", aria_label=title)
    picture = drawn(seen, title)
    tests = element("ul", *(text("li", each) for each in document["tests"]), class_="note")
    links = _downloads(inquiry, "beside")
    sheet = element("div", table_of(seen, title, sortable=False), links)
    whole = element("div", picture, sheet, class_="beside")
    head = text("h3", title, id="beside")
    return element("article", head, tests, whole, class_="card", aria_labelledby="beside")


def table_of(seen: Seen, caption: str, *, sortable: bool = True) -> Markup:
    """Return the rows as a table, whose heads sort it."""
    names, measures, more = seen.names, seen.measures, seen.more
    heads, inquiry = list[str](), seen.inquiry
    for column in names:
        heads.append(_head(seen, column, inquiry) if sortable else seen.title(column))
    for measure in measures:
        column = measure["value"]
        heads.append(_head(seen, column, inquiry) if sortable else seen.title(column))
        if measure["low"] is not None:
            heads.append(f"{inquiry.confidence} % interval")
    heads += [_head(seen, column, inquiry) if sortable else seen.title(column) for column in more]
    rows = []
    whole = seen.rows
    for row in whole[:MOST_ROWS]:
        cells = seen.called(row)
        for measure in measures:
            own = seen.own(row, measure)
            cells.append(UNLEARNT if own is None else seen.write(measure)(own.value))
            if measure["low"] is not None:
                cells.append(seen.ends(row, measure))
        rows.append([*cells, *(seen.cell(column, row[column]) for column in more)])
    hidden = len(whole) - len(rows)
    note = (
        f"the first {MOST_ROWS} of {len(whole):,} rows; the files contain all of them"
        if hidden
        else ""
    )
    left = frozenset(range(max(len(names), 1)))
    return tabulated(Table(heads, rows, caption, note, left=left))


def crosstab_of(seen: Seen, caption: str) -> Markup:
    """Return groups down and answers across, each cell with its interval below the estimate."""
    measure, rows = seen.measure, seen.rows
    assert measure is not None
    across = [*dict.fromkeys(seen.called(row)[1] for row in rows)]
    cells = {tuple(seen.called(row)): row for row in rows}
    lines_ = []
    for group, _ in grouped(rows, lambda row: seen.called(row)[0]):
        own = [cells.get((group, label)) for label in across]
        lines_.append((group, *("" if row is None else _crossing(seen, row) for row in own)))
    what = f"{caption}: {seen.title(measure['value'])} with {seen.inquiry.confidence} % intervals"
    return tabulated(Table((seen.inquiry.by or "group", *across), lines_, what))


def _crossed(seen: Seen) -> bool:
    """Whether there are groups and answers, few enough to stand beside one another."""
    if seen.names != ["group", "label"] or seen.measure is None:
        return False
    return len({seen.called(row)[1] for row in seen.rows}) <= MOST_COLUMNS


def _crossing(seen: Seen, row: Row) -> Markup:
    assert seen.measure is not None
    own = seen.own(row, seen.measure)
    if own is None:
        return text("span", UNLEARNT, class_="note")
    value = text("div", seen.write(seen.measure)(own.value))
    low, high = (f"{100 * end:.1f}" for end in (own.low, own.high))
    return Markup(value + text("div", f"{low}–{high}", class_="note"))


def _head(seen: Seen, column: str, inquiry: Inquiry) -> Markup:
    """Return the head of a column as a link that sorts by it, or the other way round."""
    now = inquiry.sort
    state = "-" if now == f"-{column}" else "+" if now == column else ""
    turned = column if state == "-" else f"-{column}"
    if column in seen.names and not state:
        turned = column
    title, link = seen.title(column), {"href": inquiry.address(sort=turned), "class_": "sort"}
    said = f"{title}{SORT_SAID[state]}: sort"
    return text("a", f"{title}{SORTED[state]}", aria_label=said, **link)


def _choices(seen: Seen) -> Markup:
    """Return what is drawn of several estimates, and the field that finds rows."""
    inquiry, fields = seen.inquiry, list[Markup]()
    own = ("find", "measure") if len(seen.measures) > 1 else ("find",)
    kept = [
        element("input", type="hidden", name_=name, value=value)
        for name, value in inquiry.fields
        if name not in own
    ]
    if len(seen.measures) > 1 and seen.measure is not None:
        offered = {each["value"]: seen.title(each["value"]) for each in seen.measures}
        fields.append(select("Picture of", "measure", offered, seen.measure["value"]))
    if inquiry.find or len(seen.rows) > FEW_ROWS:
        find = element("input", id="find", name_="find", type="search", value=inquiry.find)
        label = text("label", "Rows that contain", for_="find")
        fields.append(element("span", label, find, class_="field"))
    if not fields:
        return Markup("")
    button = text("button", "Apply")
    return element(
        "form", *kept, *fields, button, action="analysis", method="get", class_="choose rows"
    )


def _downloads(inquiry: Inquiry, part: str = "") -> Markup:
    """Return links to the table as files, and to this very view."""
    query = inquiry.address("")  # begins with its question mark
    part = f"&part={part}" if part else ""
    table = file_links("Table", "analysis", f"{query}{part}")
    if part:
        return element("p", table, class_="take")
    link = text("a", "Link to this view", href=inquiry.address(), class_="link")
    return element("p", table, element("span", link), class_="take")
