"""Names and labels that an owner can read and distinguish.

A label is blank if nothing of it is visible. Two labels look alike if they are equal after NFKC,
apart from invisible characters and the number of spaces. Neither is allowed in a new plan. Existing
plans stay readable: their canonical bytes do not change, and their reports can be analysed.

Letters of different scripts that look alike (a Latin and a Cyrillic "e") are not recognised.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from unicodedata import normalize

from discretion.errors import PlanError

if TYPE_CHECKING:
    from discretion.plan.plan import Plan

_RANGES = (  # Default_Ignorable_Code_Point of Unicode 16, and the blank pattern of Braille
    *((0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5)),
    *((0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164)),
    *((0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8)),
    *((0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF), (0x2800, 0x2800)),
)
_INVISIBLE = {code: None for first, last in _RANGES for code in range(first, last + 1)}


def visible(text: str) -> str:
    """Return what can be seen of a text, in one spelling; capitals stay capitals."""
    shown = normalize("NFKC", normalize("NFKC", text).translate(_INVISIBLE))
    return " ".join("".join(c if c.isprintable() else " " for c in shown).split())


def check_legible(plan: "Plan", source: str) -> None:
    """Refuse a plan with a blank name or label, or with two that look alike."""
    for field, texts in _texts(plan):
        seen: dict[str, str] = {}
        for text in texts:
            shown = visible(text)
            if not shown:
                raise PlanError(source, field, "must not be blank", text)
            if shown in seen:
                rule = f"must not look like {seen[shown]!r} (equal after NFKC)"
                raise PlanError(source, field, rule, text)
            seen[shown] = text


def _texts(plan: "Plan") -> Iterator[tuple[str, Sequence[str]]]:
    """Yield texts that stand beside each other, and the field that has them."""
    yield "name", (plan.name,)
    yield "attributes", plan.names
    for index, attribute in enumerate(plan.attributes.values()):
        yield f"attributes[{index}].values", attribute.document.get("values", ())
