"""Reading reports from a file, of one round, with a word about rows that are refused."""

from pathlib import Path

from discretion.cli.progress import working
from discretion.cli.show import console
from discretion.errors import EstimateError
from discretion.table import ReportTable


def read_reports(path: Path, round: int | None) -> ReportTable:
    """Return the reports of the round; say which rows were refused, and which rounds there are."""
    with working(f"reading {path}"):
        table = ReportTable.read(path)
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
