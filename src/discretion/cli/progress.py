"""Signs of life during long work: on stderr, only if that is a terminal, and gone afterwards."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from discretion.cli.show import console


@contextmanager
def working(title: str) -> Iterator[None]:
    """Show a title and the time while one long step runs."""
    with _progress(SpinnerColumn("line"), TextColumn("{task.description}")) as progress:
        progress.add_task(title, total=None)
        yield


def each(title: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the names, and show which one is at work and how many are done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with _progress(*columns) as progress:
        task = progress.add_task(title, total=len(names))
        for name in names:
            progress.update(task, description=f"{title} {name}")
            yield name
            progress.advance(task)


def _progress(*columns: ProgressColumn) -> Progress:
    hidden = not sys.stderr.isatty()
    return Progress(
        *columns,
        TimeElapsedColumn(),
        console=console(stderr=True),
        transient=True,
        disable=hidden,
    )
