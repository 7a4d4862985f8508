"""``discretion export``: the reports of a collector's store as a folder that analysts read."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from discretion.cli.progress import working
from discretion.cli.serve import DEFAULT_STORE, Store
from discretion.collector.export import export_rounds
from discretion.collector.store import Store as ReportStore
from discretion.collector.store import open_database
from discretion.plan import Plan
from discretion.render.terminal import console


def export(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="A plan file.")],
    output: Annotated[
        str, typer.Option("--output", "-o", help="The folder: a path, or an address (s3://...).")
    ] = "reports",
    round: Annotated[int | None, typer.Option(help="Which round; all if none is named.")] = None,
    store: Store = DEFAULT_STORE,
) -> None:
    """Write the reports of PLAN, as they are now, to Parquet files by plan and round."""
    agreed = Plan.load(plan)
    with working(f"writing {output}"), closing(open_database(store, create=False)) as database:
        folder = export_rounds(ReportStore(database, agreed), output, round)
    console().print(f"{len(folder):,} reports written to {output}", soft_wrap=True)
