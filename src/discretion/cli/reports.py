"""Reading reports from a file or a folder, of one round, with a warning about refused rows."""

from pathlib import Path
from typing import Annotated

import typer

from discretion.cli.progress import ENDING, shards, working
from discretion.engine import open_engine
from discretion.errors import EstimateError
from discretion.render.terminal import console
from discretion.table import ReportFolder, Reports, ReportTable

Source = Annotated[
    str,
    typer.Argument(
        metavar="REPORTS",
        help="A Parquet file of reports, or a folder of them: a path, or an address (s3://...).",
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Work on a Dask cluster, such as tcp://HOST:8786."),
]


def read_reports(source: str, round: int | None, dask: str | None = None) -> Reports:
    """Return the reports of the round; say which rows were refused, and which rounds there are.

    A file is read into memory, unless a cluster is to work on it; a folder is not.
    """
    found: Reports
    with working(f"reading {source}"):
        if dask is not None or "://" in source or Path(source).is_dir():
            engine = open_engine(dask or "local", shards)
            ENDING.callback(engine.close)
            found = ReportFolder.open(source, engine=engine)
        else:
            found = ReportTable.read(source)
            _warn_refused(found)
    return _of_round(found, round)


def _warn_refused(table: ReportTable) -> None:
    if table.refused:
        first = table.refused[0]
        note = f"{len(table.refused):,} rows are refused; row {first.row}: {first.reason}"
        console(stderr=True).print(f"warning: {note}, {first.detail}", soft_wrap=True)


def _of_round(reports: Reports, round: int | None) -> Reports:
    known = ", ".join(map(str, reports.rounds))
    if round is None:
        if len(reports.rounds) > 1:
            raise EstimateError(f"reports must be of one round: choose --round from {known}")
        return reports
    if round not in reports.rounds:
        raise EstimateError(f"there must be reports of round {round}, and there are of {known}")
    return reports.of_round(round)
