"""Why a value does not fit its attribute: one rule for devices and for simulations.

A label that is not listed counts as the fallback, a number outside the range as the nearer end.
What writes no number, where one is asked for, is no value: the owner lacks it, as if it were
missing. Of a set or a map the entries that do not fit are left out, or count likewise. So every
label and every number has a place, and no report is refused because of one.
Whether an owner has a value at all is public: what she shares is chosen before.
"""

from enum import StrEnum


class Misfit(StrEnum):
    """Why a value does not fit; the words are those of both devices."""

    UNLISTED = "unlisted"
    BELOW = "below"
    ABOVE = "above"
    NO_NUMBER = "no_number"
    ENTRIES = "entries"

    @property
    def meaning(self) -> str:
        """What is the matter, after the value."""
        return MEANINGS[self]

    def shown(self, instead: str) -> str:
        """Return what a value counts as, with labels in quotes: one may be "none"."""
        return f'"{instead}"' if self is Misfit.UNLISTED else instead


MEANINGS = {
    Misfit.UNLISTED: "is not listed",
    Misfit.BELOW: "is below the range",
    Misfit.ABOVE: "is above the range",
    Misfit.NO_NUMBER: "is not a number",
    Misfit.ENTRIES: "has entries that do not fit",
}
NO_VALUE = "no value"  # what a misfit counts as that has no place
