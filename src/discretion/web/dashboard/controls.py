"""The controls of an inquiry: a plain form with a field for each option that the registry has."""

from collections.abc import Iterator, Mapping

from discretion.estimate.legend import Legend
from discretion.plan import Plan
from discretion.render.markup import Markup, element, text
from discretion.render.page import identity
from discretion.statistics import Option, Statistic, kinds_of
from discretion.statistics.option import AUTO
from discretion.statistics.statistic import AGAINST, BY
from discretion.web.dashboard.help import mark
from discretion.web.dashboard.inquiry import GIVEN, Inquiry, asked_of, fields_of, tabled

MAIN = (BY[0], AGAINST, "method", "target", "bins")  # the others are folded
TITLES = {
    "by": "By group",
    "against": "Compare with",
    "at": "Quantiles at",
    "applicable": "Only those to whom it applies",
    "candidates": "Texts to look for, one per line",
    "ranges": "Ranges, one per line",
    "calibrate": "Known margins (JSON)",
    "margins": "Manipulation bounds",
    "different_owners": "No owner answered both rounds",
}
ROUNDS = {
    "round": "Round",
    "other_round": "Second round",
    "earlier": "Earlier round",
    "later": "Later round",
}
CALLED = {
    "joint": "Joint table",
    "compare": "Comparison",
    "cdf": "Distribution function",
    "fits": "Fit to shares",
    "discover": "Discovery",
    "binned": "Mean in bins",
}
EXAMPLES = {"bins": "4, or 0, 20000, 60000", "points": "1000, 2000"}
NUMBERS = (int, float, int | None, float | None)
LISTS = (list[str], list[str] | None)
LEAST, MOST = "50", "99.9"  # per cent of confidence that the field offers


def controls(plan: Plan, rounds: Mapping[int, str], inquiry: Inquiry) -> Markup:
    """Return the form; what the statistic does not have is not in it."""
    form = _Form(plan, Legend.of(plan), inquiry)
    main, more = [*form.scope(rounds)], list[Markup]()
    for name, option in fields_of(plan, inquiry.statistic, inquiry.names, inquiry.texts):
        if name != AGAINST or inquiry.by:
            (main if form.leading(option) else more).append(form.field(name, option))
    leading = {option.name for option in inquiry.statistic.options if form.leading(option)}
    used = any(name.partition(":")[0] not in leading for name in inquiry.texts)
    content = text("summary", "More options"), element("div", *more, class_="choose")
    folded = element("details", *content, id="more-options", **({"open": ""} if used else {}))
    return element(
        "form",
        element("input", type="hidden", name_="statistic", value=inquiry.statistic.name),
        element("div", *main, text("button", "Show", class_="main"), class_="choose"),
        folded if more else "",
        action="analysis",
        method="get",
        class_="card controls",
    )


def statistics_links(plan: Plan, inquiry: Inquiry) -> Markup:
    """Return a link to each statistic of the attribute; the rest of the choice stays."""
    items = []
    for each in asked_of(plan, inquiry.names[0]):
        here = {"aria_current": "page"} if each is inquiry.statistic else {}
        link = {"href": inquiry.address(statistic=each, sort="", measure=""), "title": each.help}
        items.append(element("li", text("a", named(each), **link, **here)))
    return element("nav", element("ul", *items), aria_label="Statistics", class_="tabs")


def named(statistic: Statistic) -> str:
    """Return what people call a statistic."""
    return CALLED.get(statistic.name, statistic.name.capitalize())


class _Form:
    """What the fields of one form have in common."""

    def __init__(self, plan: Plan, legend: Legend, inquiry: Inquiry) -> None:
        self.plan, self.legend, self.inquiry = plan, legend, inquiry
        self.needed = inquiry.statistic.needed(plan, inquiry.names[0])
        self.kinds = [kind for name in inquiry.names for kind in kinds_of(plan, name)]

    def leading(self, option: Option) -> bool:
        """Whether it is seen at once."""
        return option.name in MAIN or option in self.needed

    def scope(self, rounds: Mapping[int, str]) -> Iterator[Markup]:
        """Yield what every statistic has: about what, of which round, how surely."""
        inquiry, named = self.inquiry, {n: self.legend.entry(n) for n in self.plan.names}
        if inquiry.statistic.several:
            can = {name: named[name] for name in tabled(self.plan)}
            for i, name in enumerate([*inquiry.names, ""]):
                offered = can if name else {"": "none", **can}
                label = f"Attribute {i + 1}"
                yield select(label, "attribute", offered, name, f"attribute-{i}")
        else:
            yield select("Attribute", "attribute", named, inquiry.names[0])
        states = {str(round): f"{round} ({state})" for round, state in rounds.items()}
        for name, round in inquiry.named.items():
            yield select(ROUNDS[name], name, states, str(round))
        if inquiry.statistic.intervals:
            limits = {"min": LEAST, "max": MOST, "step": "any", "inputmode": "decimal"}
            yield _input("Confidence, %", "confidence", inquiry.confidence, "interval", **limits)

    def field(self, name: str, option: Option) -> Markup:
        """Return the field of an option: a list to choose from where there is one."""
        chosen, about = self.inquiry.texts.get(name, ""), name.partition(":")[2]
        title = TITLES.get(option.name, option.name.replace("_", " ").capitalize())
        if option.name == GIVEN and about:
            title = f"Given {about}"
        elif about:
            title = f"{title} of {about}"
        if options := self._options(option, about):
            return select(title, name, options, chosen or _default(option))
        if option.type in LISTS:
            field = identity("field", name)
            area = text("textarea", chosen, id=field, name_=name, rows=2)
            return _labelled(title, field, area)
        if option.type in NUMBERS:
            return _input(title, name, chosen, step="any")
        default = option.default if isinstance(option.default, list) else []
        example = EXAMPLES.get(option.name, ", ".join(f"{each:g}" for each in default))
        return _input(title, name, chosen, kind="text", placeholder=example)

    def _options(self, option: Option, about: str) -> dict[str, str]:
        """Return what can be chosen; nothing where it has to be written."""
        if values := option.values(*self.kinds):
            return {value: value for value in values}
        if option.type is bool:
            return {"": "no", "yes": "yes"}
        if option.name == BY[0]:
            groups = [name for name in tabled(self.plan) if name not in self.inquiry.names]
            return {"": "no groups"} | {name: self.legend.entry(name) for name in groups}
        whose = {AGAINST: self.inquiry.by, GIVEN: about}.get(option.name, "")
        if not whose or not self.plan.attributes[whose].listed:
            return {}
        labels = self.plan.attributes[whose].labels
        nobody = "everybody" if about else "no group"
        return {"": nobody} | {label: self.legend.label(whose, label) for label in labels}


def select(label: str, name: str, options: Mapping[str, str], chosen: str, key: str = "") -> Markup:
    """Return a list to choose from, under its label."""
    own = [
        text("option", shown, value=value, **({"selected": ""} if value == chosen else {}))
        for value, shown in options.items()
    ]
    field = identity("field", key or name)
    return _labelled(label, field, element("select", *own, id=field, name_=name))


def _input(
    label: str, name: str, value: str, about: str = "", kind: str = "number", **more: object
) -> Markup:
    field = identity("field", name)
    own = element("input", id=field, name_=name, value=value, type=kind, **more)
    return _labelled(label, field, own, about)


def _labelled(label: str, field: str, own: Markup, about: str = "") -> Markup:
    said = element("span", text("label", label, for_=field), mark(about) if about else "")
    return element("span", said, own, class_="field")


def _default(option: Option) -> str:
    return option.default if isinstance(option.default, str) else AUTO
