"""The ``discretion`` command: lists the others, imports the one that is called, and runs it."""

import sys
import warnings
from dataclasses import dataclass
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from discretion import __version__
from discretion.cli.options import ENDING, examples
from discretion.errors import DiscretionError, EvidenceWarning, NoSuchFile
from discretion.extras import needed

HELP = "--help"
INTERRUPTED = 130  # the exit status of what Ctrl-C ends


@dataclass(frozen=True, slots=True)
class Command:
    """What is known of a command before it is imported: where it is, and what it says of itself."""

    module: str
    help: str
    examples: tuple[str, ...] = ()
    compiled: bool = True  # whether it needs the kernels


COMMANDS = {
    "demo": Command("discretion.cli.demo", "The whole story, on generated owners."),
    "simulate": Command(
        "discretion.cli.simulate",
        "Make the reports that a crowd would send.",
        (
            "discretion simulate plan.yaml people.csv -o reports.parquet",
            "discretion simulate plan.yaml people.csv --budgets dirichlet --share 1-3 --seed 7",
            "discretion simulate plan.yaml people.csv -o reports/",
        ),
    ),
    "send": Command(
        "discretion.cli.send",
        "Send an owner's report to a collector, or withdraw it.",
        (
            "discretion send http://127.0.0.1:8000 mode=bike income=31000",
            "discretion send URL mode=bike income=31000 --budget mode=3.5 --budget income=0.5",
            "discretion send URL mode=bike --show",
            "discretion send URL",
            "discretion send URL --withdraw --round 0",
        ),
        compiled=False,
    ),
    "estimate": Command(
        "discretion.cli.estimate",
        "Print frequencies with their uncertainty.",
        (
            "discretion estimate reports.parquet",
            "discretion estimate reports.parquet travel income --method weighted",
            "discretion estimate reports.parquet travel --target owners --json",
            "discretion estimate reports.parquet --joint travel,income",
            "discretion estimate reports/ --joint travel,income",
        ),
    ),
    "compare": Command(
        "discretion.cli.compare",
        "Print how two crowds of different people differ.",
        (
            "discretion compare treated.parquet control.parquet",
            "discretion compare treated.parquet control.parquet travel --permutations 999",
            "discretion compare a.parquet a.parquet --round 3 --other-round 4 --different-owners",
        ),
    ),
    "pool": Command(
        "discretion.cli.focusing",
        "Combine a round of candidates with the round that found them.",
        (
            "discretion pool words.parquet next.parquet word",
            "discretion pool shop.parquet next.parquet basket --common 0 --json",
        ),
    ),
    "change": Command(
        "discretion.cli.trends",
        "Print how far one round differs from an earlier one.",
        (
            "discretion change reports.parquet travel --from 3 --to 7",
            "discretion change reports/ --from 0 --to 51 --json",
        ),
    ),
    "series": Command(
        "discretion.cli.trends",
        "Print how answers went over all rounds.",
        ("discretion series reports.parquet travel", "discretion series reports/ --json"),
    ),
    "dependence": Command(
        "discretion.cli.publish",
        "Print which attributes depend on each other.",
        (
            "discretion dependence reports.parquet",
            "discretion dependence reports.parquet travel income work --all",
        ),
    ),
    "publish": Command(
        "discretion.cli.publish",
        "Write synthetic rows, and how good they are.",
        (
            "discretion publish reports.parquet",
            (
                "discretion publish reports.parquet --rows 50000 -o synthetic.csv "
                "--report quality.html"
            ),
        ),
    ),
    "audit": Command(
        "discretion.cli.audit",
        "Check what the mechanisms leak against what they promise.",
        (
            "discretion audit plan.yaml --page audit.html",
            "discretion audit plan.yaml --device 'node clients/js/bin/reports.js'",
            "discretion audit plan.yaml --samples 100000 --json",
            "discretion audit --all",
        ),
        compiled=False,
    ),
    "serve": Command(
        "discretion.cli.serve",
        "Collect reports over HTTP, and answer questions.",
        (
            "discretion serve plan.yaml",
            "discretion serve plan.yaml --store sqlite:///survey.db --port 8080",
            "discretion serve plan.yaml --store postgresql://discretion@db/survey --once",
            "discretion serve travel.yaml work.yaml",
            "discretion serve plans/",
        ),
    ),
    "export": Command(
        "discretion.cli.store",
        "Write a collector's reports to a folder of Parquet files.",
        (
            "discretion export plan.yaml --store sqlite:///survey.db -o reports",
            "discretion export plan.yaml --round 3 -o s3://bucket/survey",
        ),
    ),
    "backup": Command(
        "discretion.cli.store",
        "Copy a collector's store while it is in use.",
        ("discretion backup sqlite:///survey.db survey-2026-11-18.db",),
    ),
    "restore": Command(
        "discretion.cli.store",
        "Check a back-up, and put it in place.",
        (
            "discretion restore --check survey-2026-11-18.db",
            "discretion restore survey-2026-11-18.db sqlite:///survey.db",
        ),
    ),
    "plan": Command(
        "discretion.cli.plan", "Write and check a plan, the public agreement.", compiled=False
    ),
    "rounds": Command(
        "discretion.cli.rounds", "List, open and close the rounds of a survey.", compiled=False
    ),
    "invite": Command(
        "discretion.cli.invite",
        "Make links to a survey that work once each, with QR codes to print.",
        compiled=False,
    ),
    "token": Command(
        "discretion.cli.serve",
        "Make, list and revoke the tokens of a collector's store.",
        compiled=False,
    ),
}


class Commands(TyperGroup):
    """Commands that are imported when they are called, since each needs a part of the library."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, stand_in, rest = super().resolve_command(ctx, args)
        return name, None if stand_in is None else _imported(str(stand_in.name)), rest

    def invoke(self, ctx: Any) -> Any:
        ctx.meta[HELP] = HELP in ctx.args  # of a command, which is not known when this starts
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            _say("discretion: interrupted")
            raise typer.Exit(INTERRUPTED) from None


def _imported(name: str) -> Any:
    command, parent = COMMANDS[name], typer.Typer(rich_markup_mode=None)
    with needed(f"discretion {name}"):
        found = getattr(import_module(command.module), name)
    if isinstance(found, typer.Typer):
        parent.add_typer(found, name=name)
    else:
        epilog = examples(*command.examples) if command.examples else None
        parent.command(name, epilog=epilog)(found)
    return get_group(parent).commands[name]


def _stand_in() -> None:
    """Stand for a command that is not imported yet."""


app = typer.Typer(
    cls=Commands,
    help="Statistics about a crowd in which everyone decides how much of the truth leaves her.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: examples keep their lines, and any terminal shows it
)
for name, command in COMMANDS.items():
    app.command(name, short_help=command.help)(_stand_in)


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(f"discretion {__version__}")
        raise typer.Exit
    command = context.invoked_subcommand
    if command and COMMANDS[command].compiled and not context.meta[HELP]:
        from discretion.kernel.cache import is_kept, is_warm, warm

        if is_kept() and not is_warm():
            _say("compiling for this machine, once: up to a minute ...")
            warm()


def main() -> None:
    """Run a command; a deliberate error becomes one line on stderr and exit status 1."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a label may not exist in the terminal's encoding
    with ENDING, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", EvidenceWarning)
        try:
            with needed("this command"):
                app(prog_name="discretion")
        except DiscretionError as error:
            _fail(str(error))
        except FileNotFoundError as error:
            _fail(str(NoSuchFile(error.filename)) if error.filename else str(error))
        except OSError as error:
            named = error.strerror and error.filename
            _fail(f"{error.filename}: {error.strerror}" if named else str(error))
        finally:
            for warning in caught:
                _say(f"warning: {warning.message}")


def _fail(message: str) -> None:
    _say(f"discretion: {' '.join(message.splitlines())}")
    sys.exit(1)


def _say(line: str) -> None:
    """Print a line on stderr."""
    from discretion.render.terminal import console  # rich, which --help does without

    console(stderr=True).print(line, soft_wrap=True)
