"""An option of a statistic: its type, its limits, and how it is written outside of Python.

Functions and choices are named by their modules and loaded when they are needed, so that the
registry needs the standard library alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, get_args

from discretion.errors import EstimateError
from discretion.kind import Kind

AUTO = "auto"
LABELS_OF = dict[str, str] | None  # a label by attribute
BINS_OF = dict[str, Any] | None  # how many bins, or their edges, by attribute


@dataclass(frozen=True, slots=True)
class Option:
    """A parameter of a statistic; limits are keywords of JSON Schema."""

    name: str
    type: object
    default: object
    help: str
    choices: Mapping[Kind, Sequence[str]] | None = None  # by kind: "module:NAMES"
    limits: Mapping[str, Any] = field(default_factory=dict)
    argument: str | None = None  # of the function, if that has another name; "": it has none
    needed: tuple[Kind, ...] = ()  # the kinds of attributes of which it must be given
    reports: bool = False  # whether counts do not suffice where it is given
    made: str = ""  # "module:name" of a function that makes the argument from data and the value

    @property
    def paired(self) -> bool:
        """Whether it maps attributes to something: outside of Python, texts such as age=65+."""
        return self.type in (LABELS_OF, BINS_OF)

    def values(self, *kinds: Kind) -> list[str]:
        """Return what may be chosen for these kinds, or for all; nothing where anything may be."""
        found = dict[str, None]()
        for kind, sources in (self.choices or {}).items():
            if not kinds or kind in kinds:
                found |= dict.fromkeys(value for source in sources for value in _values(source))
        return [*found]

    def read(self, text: str) -> object:
        """Read a value as it is written in a command: items of a list between commas."""
        kinds = [kind for kind in get_args(self.type) or (self.type,) if kind is not type(None)]
        try:
            if self.paired:
                return self.pairs(text.split(";"))
            if self.type in (list[float], list[float] | None):
                return [float(part) for part in text.split(",")]
            if self.type in (list[str], list[str] | None):
                return text.split(",")
            if bool in kinds:
                return {"yes": True, "no": False}[text]
            return kinds[0](text)
        except (ValueError, LookupError):
            raise EstimateError(f"{self.name} cannot be {text!r}: {self.help}") from None

    def pairs(self, texts: Sequence[str]) -> dict[str, Any]:
        """Read what stands behind each name: a label, or a number of bins or their edges."""
        found = {}
        for text in texts:
            name, equals, value = text.partition("=")
            try:
                found[name] = self.part(value)
            except ValueError:
                equals = ""
            if not (name and equals and value):
                raise EstimateError(f"{self.name} cannot be {text!r}: {self.help}")
        return found

    def part(self, text: str) -> Any:
        """Read what stands behind one name: a label, or a number of bins or their edges."""
        return text if self.type == LABELS_OF else _bins(text)


def _bins(text: str) -> int | list[float]:
    edges = [float(part) for part in text.split(",")]
    return edges if len(edges) > 1 else int(text)


def _values(source: str) -> Sequence[str]:
    """Return the names that a module has under a name, or the text itself."""
    return [*load(source)] if ":" in source else [source]


def load(location: str) -> Any:
    """Return what a module has under a name: ``module:name``."""
    module, _, name = location.partition(":")
    return getattr(import_module(module), name)
