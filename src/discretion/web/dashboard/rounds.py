"""The rounds of a survey on the dashboard, and the page that asks before one is opened or closed.

The cookie of who signed in opens what is read, and changes nothing: whoever opens or closes a round
shows her token once more, in the form that asks whether she is sure.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from discretion.render.markup import Markup, element, lines, text
from discretion.render.page import served_page, tabulated
from discretion.render.tables import Table
from discretion.web.dashboard.choice import Collected

Act = Literal["open", "close"]
ACTS: Sequence[Act] = get_args(Act)
PATH = "rounds"
SHEETS = ["dashboard"]
CAPTION = "Rounds, and whether they take reports"
TITLES: Mapping[Act, str] = {"open": "Open round {}?", "close": "Close round {} for good?"}
BUTTONS: Mapping[Act, str] = {"open": "Open round {}", "close": "Close round {} for good"}
OFFERS: Mapping[Act, str] = {"open": "Open round {}…", "close": "Close round {}…"}
MEANINGS: Mapping[Act, Sequence[str]] = {
    "open": (
        "Devices may report in it until it is closed.",
        "The owner's page asks about the newest open round: whoever answered before can answer it.",
        "Several rounds may be open at once. If an earlier one is over, close it.",
    ),
    "close": (
        "It takes no more reports, and can never be opened again.",
        "Reports stay, and owners can still delete theirs.",
        "What was kept so that nobody reports twice is removed.",
    ),
}


def rounds_view(collected: Collected, *, operator: bool) -> Markup:
    """Return all rounds; an operator may open the next, and close those that are open."""
    rows = [
        (str(round), state, collected.closed_on.get(round) or "")
        for round, state in sorted(collected.rounds.items())
    ]
    table = Table(("round", "state", "closed on"), rows, CAPTION, left=frozenset({1, 2}))
    parts = [tabulated(table)]
    if operator:
        taking = [round for round, state in sorted(collected.rounds.items()) if state == "open"]
        offers = [_offer("close", round) for round in taking]
        parts.append(
            element("div", *offers, _offer("open", max(collected.rounds) + 1), class_="choose")
        )
    return lines(parts)


def confirm_page(name: str, act: Act, round: int, *, token: bool, problem: str = "") -> str:
    """Return the page that asks whether a round is to be opened or closed.

    ``token``: that takes one; what is wrong with the last one stands beside the field.
    """
    meaning = element("ul", *(text("li", each) for each in MEANINGS[act]))
    form = element(
        "form",
        element("input", type="hidden", name_="act", value=act),
        element("input", type="hidden", name_="round", value=round),
        token_field("Token with the role operate", problem) if token else "",
        element("p", text("button", BUTTONS[act].format(round))),
        method="post",
        action="rounds",
        class_="card",
    )
    back = element("p", text("a", "Back, and change nothing", href="collection"))
    title = TITLES[act].format(round)
    survey = text("p", name, class_="note", dir="auto")
    main = element("main", survey, text("h1", title), meaning, form, back)
    return served_page(title, main, SHEETS, root="../")


def token_field(label: str, problem: str) -> Markup:
    """Return the field for a token; what is wrong with the last one stands beside it."""
    field = {"id": "token", "name_": "token", "type": "password", "required": ""}
    field |= {"autocomplete": "current-password"}
    warning = ""
    if problem:
        field |= {"aria-invalid": "true", "aria-describedby": "wrong"}
        warning = text("p", problem, id="wrong", class_="warning")
    named = text("label", label, for_="token")
    return element("div", named, element("input", **field), warning)


def _offer(act: Act, round: int) -> Markup:
    return element(
        "form",
        element("input", type="hidden", name_="act", value=act),
        element("input", type="hidden", name_="round", value=round),
        text("button", OFFERS[act].format(round)),
        method="get",
        action=PATH,
    )
