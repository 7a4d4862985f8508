"""``discretion estimate``: frequencies from a file of reports."""

import json as json_format
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from discretion.cli.show import frequency_table
from discretion.estimate import FrequencyEstimate, frequencies
from discretion.estimate.show import summary
from discretion.table import ReportTable


def estimate(
    reports: Annotated[Path, typer.Argument(help="A Parquet file of reports.")],
    attributes: Annotated[
        list[str] | None, typer.Argument(help="Which attributes; all if none is named.")
    ] = None,
    method: Annotated[
        str, typer.Option(help="auto, mle, weighted, stratified, blind, moment or pldp.")
    ] = "auto",
    target: Annotated[str, typer.Option(help="population or owners.")] = "population",
    json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Print the frequencies of each attribute with standard errors and 95 % intervals.

    Example: discretion estimate reports.parquet travel income --method weighted
    """
    table = ReportTable.read(reports)
    names = attributes or list(table.plan.names)
    estimates = [frequencies(table, name, method, target) for name in names]
    if json:
        print(json_format.dumps([_document(e) for e in estimates], ensure_ascii=False, indent=2))
        return
    console = Console(highlight=False)
    if table.refused:
        console.print(f"{len(table.refused):,} rows were refused; the first: {table.refused[0]}")
    for result in estimates:
        console.print(summary(result))
        console.print(frequency_table(result), "")


def _document(estimate: FrequencyEstimate) -> dict[str, object]:
    test = estimate.homogeneity
    return {
        "attribute": estimate.attribute,
        "method": estimate.method,
        "target": estimate.target,
        "reports": estimate.n,
        "effective_n": estimate.effective_n,
        "homogeneity_p": None if test is None else test.pvalue,
        "frequencies": estimate.to_frame().to_pylist(),
    }
