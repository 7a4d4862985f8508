"""``discretion estimate --by``: answers, means and quantiles by group, as crosstabs."""

import json as json_format
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol, cast

import pyarrow.csv as arrow_csv
import typer

from discretion.cli.progress import each
from discretion.errors import EstimateError
from discretion.family import of
from discretion.groups import Crosstab, GroupMeans, GroupQuantiles
from discretion.groups.show import PERCENTS
from discretion.plan import Plan
from discretion.render.terminal import console
from discretion.statistics import STATISTICS, Statistic
from discretion.table import Reports
from discretion.table.frame import Frame

By = Annotated[
    str | None,
    typer.Option(metavar="ATTRIBUTE", help="Estimate by group: by the values of this attribute."),
]
Given = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=LABEL", help="Among those with this label, such as age=65+; may be repeated."
    ),
]
Bins = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=EDGES",
        help="Edges of a number's bins, such as income=0,20000,60000, or how many, "
        "for --by, --given and --joint; may be repeated.",
    ),
]
Against = Annotated[
    str | None,
    typer.Option(metavar="GROUP", help="Also compare the other groups with this one."),
]
Percent = Annotated[
    str,
    typer.Option(
        help=f"Which per cent a crosstab shows: {', '.join(PERCENTS)}.",
        autocompletion=lambda: [*PERCENTS],
    ),
]
Csv = Annotated[
    bool,
    typer.Option("--csv", help="Print CSV, a row for each value."),
]
Found = Crosstab | GroupMeans | GroupQuantiles
KINDS = {name: STATISTICS[name] for name in ("frequencies", "mean", "quantiles")}


class HasFrame(Protocol):
    """Whatever has a frame."""

    def to_frame(self, backend: str | None = None) -> Frame: ...


@dataclass(frozen=True)
class Asked:
    """What the options say about groups."""

    by: str | None
    given: Sequence[str]
    bins: Sequence[str]
    against: str | None
    percent: str
    csv: bool
    json: bool
    candidates: Sequence[str] | None = None  # of texts
    margins: str | None = None  # of the population, as JSON

    @property
    def groups(self) -> bool:
        """Whether anything is asked by group."""
        return self.by is not None or bool(self.given)

    @property
    def edges(self) -> dict[str, Any] | None:
        """The bins by attribute."""
        return STATISTICS["joint"].option("bins").pairs(self.bins) if self.bins else None

    def check(self, other: object) -> None:
        """Refuse options of groups where there are none, and anything other beside groups."""
        if self.groups and other:
            raise EstimateError("groups are of attributes: leave --joint and --statistic out")
        if self.csv and self.json:
            raise EstimateError("--csv and --json are two formats: name one")
        named = {"against": self.against, "percent": self.percent != PERCENTS[0]}
        if not self.groups and (stray := [name for name, value in named.items() if value]):
            raise EstimateError(f"--{stray[0]} is for groups: name --by or --given")

    def options(self, statistic: Statistic, plan: Plan, name: str) -> dict[str, Any]:
        """Return the options as the statistic has them; candidates are for texts."""
        found = statistic.parsed({"given": self.given or None})
        texts = {"candidates": self.candidates} if statistic.needed(plan, name) else {}
        known = {} if self.margins is None else {"calibrate": self.margins}
        return {"by": self.by, "given": found["given"], "bins": self.edges, **texts, **known}


def print_groups(table: Reports, names: Sequence[str], asked: Asked) -> None:
    """Print each attribute by group: answers of labels, means and quantiles of numbers."""
    if not names:
        raise EstimateError("name the attributes that are estimated by group")
    table.plan.questions.check(names)
    found = [
        cast("Found", statistic.result(table, name, **asked.options(statistic, table.plan, name)))
        for name in each("estimating", names)
        for statistic in _statistics(table.plan, name)
    ]
    if asked.json:
        print(json_format.dumps([_document(one, asked.against) for one in found], indent=2))
    elif asked.csv:
        print_csv(found)
    else:
        shown = (part for one in found for part in _shown(one, asked))
        console().print("\n\n".join(map(str, shown)), soft_wrap=True)


def print_csv(found: Sequence[HasFrame]) -> None:
    """Print the frames of results, with an empty line between them."""
    for i, one in enumerate(found):
        sys.stdout.buffer.write(b"\n" * (i > 0))
        arrow_csv.write_csv(one.to_frame("pyarrow"), sys.stdout.buffer)


def _statistics(plan: Plan, name: str) -> list[Statistic]:
    """Return what is estimated: the mean and the quartiles of a number, as far as reports go."""
    if not plan.questions[name].numbers:
        return [KINDS["frequencies"]]
    if of(plan.questions[name]).mean_only:
        return [KINDS["mean"]]
    return [KINDS["mean"], KINDS["quantiles"]]


def _document(found: Found, against: str | None) -> object:
    if against is None or isinstance(found, GroupQuantiles):
        return found.document()
    return found.document(against)


def _shown(found: Found, asked: Asked) -> Iterator[object]:
    """Yield the table, and the comparisons with the group that is named."""
    yield found.table(asked.percent) if isinstance(found, Crosstab) else found.table()
    if asked.against is not None and not isinstance(found, GroupQuantiles):
        for group in found.others(asked.against):
            yield found.difference(group, asked.against)
            if found.has_ratios:
                yield found.ratio(group, asked.against)
