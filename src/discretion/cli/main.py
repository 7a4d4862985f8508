"""The ``discretion`` command."""

import sys
import warnings
from io import TextIOWrapper
from typing import Annotated

import typer

from discretion import __version__
from discretion.cli.audit import audit
from discretion.cli.demo import demo
from discretion.cli.estimate import estimate
from discretion.cli.experiment import experiment
from discretion.cli.plan import plan
from discretion.cli.publish import dependence, publish
from discretion.cli.send import send
from discretion.cli.serve import serve, token
from discretion.cli.show import console, examples
from discretion.cli.simulate import simulate
from discretion.errors import DependenceWarning, DiscretionError
from discretion.kernel.cache import is_warm, warm

app = typer.Typer(
    help="Statistics about a crowd in which everyone decides how much of the truth leaves her.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: examples keep their lines, and any terminal shows it
)
app.command(short_help="The whole story, on generated owners.")(demo)
app.add_typer(plan, name="plan")
app.command(
    short_help="Make the reports that a crowd would send.",
    epilog=examples(
        "discretion simulate plan.yaml people.csv -o reports.parquet",
        "discretion simulate plan.yaml people.csv --budgets dirichlet --share 1-3 --seed 7",
    ),
)(simulate)
app.command(
    short_help="Send an owner's report to a collector, or withdraw it.",
    epilog=examples(
        "discretion send http://127.0.0.1:8000 mode=bike income=31000",
        "discretion send URL mode=bike income=31000 --budget mode=3.5 --budget income=0.5",
        "discretion send URL mode=bike --show",
        "discretion send URL",
        "discretion send URL --withdraw --round 0",
    ),
)(send)
app.command(
    short_help="Print frequencies with their uncertainty.",
    epilog=examples(
        "discretion estimate reports.parquet",
        "discretion estimate reports.parquet travel income --method weighted",
        "discretion estimate reports.parquet travel --target owners --json",
        "discretion estimate reports.parquet --joint travel,income",
    ),
)(estimate)
app.command(
    short_help="Print which attributes depend on each other.",
    epilog=examples(
        "discretion dependence reports.parquet",
        "discretion dependence reports.parquet travel income work --all",
    ),
)(dependence)
app.command(
    short_help="Write synthetic rows, and how good they are.",
    epilog=examples(
        "discretion publish reports.parquet",
        "discretion publish reports.parquet --rows 50000 -o synthetic.csv --report quality.html",
    ),
)(publish)
app.command(
    short_help="Check what the mechanisms leak against what they promise.",
    epilog=examples(
        "discretion audit plan.yaml --page audit.html",
        "discretion audit plan.yaml --samples 100000 --json",
        "discretion audit --all",
    ),
)(audit)
app.command(
    short_help="Collect reports over HTTP, and answer questions.",
    epilog=examples(
        "discretion serve plan.yaml",
        "discretion serve plan.yaml --store sqlite:///survey.db --port 8080",
        "discretion serve plan.yaml --store postgresql://discretion@db/survey --once",
    ),
)(serve)
app.add_typer(token, name="token")
app.add_typer(experiment, name="experiment")
COMPILED = (
    "demo",
    "simulate",
    "estimate",
    "dependence",
    "publish",
    "serve",
    "experiment",
)  # commands that need the kernels


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(f"discretion {__version__}")
        raise typer.Exit
    if context.invoked_subcommand in COMPILED and not is_warm():
        console(stderr=True).print("compiling for this machine, once: some seconds ...")
        warm()


def main() -> None:
    """Run a command; a deliberate error becomes one line on stderr and exit status 1."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a label may not exist in the terminal's encoding
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DependenceWarning)
        try:
            app(prog_name="discretion")
        except DiscretionError as error:
            _fail(str(error))
        except OSError as error:
            named = error.strerror and error.filename
            _fail(f"{error.filename}: {error.strerror}" if named else str(error))
        except ModuleNotFoundError as error:
            if error.name != "yaml":
                raise
            _fail("plans in YAML need the package PyYAML: pip install PyYAML")
        finally:
            for warning in caught:
                console(stderr=True).print(f"warning: {warning.message}", soft_wrap=True)


def _fail(message: str) -> None:
    console(stderr=True).print(f"discretion: {' '.join(message.splitlines())}", soft_wrap=True)
    sys.exit(1)
