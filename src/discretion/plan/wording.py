"""What people read about a plan: questions, labels, and who asks, in one language or several.

No law depends on wording, but the plan's id does: an operator must not change a question under an
answer. Authors write it beside what it is about. In the canonical document it stands by itself, so
a plan without it keeps its bytes, and what remains of a plan without its wording is its law.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as of_class
from typing import Any, Self
from unicodedata import normalize

from discretion.plan.field import Field
from discretion.plan.legibility import LISTS, check_distinct, illegible

Phrase = str | Mapping[str, str]  # the same in all languages, or a text for each

SURVEY = {  # what is said of the whole, with the most characters it may have
    "title": 200,
    "asker": 200,
    "purpose": 1000,
    "contact": 200,
    "retention": 500,
    "notice": 5000,
}
ATTRIBUTE = {"question": 300, "help": 1000, "unit": 20}
LABEL = 200
STATED = (*SURVEY, "languages", "sections")  # the author's fields of a plan
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?")
BESIDE = (
    "\n\u200c\u200d"  # new lines, and the joiners that Persian, Hindi and emoji are written with
)
ALIKE = {"LATIN", "CYRILLIC", "GREEK"}  # scripts in which many letters look the same


@dataclass(frozen=True)
class AttributeWording:
    """What is said of one attribute; ``labels`` are by the code that the plan has."""

    question: Phrase = ""
    help: Phrase = ""
    unit: Phrase = ""
    labels: Mapping[str, Phrase] = of_class(default_factory=dict)

    def label(self, code: str) -> Phrase:
        """Return what people call a code, which is the code itself where nothing is said."""
        return self.labels.get(code, code)

    @property
    def document(self) -> dict[str, Any]:
        said = {key: getattr(self, key) for key in ATTRIBUTE}
        said["labels"] = list(self.labels.values())  # one for each code, in code order
        return {key: value for key, value in said.items() if value}


@dataclass(frozen=True)
class Section:
    """Attributes that stand together on a page, in this order."""

    title: Phrase
    attributes: tuple[str, ...]

    @property
    def document(self) -> dict[str, Any]:
        return {"title": self.title, "attributes": list(self.attributes)}


@dataclass(frozen=True)
class Wording:
    """All that is said to people; what an author leaves out is empty."""

    languages: tuple[str, ...] = ()  # the first has every text
    title: Phrase = ""
    asker: Phrase = ""
    purpose: Phrase = ""
    contact: Phrase = ""
    retention: Phrase = ""
    notice: Phrase = ""
    sections: tuple[Section, ...] = ()
    attributes: Mapping[str, AttributeWording] = of_class(default_factory=dict)

    @property
    def document(self) -> dict[str, Any]:
        """The wording as it stands in the document of a plan."""
        said: dict[str, Any] = {
            **{key: getattr(self, key) for key in SURVEY},
            "languages": list(self.languages),
            "sections": [section.document for section in self.sections],
            "attributes": [
                {"name": name, **each.document} for name, each in self.attributes.items()
            ],
        }
        return {key: value for key, value in said.items() if value}

    def of(self, name: str) -> AttributeWording:
        """Return what is said of an attribute."""
        return self.attributes.get(name, AttributeWording())

    def best(self, wanted: Iterable[str]) -> str | None:
        """Return the first wanted language that there is, by its whole tag or its first part."""
        for tag in wanted:
            near = [own for own in self.languages if own.split("-")[0] == tag.split("-")[0]]
            if near:
                return tag if tag in near else near[0]
        return next(iter(self.languages), None)

    def within(self, language: str) -> Self:
        """Return the wording in one language; texts that lack it stay in the first."""

        def said(phrase: Phrase) -> Phrase:
            if isinstance(phrase, str):
                return phrase
            return phrase.get(language, phrase[self.languages[0]])

        def of_one(each: AttributeWording) -> AttributeWording:
            labels = {code: said(label) for code, label in each.labels.items()}
            return AttributeWording(said(each.question), said(each.help), said(each.unit), labels)

        survey: dict[str, Any] = {key: said(getattr(self, key)) for key in SURVEY}
        sections = tuple(replace(each, title=said(each.title)) for each in self.sections)
        attributes = {name: of_one(each) for name, each in self.attributes.items()}
        return replace(self, **survey, sections=sections, attributes=attributes)

    def missing(self) -> Iterator[tuple[str, str]]:
        """Yield each language that a text lacks, with the text in the first one."""
        for phrase in _by_language(self):
            for language in self.languages:
                if language not in phrase:
                    yield language, phrase[self.languages[0]]


def changes(before: Wording, after: Wording) -> Iterator[tuple[str, str, str]]:
    """Yield each place where two wordings differ, with both texts; "" where one has none."""
    old, new = dict(_texts(before.document)), dict(_texts(after.document))
    for place in dict.fromkeys((*old, *new)):
        if old.get(place) != new.get(place):
            yield place, old.get(place, ""), new.get(place, "")


def _texts(value: object, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of a document, and the place where it stands."""
    if isinstance(value, str):
        yield place, value
    for index, item in enumerate(value if isinstance(value, list) else ()):
        named = item.get("name", index) if isinstance(item, Mapping) else index
        yield from _texts(item, f"{place}[{named}]")
    for key, item in value.items() if isinstance(value, Mapping) else ():
        yield from _texts(item, f"{place}.{key}".removeprefix("."))


def code_field(item: Field) -> Field:
    """Return the code of a value, beside which there may be a label."""
    if not isinstance(item.value, Mapping):
        return item
    return item.mapping(("code", "label"))["code"]


def read_wording(plan: Mapping[str, Field]) -> Wording:
    """Return what is said in an author's plan, whose attributes were read already."""
    survey = {key: _phrase(plan[key], most) for key, most in SURVEY.items() if key in plan}
    attributes = {}
    for item in plan["attributes"].items():
        fields = item.each()
        attributes[fields["name"].text()] = _attribute(fields)
    sections = _sections(plan["sections"], list(attributes)) if "sections" in plan else ()
    said = {name: each for name, each in attributes.items() if each.document}
    wording = Wording((), **survey, sections=sections, attributes=said)
    stated = [item.text() for item in plan["languages"].items()] if "languages" in plan else []
    wording = replace(wording, languages=tuple(stated or _tags(wording)))
    _check_languages(plan.get("languages", plan["attributes"]), wording)
    return wording


def as_author(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a plan's document with its wording where authors write it.

    Whatever does not look like wording is passed on as it is, for the reader to refuse.
    """
    rest, wording = dict(document), document.get("wording")
    if not isinstance(wording, Mapping):
        return rest
    del rest["wording"]
    survey, asked = dict(wording), wording.get("attributes")
    if isinstance(asked, list) and isinstance(rest.get("attributes"), list):
        del survey["attributes"]
        said = {str(each.get("name")): each for each in asked if isinstance(each, Mapping)}
        rest["attributes"] = [_beside(each, said) for each in rest["attributes"]]
    return {**survey, **rest}


def _beside(attribute: object, said: Mapping[str, Mapping[str, Any]]) -> object:
    """Return an attribute's document with what is said of it."""
    if not isinstance(attribute, dict) or str(attribute.get("name")) not in said:
        return attribute
    own = dict(said[str(attribute["name"])])
    field = next((name for name in LISTS if name in attribute), LISTS[0])
    labels, values = own.pop("labels", None), attribute.get(field)
    if isinstance(labels, list) and isinstance(values, list) and len(labels) == len(values):
        pairs = zip(values, labels, strict=True)
        own[field] = [{"code": code, "label": label} for code, label in pairs]
    return {**attribute, **own}


def _attribute(fields: Mapping[str, Field]) -> AttributeWording:
    said = {key: _phrase(fields[key], most) for key, most in ATTRIBUTE.items() if key in fields}
    listed = next((fields[name] for name in LISTS if name in fields), None)
    values = listed.items() if listed and not isinstance(listed.value, str) else []
    stated = [item.mapping(("code", "label")) for item in values if isinstance(item.value, Mapping)]
    if listed and stated and len(stated) < len(values):
        listed.fail("must have a label for each code, or for none")
    labels = {each["code"].label(): _phrase(each["label"], LABEL) for each in stated}
    return AttributeWording(**said, labels=labels)


def _sections(field: Field, names: Sequence[str]) -> tuple[Section, ...]:
    sections, seen = [], set[str]()
    for item in field.items():
        fields = item.mapping(("title", "attributes"))
        inside = [each.one_of(names) for each in fields["attributes"].items()]
        if len({*inside, *seen}) < len(inside) + len(seen):
            fields["attributes"].fail("an attribute must stand in one section only, once")
        seen |= {*inside}
        sections.append(Section(_phrase(fields["title"], LABEL), tuple(inside)))
    return tuple(sections)


def _phrase(field: Field, most: int) -> Phrase:
    """Return a text, or a text for each language, in one spelling (NFC)."""
    if not isinstance(field.value, Mapping):
        return _text(field, most)
    for tag in field.value:
        if not isinstance(tag, str) or not LANGUAGE.fullmatch(tag):
            field.fail("must be text, or texts by language tags such as en or pt-BR")
    if not field.value:
        field.fail("must have a text")
    return {tag: _text(each, most) for tag, each in field.each().items()}


def _text(field: Field, most: int) -> str:
    if not isinstance(field.value, str):
        field.fail("must be text (put it in quotes)")
    text = normalize("NFC", field.value)
    if len(text) > most:
        field.fail(f"must be at most {most} characters")
    if fault := illegible(text):
        field.fail(fault)
    return text


def _check_languages(field: Field, wording: Wording) -> None:
    """Refuse a text that lacks the first language, and labels that look alike in one of them."""
    languages = wording.languages
    if len({*languages}) < len(languages) or not all(map(LANGUAGE.fullmatch, languages)):
        field.fail("must be different language tags such as en or pt-BR")
    for phrase in _by_language(wording):
        if languages[0] not in phrase or not {*languages}.issuperset(phrase):
            shown = next(iter(phrase.values()))
            field.fail(f"{shown!r} must be in {languages[0]}, and in no language but the plan's")
    for language in languages or ("",):
        for name, each in wording.within(language).attributes.items():
            check_distinct(field.source, f"labels of {name}", map(str, each.labels.values()))


def _tags(wording: Wording) -> Iterable[str]:
    """Return the languages in the order in which texts have them."""
    return dict.fromkeys(tag for phrase in _by_language(wording) for tag in phrase)


def _by_language(wording: Wording) -> Iterator[Mapping[str, str]]:
    """Yield every text that has languages."""
    yield from (phrase for phrase in _phrases(wording) if not isinstance(phrase, str))


def _phrases(said: Wording) -> Iterator[Phrase]:
    """Yield every text there is."""
    yield from (getattr(said, key) for key in SURVEY)
    yield from (section.title for section in said.sections)
    for each in said.attributes.values():
        yield from (getattr(each, key) for key in ATTRIBUTE)
        yield from each.labels.values()
