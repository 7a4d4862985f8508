"""``discretion rounds``: which rounds a collector's store has, and whether they take reports."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from typing import Annotated

import typer

from discretion.cli.options import PlanFile, examples
from discretion.cli.serve import DEFAULT_STORE, Store
from discretion.collector.store import Store as ReportStore
from discretion.collector.store import open_database
from discretion.collector.store.audit_log import today
from discretion.plan import Plan
from discretion.render.tables import Table
from discretion.render.terminal import console

rounds = typer.Typer(
    help="List, open and close the rounds of a survey.",
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog=examples("discretion rounds list plan.yaml", "discretion rounds close plan.yaml 0"),
)
Number = Annotated[int, typer.Argument(metavar="ROUND", help="The number of the round.")]


@contextmanager
def _opened(plan: PlanFile, store: str) -> Iterator[ReportStore]:
    """Open the store of a plan that it has; a server may be using it."""
    agreed = Plan.load(plan)
    with closing(open_database(store, create=False)) as database:
        yield ReportStore(database, agreed, create=False)


@rounds.command("list", epilog=examples("discretion rounds list plan.yaml"))
def list_rounds(plan: PlanFile, store: Store = DEFAULT_STORE) -> None:
    """List the rounds, whether they take reports, and when they were closed."""
    with _opened(plan, store) as found:
        _show(found)


@rounds.command("open", epilog=examples("discretion rounds open plan.yaml 1"))
def open_round(plan: PlanFile, round: Number, store: Store = DEFAULT_STORE) -> None:
    """Open a round, so that devices may report in it. A closed one is never opened again."""
    with _opened(plan, store) as found:
        found.open_round(round)
        _show(found)


@rounds.command(
    "close",
    epilog=examples(
        "discretion rounds close plan.yaml 0",
        "discretion rounds close plan.yaml 0 --on 2026-11-18",
    ),
)
def close_round(
    plan: PlanFile,
    round: Number,
    on: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d"], help="The closing day, where the clock of this machine is wrong."
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: Store = DEFAULT_STORE,
) -> None:
    """Close a round for good: it takes no more reports, and who reported is forgotten."""
    with _opened(plan, store) as found:
        if not yes:
            typer.confirm(f"Close round {round} for good?", abort=True, err=True)
        day = today() if on is None else on.date()
        found.close_round(round, day, confirmed=on is not None)
        _show(found)


def _show(store: ReportStore) -> None:
    reports = (sum(store.arrivals(each.round).values()) for each in store.rounds())
    rows = [
        [str(each.round), each.state, each.closed_on or "", f"{n:,}"]
        for each, n in zip(store.rounds(), reports, strict=True)
    ]
    head = ["round", "state", "closed on", "reports received"]
    console().print(Table(head, rows, left=frozenset({1, 2})))
