"""The texts of a form by language: ``label::Deutsch (de)`` becomes the text of ``de``."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Self
from unicodedata import normalize

from discretion.plan.legibility import illegible
from discretion.plan.wording import LANGUAGE, Phrase

DEFAULT = "default"  # what pyxform calls the language of columns that name none
GUESSED, UNKNOWN = "en", "und"
TAGGED = re.compile(r"\(\s*([A-Za-z][A-Za-z0-9_-]*)\s*\)\s*$")
SPELT = {  # languages as columns name them where they state no tag
    "am": ["amharic"],
    "ar": ["arabic", "العربية"],
    "bn": ["bengali", "bangla"],
    "my": ["burmese"],
    "zh": ["chinese", "中文"],
    "prs": ["dari"],
    "de": ["german", "deutsch"],
    "nl": ["dutch", "nederlands"],
    "en": ["english"],
    "fr": ["french", "français", "francais"],
    "ha": ["hausa"],
    "hi": ["hindi", "हिन्दी"],
    "id": ["indonesian", "bahasa indonesia"],
    "it": ["italian", "italiano"],
    "ja": ["japanese", "日本語"],
    "km": ["khmer"],
    "ku": ["kurdish"],
    "ne": ["nepali"],
    "ps": ["pashto"],
    "fa": ["persian", "farsi"],
    "pl": ["polish", "polski"],
    "pt": ["portuguese", "português", "portugues"],
    "ru": ["russian", "русский"],
    "so": ["somali"],
    "es": ["spanish", "español", "espanol"],
    "sw": ["swahili", "kiswahili"],
    "ta": ["tamil"],
    "tr": ["turkish", "türkçe"],
    "uk": ["ukrainian", "українська"],
    "ur": ["urdu", "اردو"],
    "vi": ["vietnamese"],
    "yo": ["yoruba"],
    "zu": ["zulu"],
}
NAMES = {name: tag for tag, names in SPELT.items() for name in names}
REFERENCE = re.compile(r"\$\{[^{}]*\}")
MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|\*\*|(?<!\w)__|__(?!\w)|^#{1,6}\s+", re.MULTILINE)
GAP = "…"  # stands where a text quotes another answer


@dataclass(frozen=True)
class Languages:
    """The languages of a form, the first one first, and what its columns call them."""

    tags: tuple[str, ...]
    named: Mapping[str, str] = field(default_factory=dict)  # the tag of each column's language
    dropped: tuple[str, ...] = ()  # languages without a tag, or with one that is taken
    guessed: str = ""  # the tag that was given to columns without a language

    @classmethod
    def of(cls, first: str, texts: Iterable[object]) -> Self:
        """Return the languages that texts are in, the form's own one first."""
        seen = dict.fromkeys(name for text in texts if isinstance(text, dict) for name in text)
        stated = [first, *seen] if first != DEFAULT else [*sorted(seen, key=DEFAULT.__ne__)]
        named: dict[str, str] = {}
        dropped, others = [], {tag_of(name) for name in stated}
        for name in dict.fromkeys(stated):
            tag = tag_of(name)
            if name == DEFAULT:
                tag = UNKNOWN if GUESSED in others else GUESSED
            if tag and tag not in named.values():
                named[name] = tag
            else:
                dropped.append(name)
        return cls(tuple(named.values()), named, tuple(dropped), named.get(DEFAULT, ""))

    def phrase(self, text: object) -> Phrase:
        """Return a text as a plan has it; where the first language lacks it, another stands in."""
        if not isinstance(text, dict):
            return plain(str(text or ""))
        found = {self.named[name]: plain(own) for name, own in text.items() if name in self.named}
        found = {tag: own for tag, own in found.items() if own}
        if not found:
            return ""
        if len(self.tags) < 2:
            return next(iter(found.values()))
        return {tag: found.get(tag) or next(iter(found.values())) for tag in self._kept(found)}

    def _kept(self, found: Mapping[str, str]) -> list[str]:
        return [tag for tag in self.tags if tag in found or tag == self.tags[0]]


def tag_of(name: str) -> str:
    """Return the language tag that a column states or means; "" for none that is known."""
    stated = TAGGED.search(name)
    tag = stated.group(1) if stated else name.strip()
    parts = re.split("[-_]", tag)
    shaped = "-".join([parts[0].lower(), *(_part(part) for part in parts[1:])])
    if LANGUAGE.fullmatch(shaped):
        return shaped
    return NAMES.get(TAGGED.sub("", name).strip().casefold(), "")


def _part(part: str) -> str:
    return part.title() if len(part) == 4 else part.upper()


def plain(text: str) -> str:
    """Return a text without markup, and with a gap where it quotes another answer."""
    shown = unescape(MARKUP.sub("", REFERENCE.sub(GAP, text)))
    lines = (" ".join(line.split()) for line in normalize("NFC", shown).splitlines())
    return "\n".join(line for line in lines if line)


def texts_of(phrase: Phrase) -> list[str]:
    """Return a text in all its languages."""
    return [phrase] if isinstance(phrase, str) else [*phrase.values()]


def fault_of(phrase: Phrase, most: int) -> str:
    """Return why people cannot read a text, or why a plan has no room for it; "" if they can."""
    for text in texts_of(phrase):
        if len(text) > most:
            return f"must be at most {most} characters"
        if fault := illegible(text):
            return fault
    return ""


def joined(one: Phrase, other: Phrase) -> Phrase:
    """Return two texts, one below the other, in every language that one of them has."""
    if not one or not other:
        return one or other
    if isinstance(one, str) and isinstance(other, str):
        return f"{one}\n{other}"
    tags = dict.fromkeys([*_tags(one), *_tags(other)])
    return {tag: f"{_in(one, tag)}\n{_in(other, tag)}" for tag in tags}


def _tags(phrase: Phrase) -> list[str]:
    return [] if isinstance(phrase, str) else [*phrase]


def _in(phrase: Phrase, tag: str) -> str:
    if isinstance(phrase, str):
        return phrase
    return phrase.get(tag) or next(iter(phrase.values()))
