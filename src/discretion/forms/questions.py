"""One row of a form as a question of a plan: what an author would write of the attribute."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from discretion.forms.phrases import GAP, REFERENCE, Languages, fault_of, joined, texts_of
from discretion.forms.ranges import MEASURES, Measure
from discretion.forms.unasked import ASKED, Unaskable
from discretion.forms.workbook import Form, Item
from discretion.plan.attributes import MOST_CODES
from discretion.plan.wording import ATTRIBUTE, LABEL, Phrase
from discretion.schema.categorical import OTHER

HOMES = (
    "unknown",
    "not stated",
    "don't know",
    "do not know",
    "dk",
    "n/a",
)  # of labels that are not listed
UNIT = re.compile(r"\(?(?:in|en|em|unit|units|unité|einheit)\b[\s:]+(\S+(?: \S+)?)\)?\.?", re.I)
UNITS = (
    *("%", "kg", "g", "t", "cm", "m", "mm", "km", "l", "ml", "m²", "ha", "°C", "USD", "EUR"),
    *("years", "months", "weeks", "days", "hours", "minutes"),
)
CARRIED = {  # columns that are read, or that say how a form looks while it is filled in
    *("type", "name", "label", "hint", "bind", "parameters", "itemset", "list_name", "choices"),
    *("__row", "children", "control", "_dynamic_default", "actions"),
}
SHOWN = 12  # columns that are named
MESSAGES = {"jr:constraintMsg": "constraint_message", "jr:requiredMsg": "required_message"}
READ = {"constraint", "relevant", "calculate", "required"}


@dataclass
class Question:
    """The fields of an attribute, and what became of the rest of its row."""

    item: Item
    measure: Measure | None  # None: it is a choice
    fields: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def say(self, text: Phrase, key: str) -> None:
        """Word the question, or note why a text cannot be taken."""
        most = ATTRIBUTE[key]
        if key == "question" and any(len(each) > most for each in texts_of(text)):
            self.notes.append(f"its text has more than {most} characters: the whole is in help")
            self.fields["help"] = joined(text, self.fields.get("help", ""))
            text = _cut(text, most)
        if fault := fault_of(text, most) if text else "":
            self.notes.append(f"its {key} was left out: a text {fault}")
        elif text:
            self.fields[key] = text


def question_of(
    item: Item, form: Form, languages: Languages, binding: str, today: date
) -> Question:
    """Return the question that a row asks, or raise ``Unaskable``."""
    found = Question(item, None if item.choices else MEASURES[ASKED[binding]])
    hint = languages.phrase(item.fields.get("hint"))
    if found.measure is None:
        found.fields |= _choices(found, form, languages)
    else:
        found.fields |= found.measure.range_of(item, found.notes, today)
        if unit := _unit(hint) if found.measure.made is None else "":
            found.fields["unit"], hint = unit, ""
    found.say(hint, "help")
    found.say(languages.phrase(item.fields.get("label")), "question")
    found.notes += _not_carried(item)
    return found


def _choices(found: Question, form: Form, languages: Languages) -> dict[str, Any]:
    choices = form.choices.get(found.item.choices, ())
    if not 2 <= len(choices) <= MOST_CODES:
        raise Unaskable(f"has {len(choices):,} choices, and a question has 2 to {MOST_CODES:,}")
    codes = [str(choice["name"]) for choice in choices]
    labels = [
        languages.phrase(choice.get("label")) or code
        for choice, code in zip(choices, codes, strict=True)
    ]
    long = [label for label in labels if any(len(each) > LABEL for each in texts_of(label))]
    if long:
        found.notes.append(f"labels of more than {LABEL} characters are cut")
        labels = [_cut(label, LABEL) for label in labels]
    fields: dict[str, Any] = {"kind": "categorical", "values": codes}
    if labels != codes:
        fields["values"] = [
            {"code": code, "label": label} for code, label in zip(codes, labels, strict=True)
        ]
    if found.item.stated.endswith("other") and len(languages.tags) > 1:
        found.notes.append(f"the label of {OTHER!r} is the same in all languages: translate it")
    if OTHER not in codes and (home := _home(codes, labels)):
        fields["fallback"] = home
        found.notes.append(f"a label that is not listed becomes {home!r} (fallback)")
    return fields


def _home(codes: list[str], labels: list[Phrase]) -> str:
    """Return the code for what is not listed, if one looks like that."""
    for code, label in zip(codes, labels, strict=True):
        words = [each.casefold().replace("’", "'") for each in (code, *texts_of(label))]
        if any(word in HOMES or re.match(r"others?\b", word) for word in words):
            return code
    return ""


def _unit(hint: Phrase) -> Phrase:
    """Return the unit that a hint states in every language, "" if it says anything else."""
    found = {text: _unit_in(text) for text in texts_of(hint)}
    if not all(found.values()):
        return ""
    return (
        found[hint] if isinstance(hint, str) else {tag: found[text] for tag, text in hint.items()}
    )


def _unit_in(text: str) -> str:
    bare = text.strip("() .")
    stated = UNIT.fullmatch(text)
    unit = stated.group(1).strip("() .") if stated else bare if bare in UNITS else ""
    return unit if len(unit) <= ATTRIBUTE["unit"] else ""


def _cut(phrase: Phrase, most: int) -> Phrase:
    def cut(text: str) -> str:
        return text if len(text) <= most else f"{text[: most - 1].rstrip()}{GAP}"

    return (
        cut(phrase) if isinstance(phrase, str) else {tag: cut(own) for tag, own in phrase.items()}
    )


def _not_carried(item: Item) -> Iterator[str]:
    """Yield what of a row has no place in a plan."""
    if REFERENCE.search(str(item.fields.get("label")) + str(item.fields.get("hint"))):
        yield f"its text quotes another answer: {GAP} stands in its place, so reword it"
    names = [name for name in item.fields if name not in CARRIED]
    names += [MESSAGES.get(name, name) for name in item.bind if name not in READ]
    names += [
        name for name in item.fields.get("control", {}) if name not in ("start", "end", "step")
    ]
    if "true" in str(item.fields.get("parameters", {}).get("randomize", "")):
        names.append("randomize")
    for name in names[:SHOWN]:
        yield f"{name}: not carried over"
    if len(names) > SHOWN:
        yield f"{len(names) - SHOWN:,} more columns: not carried over"
    if item.bind.get("required", "").lower() not in ("", "no", "false", "false()"):
        yield "required: not carried over, since owners choose what they share"
