"""The ``discretion`` command."""

import sys
import warnings
from typing import Annotated

import typer
from rich.console import Console

from discretion import __version__
from discretion.cli.demo import demo
from discretion.cli.estimate import estimate
from discretion.cli.plan import plan
from discretion.cli.simulate import simulate
from discretion.errors import DependenceWarning, DiscretionError

app = typer.Typer(
    help="Statistics about a crowd in which everyone decides how much of the truth leaves her.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)
app.command()(demo)
app.add_typer(plan, name="plan")
app.command()(simulate)
app.command()(estimate)


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(f"discretion {__version__}")
        raise typer.Exit


def main() -> None:
    """Run a command; a deliberate error becomes one line on stderr and exit status 1."""
    console = Console(stderr=True, soft_wrap=True, highlight=False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DependenceWarning)
        try:
            app()
        except DiscretionError as error:
            console.print(f"discretion: {error}", markup=False)
            sys.exit(1)
        finally:
            for warning in caught:
                console.print(f"warning: {warning.message}", markup=False)
