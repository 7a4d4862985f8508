"""Names, labels and texts that an owner can read and distinguish.

A label is blank if nothing of it is visible. Two labels look alike if they are equal after NFKC,
apart from invisible characters and the number of spaces. Neither is allowed in a new plan. Existing
plans stay readable: their canonical bytes do not change, and their reports can be analysed.

In names and codes, letters of different scripts that look alike (a Latin and a Cyrillic "e") are
not recognised. Wording must not mix them in one word, nor change the direction of writing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
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
ALIKE = set("АВЕЅІЈКМНОРСТУХаеѕіјорсухԁһӏԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧανοικρυχ")
BESIDE = "\n\u200c\u200d"  # new lines; what joins letters of Persian and Hindi, and emoji
LISTS = ("values", "items", "keys")  # the fields of an attribute that list codes
WORD = re.compile(r"\w+")
_INVISIBLE = {code: None for first, last in _RANGES for code in range(first, last + 1)}


def visible(text: str) -> str:
    """Return what can be seen of a text, in one spelling; capitals stay capitals."""
    shown = normalize("NFKC", normalize("NFKC", text).translate(_INVISIBLE))
    return " ".join("".join(c if c.isprintable() else " " for c in shown).split())


def illegible(text: str) -> str | None:
    """Return what is wrong with a text for people; None where nothing is."""
    if not visible(text):
        return "must not be blank"
    if not all(c.isprintable() or c in BESIDE for c in text):
        return "must have no control characters, nor any that change the direction of writing"
    mixed = next((word for word in WORD.findall(text) if _is_mixed(word)), None)
    return f"must not mix letters that look alike in one word ({mixed})" if mixed else None


def _is_mixed(word: str) -> bool:
    """Whether a word has Latin letters beside others that look like some."""
    return not ALIKE.isdisjoint(word) and any(c.isascii() and c.isalpha() for c in word)


def check_legible(plan: "Plan", source: str) -> None:
    """Refuse a plan with a blank name or label, or with two that look alike."""
    for field, texts in _texts(plan):
        check_distinct(source, field, texts)


def check_distinct(source: str, field: str, texts: Iterable[str]) -> None:
    """Refuse a blank text, and two that look alike."""
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
        for field in LISTS:
            listed = attribute.document.get(field, ())
            yield f"attributes[{index}].{field}", listed if isinstance(listed, list) else ()
