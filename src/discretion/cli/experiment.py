"""``discretion experiment``: a paper's tables and figures, with ours beside them."""

from pathlib import Path
from typing import Annotated

import typer

from discretion.cli.progress import each, working
from discretion.cli.show import Columns, console, examples
from discretion.experiment.check import checks, rows
from discretion.experiment.data import VARIABLE, fetch, folder, read
from discretion.experiment.page import distance_rows, summary, write_page
from discretion.experiment.pldp import Findings, Scope, measure

experiment = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@experiment.callback(epilog=examples("discretion experiment pldp --quick"))
def _experiment() -> None:
    """Repeat a paper's experiment, and compare its figures with ours."""


@experiment.command(
    short_help="Table 2 and Figures 5 to 7 of the PLDP paper.",
    epilog=examples(
        "discretion experiment pldp --data downloads",
        "discretion experiment pldp --quick --fetch",
    ),
)
def pldp(
    data: Annotated[
        Path | None,
        typer.Option(help=f"The folder of the data sets; else ${VARIABLE}, else data."),
    ] = None,
    fetch_missing: Annotated[
        bool, typer.Option("--fetch", help="Fetch data sets that are not there from UCI.")
    ] = False,
    seeds: Annotated[
        int | None,
        typer.Option(min=1, help="Runs for each data set; if not said, 10 or for small ones 20."),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Abalone and Car, our methods, no page unless -o is given."),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The folder of the page; if not said, docs/results."),
    ] = None,
) -> None:
    """Simulate the paper's settings on its data sets, print Table 2 and write a page with figures.

    The data sets are Adult, Abalone, Bank and Car: adult.csv, abalone.csv, bank-full.csv and
    car.csv, or the same with .gz.
    """
    scope, place = Scope.of(seeds, quick=quick), folder(data)
    for dataset in scope.datasets if fetch_missing else ():
        with working(f"fetching {dataset.name}"):
            fetch(dataset, place)
    records = {dataset.name: read(dataset, place) for dataset in scope.datasets}
    findings = measure(scope, records, lambda steps: each("measuring", steps))
    _print(findings)
    if not quick or output is not None:
        path = write_page(findings, output or Path("docs/results"))
        console().print(f"written to {path}", soft_wrap=True)


def _print(findings: Findings) -> None:
    """Print Table 2 with the paper's figures, and what is met and missed."""
    out = console()
    for dataset, setting in rows(findings):
        heads = (f"{dataset}, {setting}", *(f"k = {k}" for k in range(1, 6)), "runs")
        body = distance_rows(findings, dataset, setting)
        out.print(Columns(heads, body, right=frozenset(range(1, len(heads)))))
        out.print()
    out.print(summary(checks(findings)), soft_wrap=True)
