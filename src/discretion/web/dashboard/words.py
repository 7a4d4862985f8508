"""Estimates in words: their worth, how far false reports could move them, or why not."""

from collections.abc import Callable, Mapping, Sequence

from discretion.budget import epsilon
from discretion.estimate.documents.checks import Moved
from discretion.render.formats import Write, counted, percent, round_percent
from discretion.render.markup import Markup, element, lines, text
from discretion.web.dashboard.documents import Bound, Document, Found, Frequencies, Mean

UNLIMITED = "without limit"
BASES = {
    "worst": "at most",
    "one level": "at most, if all of them choose one level",
    "attack": "in an attack that was tried; perhaps more",
}
FUNCTIONS = {
    "": "",
    "drawn": ", with whatever hash functions they choose",
    "assigned": ", with the hash functions that they were given",
}
BELOW = "Numbers: table below."
PENDING = "Being worked out. It appears here by itself, or when the page is loaded again."
MOST = 0.95  # of a bar, before it is done


def shown(found: Found[Document], view: Callable[[Document], str]) -> Markup:
    """Return the view of a document, or say plainly why there is nothing to see."""
    if found.document is None:
        return said(found.reason) if found.reason else waiting(found)
    document = found.document
    return Markup(warned(document.get("warnings")) + doubted(document) + view(document))


def waiting(found: Found[Document]) -> Markup:
    """Say since when something is being worked out, what it waits for, and how far it may be."""
    parts = [f"for {counted(int(found.seconds), 'second')}"]
    if found.ahead:
        parts = [f"{counted(found.ahead, 'question')} before it"]
    bar: dict[str, object] = {"aria_label": "Being worked out", "max": 1}
    if found.usual is not None:
        parts.append(f"the last of its kind took {counted(max(round(found.usual), 1), 'second')}")
        if not found.ahead:
            bar["value"] = f"{min(found.seconds / max(found.usual, 0.1), MOST):.2f}"
    progress = element("progress", **bar)
    note = text("p", f"{PENDING} ({', '.join(parts)})", class_="note")
    return element("div", note, progress, class_="pending")


def said(reason: str) -> Markup:
    """Say why there is no estimate; without a reason, that it is on its way."""
    if not reason:
        return text("p", PENDING, class_="note pending")
    return text("p", f"No estimate: {reason}.", class_="note missing")


def warned(warnings: object) -> Markup:
    """Return what the library warns of."""
    notes = warnings if isinstance(warnings, list) else []
    return lines(text("p", f"Careful: {note}", class_="warning") for note in notes)


def doubted(document: Mapping[str, object]) -> Markup:
    """Return what a document says of its own intervals, if it has too few reports for them."""
    return warned([document["rough"]] if "rough" in document else [])


def worth(answer: Frequencies | Mean) -> str:
    """Say how many answers an estimate has, what they are worth, and how it was made."""
    n, effective = answer["reports"], answer["effective_n"]
    said = counted(n, "answer")
    if effective is not None:
        precise = max(min(effective, n), 1)
        said += f", as precise as {precise:,.0f} without noise"
    return f"{said}; method {answer['method']}."


def false_reports(bound: Bound) -> str:
    """Name a share of false reports."""
    return f"{round_percent(bound['share'])} false reports"


def manipulation(bounds: Sequence[Bound], write: Write) -> str:
    """Say how far false reports move an estimate, the one of several that they move most."""
    said = [f"{round_percent(each['share'])} by {_most(each, write)}" for each in bounds]
    basis = BASES[bounds[0]["basis"]] + FUNCTIONS[bounds[0]["functions"]]
    return f"False reports among all reports could move it: {', '.join(said)} ({basis})."


def moved(by: Moved, write: Write) -> str:
    """Write how far something is moved, down and up."""
    down, up = by["down"], by["up"]
    if down is None or up is None:
        return UNLIMITED
    return f"−{write(abs(down))}, +{write(abs(up))}"


def level_name(level: int) -> str:
    """Write a level as its epsilon."""
    return epsilon(level) if level else "secret"


def answers(count: int, share: float | None) -> str:
    """Write a count, and its share of the weight where that is known."""
    return f"{count:,}" if share is None else f"{count:,} ({percent(share)})"


def _most(bound: Bound, write: Write) -> str:
    found = [each["margin"] for each in bound["margins"]]
    known = [margin for margin in found if margin is not None]
    return write(max(known)) if len(known) == len(found) else UNLIMITED
