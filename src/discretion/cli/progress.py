"""Signs of life during long work: on stderr, only if that is a terminal, and gone afterwards."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from discretion.render.terminal import console


@dataclass
class _Shown:
    """The line that is on the terminal: of one at a time, as no terminal has more."""

    progress: Progress
    task: TaskID
    title: str


_shown: list[_Shown] = []


@contextmanager
def working(title: str) -> Iterator[None]:
    """Show a title and the time while one long step runs."""
    with (
        _progress(SpinnerColumn("line"), TextColumn("{task.description}")) as progress,
        _line(progress, progress.add_task(title, total=None), title),
    ):
        yield


def shards(done: int, count: int) -> None:
    """Show beside the title how many shards of a pass are done, wherever they are worked on."""
    for shown in _shown:
        pass_ = f"{shown.title} ({done:,} of {count:,} shards)"
        shown.progress.update(shown.task, description=pass_ if done < count else shown.title)


@contextmanager
def _line(progress: Progress, task: TaskID, title: str) -> Iterator[None]:
    _shown[:] = [_Shown(progress, task, title)]
    try:
        yield
    finally:
        _shown.clear()


def each(title: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the names, and show which one is at work and how many are done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with _progress(*columns) as progress:
        task = progress.add_task(title, total=len(names))
        for name in names:
            progress.update(task, description=f"{title} {name}")
            with _line(progress, task, f"{title} {name}"):
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
