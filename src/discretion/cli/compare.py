"""``discretion compare``: whether two crowds of different people answer alike."""

import json as json_format
from typing import Annotated

import typer

from discretion.cli.estimator import Calibrate, calibrated, reported
from discretion.cli.options import REPORTS, Dask, Json, Round, read_reports
from discretion.cli.progress import each
from discretion.comparisons import DifferenceEstimate, adjust
from discretion.comparisons import compare as compared
from discretion.errors import EstimateError
from discretion.render.formats import listed
from discretion.render.terminal import console
from discretion.statistics import STATISTICS
from discretion.table import Reports

COMPARE = STATISTICS["compare"]


def compare(
    first: Annotated[str, typer.Argument(metavar="FIRST", help=REPORTS)],
    second: Annotated[
        str, typer.Argument(metavar="SECOND", help="The reports to compare with, likewise.")
    ],
    attributes: Annotated[
        list[str] | None,
        typer.Argument(metavar="ATTRIBUTES", help="Which ones; all that both have, if none is."),
    ] = None,
    round: Round = None,
    other_round: Annotated[int | None, typer.Option(help="Which round of SECOND.")] = None,
    different_owners: Annotated[
        bool,
        typer.Option("--different-owners", help="No owner answered both: needed between rounds."),
    ] = False,
    permutations: Annotated[
        int, typer.Option(help="Test labels by so many random exchanges of owners.")
    ] = 0,
    seed: Annotated[int | None, typer.Option(help="Of the permutations.")] = None,
    calibrate: Calibrate = None,
    dask: Dask = None,
    json: Json = False,
) -> None:
    """Print how the answers in FIRST and SECOND differ, with 95 % intervals and a test.

    Both are reports of different people: two arms of a study, two surveys, or two rounds.
    """
    one, other = read_reports(first, round, dask), read_reports(second, other_round, dask)
    weights = None if calibrate is None else [calibrated(side, calibrate) for side in (one, other)]
    known = () if weights is None else weights[0].attributes
    names = attributes or [name for name in _common(one, other) if name not in known]
    found = {}
    for name in each("comparing", names):
        numbers = not set(one.plan.questions[name].numbers).isdisjoint([name])
        found[name] = compared(
            one,
            other,
            name,
            different_owners=different_owners,
            permutations=0 if numbers and not attributes else permutations,
            seed=seed,
            weights=weights,
        )
    if json:
        documents = [difference.document() for difference in found.values()]
        print(json_format.dumps(documents, indent=2, allow_nan=False))
        return
    _show(found)


def _show(found: dict[str, DifferenceEstimate]) -> None:
    out = console()
    out.print("\n\n".join(map(str, found.values())), soft_wrap=True)
    if len(found) > 1:
        adjusted = adjust(found)
        named = listed(adjusted.rejected) if adjusted.rejected else "none"
        out.print(
            f"\nDifferent at 5 % after adjusting for {len(found)} tests (Holm): {named}.",
            soft_wrap=True,
        )


def _common(first: Reports, second: Reports) -> list[str]:
    """Return what was reported in both and can be compared."""
    sides = [
        [name for name in reported(side, None) if COMPARE.applies(side.plan, name)]
        for side in (first, second)
    ]
    found = [name for name in sides[0] if name in sides[1]]
    if not found:
        raise EstimateError("no attribute was reported in both that can be compared")
    return found
