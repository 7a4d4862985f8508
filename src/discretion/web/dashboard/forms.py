"""The forms of the dashboard, which keep what else was chosen, and the links to its downloads."""

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlencode

from discretion.estimate.legend import Legend
from discretion.plan import Plan
from discretion.render.markup import Markup, element, text
from discretion.statistics.registry import focusable
from discretion.web.dashboard.choice import Choice, texts_of
from discretion.web.dashboard.controls import select
from discretion.web.dashboard.rounds import token_field

ALL = "All attributes"


def choice_form(plan: Plan, rounds: Mapping[int, str], choice: Choice) -> Markup:
    """Choose the round, and one attribute or all."""
    rounds_ = {str(round): f"{round} ({state})" for round, state in rounds.items()}
    names = {"": ALL, **_titles(plan, plan.names)}
    return _form(
        choice,
        ("round", "attribute", "candidates"),
        select("Round", "round", rounds_, str(choice.round)),
        select("Attribute", "attribute", names, choice.attribute),
        *([_candidates(choice)] if texts_of(plan) else []),
        button="Show",
    )


def _candidates(choice: Choice) -> Markup:
    """Return the field for texts to look for, one on each line."""
    field = "choose-candidates"
    label = text("label", "Texts to look for, one on each line", for_=field)
    given = "\n".join(choice.candidates)
    area = text("textarea", given, id=field, name_="candidates", rows=2)
    return element("span", label, area, class_="field")


def graph_form(choice: Choice) -> Markup:
    """Ask for the graph, which reads all reports, or to leave it out again."""
    if choice.graph:
        return _form(choice, ("graph",), button="Leave the graph out")
    return _form(choice, ("graph",), _hidden("graph", "yes"), button="Work out the graph")


def sign_in_form(root: str, problem: str, wanted: str = "") -> Markup:
    """Ask for a token; what is wrong with the last one stands beside the field.

    ``wanted`` is the page of the dashboard that is shown then, with all that was chosen.
    """
    return element(
        "form",
        _hidden("page", wanted) if wanted else "",
        token_field("Token", problem),
        element("p", text("button", "Sign in")),
        method="post",
        action=f"{root}dashboard/session",
        class_="card",
    )


def _form(choice: Choice, own: Sequence[str], *content: str, button: str) -> Markup:
    """Return a form with its fields, and with what is chosen by others."""
    kept = [_hidden(name, value) for name, value in choice.fields.items() if name not in own]
    whole = [*kept, *content, text("button", button)]
    return element("form", *whole, action="dashboard", method="get", class_="choose")


def _titles(plan: Plan, names: Iterable[str]) -> dict[str, str]:
    """Return how attributes are offered: by name, and what was asked."""
    legend = Legend.of(plan)
    return {name: legend.entry(name) for name in names}


def _hidden(name: str, value: str) -> Markup:
    return element("input", type="hidden", name_=name, value=value)


def downloads_view(plan: Plan, choice: Choice) -> Markup:
    """Return links to everything that can be taken along."""
    round = urlencode({"round": choice.round})
    texts = {"candidates": "\n".join(choice.candidates)} if choice.candidates else {}
    estimates = urlencode({"round": choice.round, **texts})
    parquet = urlencode({"round": choice.round, "kind": "parquet"})
    whole = "all labels, means, quantiles"
    offered = [
        (f"dashboard/estimates.csv?{estimates}", "Estimates (CSV)", whole),
        (f"dashboard/estimates.parquet?{estimates}", "Estimates (Parquet)", "the same with types"),
        (f"dashboard/estimates.json?{estimates}", "Estimates (JSON)", "the same for programs"),
        (f"v1/aggregates?{round}", "Counts (JSON)", "what one-way estimates are made of"),
        (f"v1/export?{round}", "Reports (Parquet)", "as devices sent them"),
        (f"v1/rows?{round}", "Synthetic rows (CSV)", "drawn from a model; may take a minute"),
        (f"v1/rows?{parquet}", "Synthetic rows (Parquet)", "the same as columns"),
        *(_next_round(name, choice) for name in focusable(plan)),
    ]
    items = [
        element(
            "li", text("a", name, href=href, download=""), text("span", f": {what}", class_="note")
        )
        for href, name, what in offered
    ]
    return element("ul", *items)


def _next_round(name: str, choice: Choice) -> tuple[str, str, str]:
    """Return the way to the plan of a next round about what was found, and what it is."""
    query = urlencode({"attribute": name, "round": choice.round})
    what = "asks about the most frequent answers of this round"
    return f"v1/focus?{query}", f"Plan of a next round about {name} (JSON)", what
