"""``discretion backup``, ``restore`` and ``export``: copies of a collector's store."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from discretion.cli.progress import working
from discretion.cli.serve import DEFAULT_STORE, Store
from discretion.collector.errors import BackupError
from discretion.collector.store import Store as ReportStore
from discretion.collector.store import open_database
from discretion.collector.store.backup import backup as copy
from discretion.collector.store.backup import check as checked
from discretion.collector.store.backup import export_rounds
from discretion.collector.store.backup import restore as put_back
from discretion.plan import Plan
from discretion.render.terminal import console

Address = typer.Argument(metavar="STORE", help="sqlite:///FILE")


def backup(
    store: Annotated[str, Address],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The copy; it must not exist.")],
) -> None:
    """Copy STORE, which may be in use, to FILE, which only its owner can read.

    The copy is one moment of the store. It has nothing of what was deleted before.
    """
    with working(f"copying to {file}"):
        copy(store, file)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A back-up.")],
    store: Annotated[str | None, Address] = None,
    check: Annotated[bool, typer.Option("--check", help="Only check that FILE is whole.")] = False,
) -> None:
    """Check that FILE is whole, and put a copy of it where STORE says.

    Its pages, owner and version are checked, and its counts are compared with a recount of all
    reports. There must be no store yet: what came after the back-up would be lost.
    """
    if (store is None) != check:
        raise BackupError(str(file), "name a store, or --check")
    with working(f"checking {file}"):
        content = checked(file) if store is None else put_back(file, store)
    plans, rounds, reports = content.plans, content.rounds, content.reports
    whole = f"{file} is whole: {reports:,} reports, {rounds:,} rounds, {plans:,} plans"
    console().print(whole, soft_wrap=True)


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
