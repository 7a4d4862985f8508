"""``discretion backup`` and ``discretion restore``: copies of a store, and what proves them."""

from pathlib import Path
from typing import Annotated

import typer

from discretion.cli.progress import working
from discretion.collector.store.backup import Content
from discretion.collector.store.backup import backup as copy
from discretion.collector.store.backup import check as checked
from discretion.collector.store.backup import restore as put_back
from discretion.errors import BackupError
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
    console().print(_summary(file, content), soft_wrap=True)


def _summary(file: Path, content: Content) -> str:
    return (
        f"{file} is whole: {content.reports:,} reports, {content.rounds:,} rounds, "
        f"{content.plans:,} plans"
    )
