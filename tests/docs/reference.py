"""docs/cli.md: the commands' own help. To write it anew: python -m tests.docs.reference."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from typer.main import get_command
from typer.testing import CliRunner

from discretion.cli.main import app

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
WIDTH = 80
HEAD = """\
# The `discretion` command

This page is what the commands say about themselves with `--help`. It is written by
`python -m tests.docs.reference`, and a test compares the two. The [guide](guide.md) shows the
commands at work.

Results go to stdout; warnings and progress go to stderr, progress only if that is a terminal. A
mistake is one line on stderr and exit status 1; a call that no command understands has status 2.
"""


def commands() -> Iterator[tuple[str, ...]]:
    """Yield the words after ``discretion`` that lead to each command, the shortest first."""

    def below(command: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        yield path
        for name in getattr(command, "commands", ()):
            _, inner, _ = command.resolve_command(typer.Context(command), [name])
            yield from below(inner, (*path, name))

    return below(get_command(app), ())


def help_of(path: tuple[str, ...]) -> str:
    """Return what a command prints with ``--help`` on a terminal of 80 columns."""
    arguments = [*path, "--help"]
    done = CliRunner().invoke(app, arguments, prog_name="discretion", terminal_width=WIDTH)
    return done.output


def page() -> str:
    """Return the whole page."""
    parts = [HEAD]
    for path in commands():
        lines = "\n".join(line.rstrip() for line in help_of(path).rstrip().splitlines())
        parts.append(f"## `{' '.join(['discretion', *path])}`\n\n```text\n{lines}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
