"""Kinds of questions: as what the reports about an attribute are estimated.

The registry of statistics says which kinds each statistic applies to. Elsewhere nobody compares
kinds: what depends on one is asked of the question, its attribute or its report family.
"""

from enum import StrEnum


class Kind(StrEnum):
    """As what an attribute is estimated."""

    noun: str  # what an attribute of the kind is called
    plural: str
    functions: str  # that estimate it, as an error advises them

    LABELS = "labels", "a label", "labels", "frequencies()"
    NUMBER = "number", "a number", "numbers", "mean(), quantiles() or histogram()"
    ORDER = "order", "an ordered value", "ordered values", "ranges(), cdf() or quantiles()"
    PLANE = "plane", "a pair of numbers", "pairs of numbers", "ranges()"
    TEXT = "text", "a text", "texts", "frequencies(..., candidates=...)"
    WORD = "word", "a text to discover", "texts to discover", "discover()"
    SET = "set", "a set", "sets", "frequencies()"
    TEXTS = "texts", "a set of texts", "sets of texts", "frequencies(..., candidates=...)"
    MAP = "map", "a map", "maps", "means()"

    def __new__(cls, value: str, noun: str, plural: str, functions: str) -> "Kind":
        kind = str.__new__(cls, value)
        kind._value_ = value
        kind.noun, kind.plural, kind.functions = noun, plural, functions
        return kind
