"""Help marks: a button beside a word, and one sentence that says what the word means.

The sentence is a popover of the browser, which opens by mouse, touch and keyboard, is read out, and
needs no script. A browser without popovers shows the sentences at the end of the page.
"""

from collections.abc import Iterable

from discretion.render.markup import Markup, element, lines, text

HELP = {
    "interval": (
        "Interval",
        (
            "If surveys like this one were repeated, this percentage of their intervals would "
            "contain the true value. They account for device noise and for who answered by chance."
        ),
    ),
    "bound": (
        "Manipulation bound",
        (
            "How far an estimate could move, at most, if the stated share of all reports were "
            "false and sent to move it."
        ),
    ),
    "screening": (
        "Screening",
        (
            "Tests of whether the reports of each level fit what honest devices send. "
            "No report is excluded because of them."
        ),
    ),
    "density": (
        "Density",
        (
            "The share of people per unit of the number: the area over any range is the "
            "share of people in it."
        ),
    ),
    "conflict": (
        "Conflict",
        ("A different report arrived with the id of one that is already kept; the first is kept."),
    ),
    "weight": (
        "Weight",
        ("How much the answers of a level count in the estimate: the less noise, the more weight."),
    ),
}


def mark(word: str, *, named: bool = False) -> Markup:
    """Return the button that shows what a word means; ``named``: the word stands on it."""
    title, place = HELP[word][0], {"popovertarget": f"help-{word}"}
    spoken = {} if named else {"aria_label": f"What is this: {title.lower()}?"}
    said = f"{title} ?" if named else "?"
    return text("button", said, type="button", class_="help", **spoken, **place)


def explanations(words: Iterable[str] = HELP) -> Markup:
    """Return the sentences that the buttons of a page show."""
    return lines(
        element(
            "div",
            element("p", text("strong", f"{HELP[word][0]}. "), text("span", HELP[word][1])),
            id=f"help-{word}",
            popover="",
            class_="explained",
        )
        for word in words
    )
