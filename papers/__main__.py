"""``python -m papers``: a paper's tables and figures, with ours beside them."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from discretion.cli.naming import examples
from discretion.cli.progress import each, working
from discretion.errors import DiscretionError
from discretion.render.tables import Table
from discretion.render.terminal import console
from papers import lopub as records
from papers import lopub_page as records_page
from papers import pena as incomes
from papers import pena_page as incomes_page
from papers import pmpm as means
from papers import pmpm_page as means_page
from papers.check import checks, rows
from papers.county import COUNTIES, surveys
from papers.data import VARIABLE, fetch, folder, read
from papers.incomes import EARNINGS, Incomes, made
from papers.lopub_check import checks as record_checks
from papers.lopub_data import SURVEYS
from papers.page import distance_rows, summary, write_page
from papers.pena_check import checks as income_checks
from papers.pldp import Findings, Scope, measure

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@app.callback(epilog=examples("python -m papers pldp --quick"))
def _papers() -> None:
    """Repeat a paper's experiment, and compare its figures with ours."""


@app.command(
    short_help="Table 2 and Figures 5 to 7 of the PLDP paper.",
    epilog=examples(
        "python -m papers pldp --data downloads",
        "python -m papers pldp --quick --fetch",
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


@app.command(
    short_help="Figures 3 to 12 of the PMPM paper.",
    epilog=examples(
        "python -m papers pmpm --data downloads",
        "python -m papers pmpm --data downloads --quick",
    ),
)
def pmpm(
    data: Annotated[
        Path | None,
        typer.Option(help=f"The folder of the data sets; else ${VARIABLE}, else data."),
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(min=1, help="Crowds for each error; if not said, 20.")
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Two budgets, 3 crowds, no page unless -o is given."),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The folder of the page; if not said, docs/results."),
    ] = None,
) -> None:
    """Ask for the means of the counties' numbers by each method, and write a page with figures.

    The data sets are US Census Demographic Data: acs2015_county_data.csv and
    acs2017_county_data.csv, or the same with .gz.
    """
    place = folder(data)
    files = {name: read(dataset, place) for name, dataset in COUNTIES.items()}
    scope = means.Scope.of(seeds, quick=quick)
    findings = means.measure(scope, surveys(files), lambda steps: each("measuring", steps))
    out = console()
    budgets = [f"budget {budget:g}" for budget in scope.budgets]
    for name in findings.surveys:
        heads = (f"{name}, squared error, 1e-4", "contract", *budgets)
        body = [tuple(row) for row in means_page.error_rows(findings, name)]
        out.print(Table(heads, body, left=frozenset({0, 1})))
        out.print()
    out.print(means_page.summary(means.checks(findings)), soft_wrap=True)
    if not quick or output is not None:
        path = means_page.write_page(findings, output or Path("docs/results"))
        out.print(f"written to {path}", soft_wrap=True)


@app.command(
    short_help="Figures 2 to 4 of the PENA paper.",
    epilog=examples(
        "python -m papers pena --data downloads",
        "python -m papers pena --data downloads --quick",
    ),
)
def pena(
    data: Annotated[
        Path | None,
        typer.Option(help=f"The folder of the data set; else ${VARIABLE}, else data."),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(min=2, max=incomes.BLOCK, help="Runs for each setting; if not said, 100."),
    ] = None,
    rows: Annotated[
        int | None,
        typer.Option(min=20_000, help="Rows of the made table; if not said, 3 million."),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="5 runs, 100,000 rows, no page unless -o is given."),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The folder of the page; if not said, docs/results."),
    ] = None,
) -> None:
    """Ask for the average and the minimum of incomes, and write a page with figures.

    The data set is an extract of the Current Population Survey: cps09mar.csv, or the same with .gz.
    A second table is made from a seed; if it is large, most settings have 5 runs on it.
    """
    earnings = read(EARNINGS, folder(data))[EARNINGS.attributes[0]].to_numpy()
    scope = incomes.Scope.of(runs, rows, quick=quick)
    columns = [Incomes(EARNINGS.name, earnings), made(scope.rows)]
    findings = incomes.measure(scope, columns, lambda steps: each("measuring", steps))
    out = console()
    for which, heads in enumerate(incomes_page.HEADS):
        for name in findings.facts:
            body = [tuple(row) for row in incomes_page.average_rows(findings, name, which)]
            shown = (f"{name}, {heads[0]}", *map(str, heads[1:]))
            out.print(Table(shown, body))
            out.print()
    out.print(incomes_page.summary(income_checks(findings)), soft_wrap=True)
    if not quick or output is not None:
        path = incomes_page.write_page(findings, output or Path("docs/results"))
        out.print(f"written to {path}", soft_wrap=True)


@app.command(
    short_help="Figures 7 to 30 and Tables 7 to 9 of the LoPub paper.",
    epilog=examples(
        "python -m papers lopub --data downloads",
        "python -m papers lopub --data downloads --quick",
    ),
)
def lopub(
    data: Annotated[
        Path | None,
        typer.Option(help=f"The folder of the data sets; else ${VARIABLE}, else data."),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(min=1, help="Runs; if not said, 2 of figures and 3 of all pairs of Adult."),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="1 run, a quarter of the records, no page unless -o is given."
        ),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The folder of the page; if not said, docs/results."),
    ] = None,
) -> None:
    """Publish whole records by the paper's methods and by ours, and write a page with figures.

    The data sets are Retail, Adult and, in place of TPC-E, Bank: retail.csv, adult.csv and
    bank-full.csv, or the same with .gz.
    """
    place = folder(data)
    files = {survey.name: read(survey.file, place) for survey in SURVEYS}
    scope = records.Scope.of(runs, quick=quick)
    findings = records.measure(scope, files, lambda steps: each("measuring", steps))
    out, heads = console(), records_page.PAIR_HEADS
    body = [tuple(row) for row in records_page.pair_rows(findings)]
    out.print(Table(heads, body, elastic=frozenset({0})))
    out.print()
    out.print(records_page.summary(record_checks(findings)), soft_wrap=True)
    if not quick or output is not None:
        path = records_page.write_page(findings, output or Path("docs/results"))
        out.print(f"written to {path}", soft_wrap=True)


def _print(findings: Findings) -> None:
    """Print Table 2 with the paper's figures, and what is met and missed."""
    out = console()
    for dataset, setting in rows(findings):
        heads = (f"{dataset}, {setting}", *(f"k = {k}" for k in range(1, 6)), "runs")
        body = distance_rows(findings, dataset, setting)
        out.print(Table(heads, body))
        out.print()
    out.print(summary(checks(findings)), soft_wrap=True)


def main() -> None:
    """Run a command; a deliberate error becomes one line on stderr and exit status 1."""
    try:
        app(prog_name="python -m papers")
    except DiscretionError as error:
        console(stderr=True).print(f"papers: {error}", soft_wrap=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
