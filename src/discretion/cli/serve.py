"""``discretion serve``: the collector of a plan; ``discretion token``: who may ask it."""

import inspect
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from discretion.cli.show import Columns, console, examples
from discretion.collector.access import Role, Tokens
from discretion.collector.settings import SETTINGS, Setting, Settings
from discretion.collector.store import open_database
from discretion.collector.store.address import shown
from discretion.errors import DiscretionError
from discretion.plan import Plan

DEFAULT_STORE = next(s.default for s in SETTINGS if s.name == "store")
token = typer.Typer(
    help="Make, list and revoke the tokens of a collector's store.",
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog=examples("discretion token new ada --role analyse", "discretion token list"),
)
Store = Annotated[
    str, typer.Option(envvar="DISCRETION_STORE", help="sqlite:///FILE or postgresql://...")
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="Whose token it is.")]


def serve(plan: Path, **given: Any) -> None:
    """Collect the reports of PLAN over HTTP, and answer analysts' questions."""
    settings, agreed = Settings.of(**given), Plan.load(plan)
    from discretion.collector.server import serve as run

    with closing(open_database(settings.store)) as database:
        known = Tokens(database).listed()

    def announce(port: int, watch: int | None = None) -> None:
        where = f"http://{settings.host}:{port}"
        docs = where if watch is None else f"http://{settings.addresses[1][0]}:{watch}"
        _say(f"Collecting {agreed.name!r} at {where} (docs: {docs}/docs)")
        if not known and Role.ANALYSE not in settings.open_roles:
            make = "discretion token new me --role analyse --role operate"
            _say(f"No token can ask anything yet; make one: {make} --store {shown(settings.store)}")

    run(agreed, settings, announce)


@token.command(
    "new", epilog=examples("discretion token new ada --role analyse --store sqlite:///survey.db")
)
def new_token(
    name: Name,
    role: Annotated[list[Role], typer.Option(help="What it may do; may be repeated.")],
    store: Store = DEFAULT_STORE,
) -> None:
    """Make a token, and print it once: only its hash is kept."""
    with closing(open_database(store)) as database:
        secret = Tokens(database).make(name, frozenset(role))
    print(secret)


@token.command("list", epilog=examples("discretion token list --store sqlite:///survey.db"))
def list_tokens(store: Store = DEFAULT_STORE) -> None:
    """List whose tokens there are, and what they may do."""
    with closing(open_database(store, create=False)) as database:
        tokens = Tokens(database).listed()
    rows = [[t.name, ", ".join(sorted(t.roles))] for t in tokens]
    console().print(Columns(["name", "roles"], rows, right=frozenset(), elastic=frozenset({0})))


@token.command("revoke", epilog=examples("discretion token revoke ada"))
def revoke_token(name: Name, store: Store = DEFAULT_STORE) -> None:
    """Revoke a token; it opens nothing from a few seconds later on."""
    with closing(open_database(store, create=False)) as database:
        if not Tokens(database).revoke(name):
            raise DiscretionError(f"there is no token of {name!r}")


def _say(line: str) -> None:
    """Tell a person at a terminal; a log has it as an event already."""
    out = console(stderr=True)
    if out.is_terminal:
        out.print(line, soft_wrap=True)


def _parameter(setting: Setting) -> inspect.Parameter:
    option = typer.Option(setting.option, envvar=setting.variable, help=setting.help)
    return inspect.Parameter(
        setting.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=setting.default,
        annotation=Annotated[type(setting.default), option],
    )


_PLAN = inspect.Parameter(
    "plan",
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    annotation=Annotated[Path, typer.Argument(metavar="PLAN", help="A plan file.")],
)
_PARAMETERS = [_PLAN, *map(_parameter, SETTINGS)]
serve.__signature__ = inspect.Signature(_PARAMETERS)  # type: ignore[attr-defined]
serve.__annotations__ = {p.name: p.annotation for p in _PARAMETERS}
