"""What is found of a question so far: a document, the reason why there is none, or neither yet."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from discretion.render.markup import Markup, lines, text

Document = TypeVar("Document", bound=Mapping[str, object])
PENDING = "Being worked out. It appears here by itself, or when the page is loaded again."


@dataclass(frozen=True, slots=True)
class Found(Generic[Document]):
    """The answer to a question, perhaps of a moment ago; ``number`` identifies it."""

    document: Document | None = None
    reason: str = ""
    number: int = 0

    @property
    def pending(self) -> bool:
        """Whether it is being worked out for the first time."""
        return self.document is None and not self.reason


def shown(found: Found[Document], view: Callable[[Document], str]) -> Markup:
    """Return the view of a document, or say plainly why there is nothing to see."""
    if found.document is None:
        return said(found.reason)
    return Markup(warned(found.document.get("warnings")) + view(found.document))


def said(reason: str) -> Markup:
    """Say why there is no estimate; without a reason, that it is on its way."""
    if not reason:
        return text("p", PENDING, class_="note pending")
    return text("p", f"No estimate: {reason}.", class_="note missing")


def warned(warnings: object) -> Markup:
    """Return what the library warns of."""
    notes = warnings if isinstance(warnings, list) else []
    return lines(text("p", f"Careful: {note}", class_="warning") for note in notes)
