"""From a form to a plan: each row is asked, or listed with the reason why not."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Any

from discretion.errors import FormError, PlanError
from discretion.extras import needed
from discretion.forms.condition import read_applies
from discretion.forms.expression import Complex
from discretion.forms.phrases import DEFAULT, Languages, fault_of, joined
from discretion.forms.questions import Question, question_of
from discretion.forms.unasked import Unaskable, reason_of
from discretion.forms.workbook import Form, Item, Left, read_form
from discretion.plan import Plan
from discretion.plan.field import LONGEST_TEXT
from discretion.plan.legibility import visible
from discretion.plan.wording import ATTRIBUTE, LABEL, SURVEY, Phrase
from discretion.schema import Attribute

BUDGET = {"average": 2.0, "least": 0.25, "most": 6.0, "step": 0.25}  # as ``plan new`` proposes
ORDER = [  # of fields, as people read them
    *("name", "kind", "question", "help", "unit", "range", "step", "bins"),
    *("values", "fallback", "applies"),
]
LAYOUT = ("group",)  # rows that hold questions and ask none


@dataclass(frozen=True)
class Refused:
    """A row that the plan does not ask, and what an author might complete to ask it."""

    left: Left
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Imported:
    """A plan as its author would write it, and what became of every row of the form."""

    source: str
    title: Phrase
    name: str
    languages: tuple[str, ...]
    questions: tuple[Question, ...]  # with their names in the plan
    refused: tuple[Refused, ...]  # in the order of the sheet
    sections: tuple[tuple[Phrase, tuple[str, ...]], ...]
    remarks: tuple[str, ...]  # about the whole form

    @property
    def document(self) -> dict[str, Any]:
        """The plan, as an author would write it without comments."""
        survey: dict[str, Any] = {"name": self.name, "title": self.title}
        survey["languages"] = list(self.languages)
        sections = [{"title": title, "attributes": [*names]} for title, names in self.sections]
        attributes = [question.fields for question in self.questions]
        whole = {**survey, "attributes": attributes, "sections": sections, "budget": BUDGET}
        return {key: value for key, value in whole.items() if value}

    @property
    def notes(self) -> dict[str, list[int]]:
        """What was changed or not carried over, and in which rows."""
        found: dict[str, list[int]] = {}
        for question in self.questions:
            for note in question.notes:
                found.setdefault(note, []).append(question.item.row)
        return found


def import_form(path: Path, today: date | None = None) -> Imported:
    """Return the plan that asks what a form asks, as far as that can be asked privately.

    A constraint or condition that names today means the day given, by default this one.
    """
    return _Import(read_form(path), path, today or date.today()).result()


class _Import:
    def __init__(self, form: Form, path: Path, today: date) -> None:
        with needed("an XLSForm"):
            from pyxform.question_type_dictionary import QUESTION_TYPE_DICT

        self._form, self._path, self._today = form, path, today
        self._types: Mapping[str, Any] = QUESTION_TYPE_DICT
        self._languages = Languages.of(form.language, _texts(form))
        self._asked: dict[str, Attribute] = {}  # by the name that the form has
        self._questions: dict[str, Question] = {}  # by the name that the plan has
        self._refused: list[Refused] = [Refused(left) for left in form.left]
        self._shared = Counter(item.name for item in form.items)
        self._notes: list[Item] = []  # that wait for the question below them

    def result(self) -> Imported:
        """Take the rows from the first to the last."""
        for item in self._form.items:
            if item.type in LAYOUT and not any(each.type != "group" for each in item.groups):
                continue
            if item.type == "note" and not _conditions(item):
                self._notes.append(item)
                continue
            self._take(item)
        self._drop_notes()
        if not self._questions:
            reasons = [f"row {each.left.row}: {each.left.reason}" for each in self._sorted()]
            why = "; ".join(reasons)[:300] or "sheet survey has no rows"
            raise FormError(str(self._path), f"has no question that a plan can ask ({why})")
        title = _fitting(self._languages.phrase(self._form.title), SURVEY["title"])
        found = Imported(
            source=self._path.name,
            title=title,
            name=self._form.name if _fitting_name(self._form.name) else "survey",
            languages=self._languages.tags,
            questions=tuple(self._questions.values()),
            refused=self._sorted(),
            sections=tuple(self._sections(title)),
            remarks=(*self._form.remarks, *self._about_languages()),
        )
        Plan.of(found.document, str(self._path))
        return found

    def _sorted(self) -> tuple[Refused, ...]:
        return tuple(sorted(self._refused, key=lambda each: each.left.row))

    def _take(self, item: Item) -> None:
        """Ask a row, or say why not."""
        bound = self._types.get(item.type, {}).get("bind", {})
        try:
            if reason := reason_of(item, bound.get("type", ""), bound.get("jr:preload", "")):
                raise Unaskable(reason)
            name = self._name(item)
            binding = "" if item.choices else bound["type"]
            question = question_of(item, self._form, self._languages, binding, self._today)
            self._finish(name, question)
        except Unaskable as error:
            self._refuse(item, error)

    def _finish(self, name: str, question: Question) -> None:
        """Add conditions and notes, and check the question as a plan would."""
        item, fields = question.item, question.fields
        applies = self._applies(item, fields)
        if applies:
            if question.measure is not None:
                fields |= question.measure.with_bins(fields)
                question.notes.append("in bins, since it is for some people only")
            fields["applies"] = applies
        if self._notes:
            text: Phrase = fields.get("help", "")
            for note in reversed(self._notes):
                text = joined(self._languages.phrase(note.fields.get("label")), text)
            if not fault_of(text, ATTRIBUTE["help"]):
                rows = ", ".join(str(note.row) for note in self._notes)
                question.notes.append(f"its help begins with the note in row {rows}")
                fields["help"], self._notes = text, []
        self._drop_notes()
        whole = {"name": name, **fields}
        question.fields = {key: whole[key] for key in sorted(whole, key=ORDER.index)}
        self._asked[item.name] = self._checked(question).attributes[name]
        self._questions[name] = question

    def _applies(self, item: Item, fields: Mapping[str, Any]) -> dict[str, Any]:
        conditions = _conditions(item)
        known = {name: each for name, each in self._asked.items() if self._shared[name] == 1}
        try:
            return read_applies(conditions, known, self._today)
        except Complex as error:
            said = " and ".join(conditions)
            reason = f"its condition cannot be kept: {error} ({said[:120]})"
            raise Unaskable(reason, {}) from None

    def _checked(self, question: Question) -> Plan:
        """Return a plan of this question and of those that decide whether it applies."""
        needed_names = self._above(question)
        above = [each.fields for name, each in self._questions.items() if name in needed_names]
        document = {
            "name": "form",
            "attributes": [*above, question.fields],
            "budget": BUDGET,
            "languages": list(self._languages.tags),
        }
        try:
            return Plan.of({key: value for key, value in document.items() if value})
        except PlanError as error:
            raise Unaskable(f"a plan refuses {error.value!r}: {error.rule}"[:300]) from None

    def _above(self, question: Question) -> set[str]:
        found: set[str] = set()
        for name in question.fields.get("applies", {}):
            found |= {name, *self._above(self._questions[name])}
        return found

    def _name(self, item: Item) -> str:
        """Return the name of the attribute: with its group where another looks the same."""
        taken = {visible(name) for name in self._questions}
        inside = "_".join([*(group.name for group in item.groups), item.name])
        name = next((each for each in (item.name, inside) if visible(each) not in taken), "")
        if not name:
            raise Unaskable(f"its name looks like that of another question ({item.name})")
        return name

    def _refuse(self, item: Item, error: Unaskable) -> None:
        left = Left(item.row, item.name, item.stated, error.reason)
        self._refused.append(Refused(left, error.fields))

    def _drop_notes(self) -> None:
        """List the notes that no question below took."""
        for note in self._notes:
            text = " ".join(str(self._languages.phrase(note.fields.get("label"))).split())
            self._refuse(note, Unaskable(f"a note without a question below it: {text[:120]}"))
        self._notes = []

    def _sections(self, title: Phrase) -> Iterator[tuple[Phrase, tuple[str, ...]]]:
        """Yield runs of questions in a group with a label, in the order of the sheet.

        A page shows questions without a section last. So those above a group stand under the title.
        """
        runs = [(found, tuple(names)) for found, names in groupby(self._questions, self._heading)]
        while runs and not runs[-1][0]:
            runs.pop()
        yield from ((found or title or self._form.name, names) for found, names in runs)

    def _heading(self, name: str) -> Phrase:
        """Return the label of the innermost group around a question that has one."""
        groups = reversed(self._questions[name].item.groups)
        labels = (self._languages.phrase(group.fields.get("label")) for group in groups)
        return next((label for label in labels if _fitting(label, LABEL)), "")

    def _about_languages(self) -> Iterator[str]:
        if guessed := self._languages.guessed:
            yield f"columns without a language are taken as {guessed}: correct it if it is another"
        for name in self._languages.dropped:
            if name != DEFAULT:
                yield f"language {name!r}: left out, since its column states no tag of its own"


def _conditions(item: Item) -> tuple[str, ...]:
    """Return the conditions of a row and of the groups around it."""
    stated = (each.bind.get("relevant", "") for each in (*item.groups, item))
    return tuple(text for text in stated if text)


def _texts(form: Form) -> Iterator[object]:
    for item in form.items:
        yield from (item.fields.get(key) for key in ("label", "hint"))
    for choices in form.choices.values():
        yield from (choice.get("label") for choice in choices)


def _fitting(text: Phrase, most: int) -> Phrase:
    """Return a text if people can read it, and if there is room for it."""
    return "" if not text or fault_of(text, most) else text


def _fitting_name(text: str) -> bool:
    return not fault_of(text, LONGEST_TEXT) and text.isprintable()
