"""``discretion change`` and ``discretion series``: the same question over rounds."""

import json as json_format
from typing import Annotated

import typer

from discretion.cli.estimator import reported
from discretion.cli.options import REPORTS, Dask, Json, read_rounds
from discretion.cli.progress import each
from discretion.errors import EstimateError
from discretion.render.terminal import console
from discretion.statistics import STATISTICS
from discretion.table import Reports
from discretion.trends import change as changed
from discretion.trends import series as over_rounds

Source = Annotated[str, typer.Argument(metavar="REPORTS", help=REPORTS)]
Attributes = Annotated[
    list[str] | None,
    typer.Argument(metavar="ATTRIBUTES", help="Which ones; all that were reported, if none is."),
]


def change(
    source: Source,
    attributes: Attributes = None,
    earlier: Annotated[int, typer.Option("--from", help="The earlier round.")] = 0,
    later: Annotated[int, typer.Option("--to", help="The later round.")] = 1,
    dask: Dask = None,
    json: Json = False,
) -> None:
    """Print how far the answers of one round differ from those of an earlier one.

    The same owners may have answered both. Where devices repeat answers (again: memo) the intervals
    are bounds, and the line above them says so.
    """
    reports = read_rounds(source, dask)
    found = [
        changed(reports, name, earlier, later)
        for name in each("comparing", attributes or _possible(reports))
    ]
    if json:
        documents = [difference.document() for difference in found]
        print(json_format.dumps(documents, indent=2, allow_nan=False))
        return
    console().print("\n\n".join(map(str, found)), soft_wrap=True)


def series(
    source: Source, attributes: Attributes = None, dask: Dask = None, json: Json = False
) -> None:
    """Print how the answers went over all rounds, smoothed, and where something changed."""
    reports = read_rounds(source, dask)
    names = attributes or _possible(reports)
    found = [over_rounds(reports, name) for name in each("estimating", names)]
    if json:
        print(json_format.dumps([s.document() for s in found], indent=2, allow_nan=False))
        return
    console().print("\n\n".join(map(str, found)), soft_wrap=True)


def _possible(reports: Reports) -> list[str]:
    """Return what was reported and can be followed."""
    found = [
        name for name in reported(reports, None) if STATISTICS["series"].applies(reports.plan, name)
    ]
    if not found:
        raise EstimateError("no attribute was reported that can be followed over rounds")
    return found
