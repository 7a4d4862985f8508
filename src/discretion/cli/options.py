"""What commands have in common: options, plans by name, the reports they read, and examples."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from discretion.errors import BudgetError, EstimateError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from discretion.plan import Plan
    from discretion.table import Reports

ENDING = ExitStack()  # of the command that runs: what it opened is closed when it ends
ID_LENGTH, SHOWN_DIGITS = 64, 12  # hexadecimal digits of a plan's id, and those that are shown
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
PlanFile = Annotated[Path, typer.Argument(metavar="PLAN", help="A plan in YAML or JSON.")]
Records = Annotated[
    Path,
    typer.Argument(
        metavar="DATA", help="Records: CSV, .csv.gz, .parquet, .sav (SPSS), .dta (Stata)."
    ),
]
Round = Annotated[int | None, typer.Option(help="Which round, if there are several.")]
REPORTS = "A Parquet file of reports, or a folder of them: a path, or an address (s3://...)."
Source = Annotated[str, typer.Argument(metavar="REPORTS", help=REPORTS)]
Dask = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Work on a Dask cluster, such as tcp://HOST:8786."),
]
Share = Annotated[
    str,
    typer.Option(
        help="How many attributes they share: all, a number, a span such as 1-3, "
        "or a probability such as 0.5."
    ),
]


def plan_id(named: str) -> str:
    """Return the id that was given, or that of the plan in the file that was given."""
    if len(named) == ID_LENGTH and not set(named) - set("0123456789abcdef"):
        return named
    from discretion.plan import Plan  # not before a command needs it

    return Plan.load(named).id


def plan_name(id: str | None, known: "Mapping[str, Plan]") -> str:
    """Return a plan as people know it: its name, and the start of its id."""
    if id is None:
        return "all"
    return " ".join([*([known[id].name] if id in known else []), id[:SHOWN_DIGITS]])


def examples(*lines: str) -> str:
    """Return the end of a command's help; its first character keeps the lines apart."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def read_reports(source: str, round: int | None, dask: str | None = None) -> "Reports":
    """Return the reports of the round; say which rows were refused, and which rounds there are."""
    return _of_round(read_rounds(source, dask), round)


def read_rounds(source: str, dask: str | None = None) -> "Reports":
    """Return the reports of all rounds; say which rows were refused.

    A file is read into memory, unless a cluster is to work on it; a folder is not.
    """
    from discretion.cli.progress import shards, working  # not before a command needs it
    from discretion.engine import open_engine
    from discretion.render.terminal import console
    from discretion.table import ReportFolder, ReportTable

    found: Reports
    with working(f"reading {source}"):
        if dask is not None or "://" in source or Path(source).is_dir():
            engine = open_engine(dask or "local", shards)
            ENDING.callback(engine.close)
            found = ReportFolder.open(source, engine=engine)
        else:
            found = ReportTable.read(source)
            if found.refused:
                first = found.refused[0]
                note = f"{len(found.refused):,} rows are refused; row {first.row}: {first.reason}"
                console(stderr=True).print(f"warning: {note}, {first.detail}", soft_wrap=True)
    return found


def _of_round(reports: "Reports", round: int | None) -> "Reports":
    known = ", ".join(map(str, reports.rounds))
    if round is None:
        if len(reports.rounds) > 1:
            raise EstimateError(f"reports must be of one round: choose --round from {known}")
        return reports
    if round not in reports.rounds:
        raise EstimateError(f"there must be reports of round {round}, and there are of {known}")
    return reports.of_round(round)


def read_share(text: str) -> object:
    """Read which part of the attributes owners share, as it is written in a command."""
    low, dash, high = text.partition("-")
    try:
        if text == "all":
            return text
        if dash:
            return int(low), int(high)
        return float(text) if "." in text else int(text)
    except ValueError:
        rule = "share must be all, a number, LOW-HIGH or a probability"
        raise BudgetError(rule, repr(text)) from None
