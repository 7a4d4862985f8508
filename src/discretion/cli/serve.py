"""``discretion serve``: the collector of plans; ``discretion token``: who may ask it."""

import inspect
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from discretion.cli.agreement import ADVICE, homeless
from discretion.cli.options import examples, plan_id, plan_name
from discretion.collector.catalogue import load_plans
from discretion.collector.settings import SETTINGS, Setting, Settings
from discretion.collector.store import open_database, shown
from discretion.collector.store.store import known_plans
from discretion.collector.tokens import Role, Tokens
from discretion.errors import DiscretionError
from discretion.plan import Plan
from discretion.render.tables import Table
from discretion.render.terminal import console

DEFAULT_STORE = str(next(s.default for s in SETTINGS if s.name == "store"))
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


def serve(plans: list[Path], **given: Any) -> None:
    """Collect the reports of PLANS over HTTP, and answer analysts' questions.

    One file is served at /. Several files, or the plans in a folder, are each served under the name
    of the file: travel.yaml at /travel/. They share the store, the settings and all limits.
    """
    settings, agreed = Settings.of(**given), load_plans(plans)
    from discretion.collector.server import serve as run

    with closing(open_database(settings.store)) as database:
        known = Tokens(database).listed()

    def announce(port: int, watch: int | None = None) -> None:
        where = f"http://{settings.host}:{port}"
        docs = where if watch is None else f"http://{settings.addresses[1][0]}:{watch}"
        for name, plan in agreed.items():
            path = f"/{name}" if name else ""
            _say(f"Collecting {plan.name!r} at {where}{path} (docs: {docs}{path}/docs)")
            if lacking := _unsaid(plan, settings):
                _say(f"Owners of {plan.name!r} do not learn {lacking}: state it in the plan")
            for asked, last in homeless(plan):
                _say(f"{plan.name!r}, {asked}: {ADVICE.format(last)}")
        if not known and Role.ANALYSE not in settings.open_roles:
            make = "discretion token new me --role analyse --role operate"
            _say(f"No token can ask anything yet; make one: {make} --store {shown(settings.store)}")

    run(agreed, settings, announce)


@token.command(
    "new",
    epilog=examples(
        "discretion token new ada --role analyse --store sqlite:///survey.db",
        "discretion token new ben --role analyse --plan travel.yaml",
    ),
)
def new_token(
    name: Name,
    role: Annotated[list[Role], typer.Option(help="What it may do; may be repeated.")],
    plan: Annotated[
        str | None,
        typer.Option(metavar="ID|FILE", help="The only plan it is for; else all of the store."),
    ] = None,
    store: Store = DEFAULT_STORE,
) -> None:
    """Make a token, and print it once: only its hash is kept."""
    only = None if plan is None else plan_id(plan)
    with closing(open_database(store)) as database:
        secret = Tokens(database).make(name, frozenset(role), only)
    print(secret)


@token.command("list", epilog=examples("discretion token list --store sqlite:///survey.db"))
def list_tokens(store: Store = DEFAULT_STORE) -> None:
    """List whose tokens there are, what they may do, and with which plan."""
    with closing(open_database(store, create=False)) as database:
        tokens, plans = Tokens(database).listed(), known_plans(database)
    rows = [[t.name, ", ".join(sorted(t.roles)), plan_name(t.plan, plans)] for t in tokens]
    head = ["name", "roles", "plan"]
    console().print(Table(head, rows, left=frozenset({0, 1, 2}), elastic=frozenset({0, 2})))


@token.command("revoke", epilog=examples("discretion token revoke ada"))
def revoke_token(name: Name, store: Store = DEFAULT_STORE) -> None:
    """Revoke a token; it opens nothing from a few seconds later on."""
    with closing(open_database(store, create=False)) as database:
        if not Tokens(database).revoke(name):
            raise DiscretionError(f"there is no token of {name!r}")


def _unsaid(plan: Plan, settings: Settings) -> str:
    """Return what neither the plan nor a setting says about a survey, though owners ask for it."""
    asker, purpose = plan.wording.asker or settings.asker, plan.wording.purpose or settings.purpose
    return " and ".join([*["who asks"] * (not asker), *["what for"] * (not purpose)])


def _say(line: str) -> None:
    """Print it for a person at a terminal; the log has it as an event already."""
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


_PLANS = inspect.Parameter(
    "plans",
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    annotation=Annotated[
        list[Path], typer.Argument(metavar="PLANS", help="Plan files, or folders of them.")
    ],
)
_PARAMETERS = [_PLANS, *map(_parameter, SETTINGS)]
serve.__signature__ = inspect.Signature(_PARAMETERS)  # type: ignore[attr-defined]
serve.__annotations__ = {p.name: p.annotation for p in _PARAMETERS}
