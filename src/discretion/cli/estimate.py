"""``discretion estimate``: frequencies from a file of reports."""

import json as json_format
import sys
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer

from discretion.cli.progress import each, working
from discretion.cli.show import FrequencyTable, broken, console
from discretion.errors import EstimateError
from discretion.estimate import FrequencyEstimate, frequencies
from discretion.estimate.frequencies import METHODS, TARGETS
from discretion.estimate.show import summary
from discretion.table import ReportTable


def estimate(
    reports: Annotated[Path, typer.Argument(metavar="REPORTS", help="A Parquet file of reports.")],
    attributes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ATTRIBUTES", help="Which attributes or bundles; all if none is named."
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            help=f"{', '.join(['auto', *METHODS])}.",
            autocompletion=lambda: ["auto", *METHODS],
        ),
    ] = "auto",
    target: Annotated[
        str,
        typer.Option(
            help="population (the people these owners come from) or owners (these very people).",
            autocompletion=lambda: [*TARGETS],
        ),
    ] = "population",
    round: Annotated[int | None, typer.Option(help="Which round, if there are several.")] = None,
    all: Annotated[bool, typer.Option("--all", help="Show all labels, however many.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Print the frequencies of each attribute with standard errors and 95 % intervals."""
    with working(f"reading {reports}"):
        table = ReportTable.read(reports)
    table = _of_round(table, round)
    for name in attributes or ():
        table.plan.attribute(name)  # a misspelt one is told before the work
    names = attributes or table.shared or table.plan.names
    estimates = [frequencies(table, name, method, target) for name in each("estimating", names)]
    if json:
        print(json_format.dumps([_document(e) for e in estimates], indent=2, allow_nan=False))
        return
    out = console()
    room = out.width if out.is_terminal else sys.maxsize  # in a pipe it stays one line
    for i, result in enumerate(estimates):
        out.print("\n" * (i > 0) + broken(summary(result), room), soft_wrap=True)
        out.print(FrequencyTable(result, whole=all))


def _of_round(table: ReportTable, round: int | None) -> ReportTable:
    """Return the reports of the round; say which rows were refused, and which rounds there are."""
    if table.refused:
        first = table.refused[0]
        note = f"{len(table.refused):,} rows are refused; row {first.row}: {first.reason}"
        console(stderr=True).print(f"warning: {note}, {first.detail}", soft_wrap=True)
    known = ", ".join(map(str, table.rounds))
    if round is None:
        if len(table.rounds) > 1:
            raise EstimateError(f"reports must be of one round: choose --round from {known}")
        return table
    if round not in table.rounds:
        raise EstimateError(f"there must be reports of round {round}, and there are of {known}")
    return table.of_round(round)


def _document(estimate: FrequencyEstimate) -> dict[str, Any]:
    test, worth = estimate.homogeneity, estimate.effective_n
    frame = estimate.to_frame()
    frame = frame.rename_columns(["label", *frame.column_names[1:]])
    return {
        "attribute": estimate.attribute,
        "method": estimate.method,
        "target": estimate.target,
        "reports": estimate.n,
        "effective_n": worth if isfinite(worth) else None,
        "homogeneity_p": None if test is None else test.pvalue,
        "frequencies": frame.to_pylist(),
    }
