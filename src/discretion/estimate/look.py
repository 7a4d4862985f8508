"""How every chart looks, drawn with matplotlib or written as a page: colours and sizes, once.

The two series are told apart by blue and orange, which colour-blind people see as different too;
the truth is ink. Text and lines that matter keep a contrast of 4.5 to the paper.
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

TITLE, TEXT, SMALL = 11, 9, 8  # points
NOTE, HEAD = 5, 17  # points: between the axes and the note, and the title, above them
WIDTH, PANEL, LETTER = 6.0, 2.5, 0.075  # inches: a chart; one of several, and a letter beside it
ROW, FRAME, GAP = 0.3, 1.1, 0.08  # inches: a bar, what stands around all bars, between charts
BAR, TICK = 0.68, 0.84  # of a row: a bar, and the line at the truth
INTERVAL, TRUTH = 4.0, 1.3  # points: wide enough that the truth does not hide an interval
ROOM = 1.04  # of the largest frequency: the length of the axis

MOST_BARS = 25
LONGEST_LABEL, LONGEST_LABEL_OF_SEVERAL = 32, 20


def shortened(label: str, longest: int) -> str:
    """Return a label that leaves room for the bars: its start and its end tell it from others."""
    if len(label) <= longest:
        return label
    start = longest // 2
    return f"{label[:start]}…{label[start + 1 - longest :]}"
