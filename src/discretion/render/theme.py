"""The colours of every chart and page, once for light and once for dark, and sizes of figures.

Two series are distinguished by blue and orange, which colour-blind people see as different too; the
truth is ink. Text and lines that matter keep a contrast of 4.5 to the paper.
"""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one mode."""

    paper: str
    card: str
    ink: str  # text, and the truth
    muted: str  # what explains
    rule: str  # axes and borders
    first: str  # intervals of the first series
    first_soft: str  # its bars
    second: str
    second_soft: str

    @property
    def css(self) -> str:
        """The colours as properties of a style sheet: ``--first-soft: #a9c8e8;`` and so on."""
        names = [field.name for field in fields(self)]
        return " ".join(f"--{name.replace('_', '-')}: {getattr(self, name)};" for name in names)


LIGHT = Palette(
    paper="#ffffff",
    card="#f5f7fa",
    ink="#1b2430",
    muted="#566272",
    rule="#cbd3dd",
    first="#1f5a96",
    first_soft="#a9c8e8",
    second="#9a5200",
    second_soft="#f2c48d",
)
DARK = Palette(
    paper="#12161c",
    card="#1b212a",
    ink="#e9edf3",
    muted="#a7b1bf",
    rule="#3b4654",
    first="#8fc1f3",
    first_soft="#2f5d8c",
    second="#f3b76a",
    second_soft="#85551b",
)

TITLE, TEXT, SMALL = 11, 9, 8  # points, in figures of matplotlib
WIDTH = 6.0  # inches of a figure


def colours() -> str:
    """Return both palettes as a style sheet; the reader's device chooses between them."""
    dark = f"@media (prefers-color-scheme: dark) {{ :root {{ {DARK.css} }} }}"
    light = f":root {{ color-scheme: light dark; {LIGHT.css} --ground: var(--paper); }}"
    return f"{light}\n{dark}\n"
