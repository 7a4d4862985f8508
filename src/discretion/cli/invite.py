"""``discretion invite``: links that send one report each, made, counted and revoked."""

import csv
import os
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, TextIO
from urllib.parse import parse_qs, urlsplit

import typer

from discretion.cli.options import examples, plan_name
from discretion.cli.serve import DEFAULT_STORE, Store
from discretion.collector.errors import SettingError
from discretion.collector.invitations import Invitations, State
from discretion.collector.store import open_database
from discretion.collector.store.database import Database
from discretion.collector.store.store import known_plans
from discretion.errors import DiscretionError
from discretion.plan import Plan
from discretion.render.tables import Table
from discretion.render.terminal import console
from discretion.web.invitations import cards_page, link

HERE = "http://127.0.0.1:8000/"
COLUMNS = ("number", "code", "link")
invite = typer.Typer(
    invoke_without_command=True,
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog=examples(
        "discretion invite --count 500 --address https://survey.example/ -o invitations.csv",
        "discretion invite list",
        "discretion invite revoke --list invitations",
    ),
)


@invite.callback()
def make(
    context: typer.Context,
    count: Annotated[int, typer.Option(help="How many.")] = 0,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="The table of links; the page to print ends in .html instead."
        ),
    ] = Path("invitations.csv"),
    address: Annotated[
        str, typer.Option(metavar="URL", help="Where owners find the survey's page.")
    ] = HERE,
    plan: Annotated[
        Path | None, typer.Option(help="The plan, if the store has not exactly one.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="What the list is called; else as the file.")
    ] = None,
    store: Store = DEFAULT_STORE,
) -> None:
    """Make links to a survey that work once each, with QR codes to print.

    Two files are written, and only you can read them: a table with number, code and link, and a
    page of cards. The store keeps hashes, so nobody can make these files again. For a survey of
    invited people only, serve it with --once.
    """
    if context.invoked_subcommand:
        return
    page, site = output.with_suffix(".html"), _address(address)
    if output == page:
        raise SettingError("output", "must not end in .html, as the page does", str(output))
    with closing(open_database(store)) as database:
        agreed = Plan.load(plan) if plan else _only_plan(database)
        with _created(output) as table, _created(page) as cards:
            codes = Invitations(database).make(count, name or output.stem, agreed.id)
            links = [link(site, code) for code in codes]
            _write(table, zip(codes, links, strict=True))
            cards.write(cards_page(agreed, links))
    out = console(stderr=True)
    out.print(f"{output}: {count:,} link{'s' * (count > 1)}; to print: {page}", soft_wrap=True)
    if site == HERE:
        out.print(f"They open {HERE}: name the survey's own with --address", soft_wrap=True)


@invite.command("list", epilog=examples("discretion invite list --store sqlite:///survey.db"))
def list_invitations(store: Store = DEFAULT_STORE) -> None:
    """Count the invitations of each list: open, used and revoked."""
    with closing(open_database(store, create=False)) as database:
        lists, plans = Invitations(database).lists(), known_plans(database)
    rows = [
        [own.name, plan_name(own.plan, plans), *(f"{own.counts[state]:,}" for state in State)]
        for own in lists
    ]
    head = ["list", "plan", *State]
    console().print(Table(head, rows, left=frozenset({0, 1}), elastic=frozenset({0, 1})))


@invite.command(
    "revoke",
    epilog=examples(
        "discretion invite revoke https://survey.example/#token=CODE",
        "discretion invite revoke --list invitations",
    ),
)
def revoke(
    codes: Annotated[
        list[str] | None, typer.Argument(metavar="CODES", help="Codes, or whole links.")
    ] = None,
    of_list: Annotated[
        str | None, typer.Option("--list", help="All of a list that are not used yet.")
    ] = None,
    store: Store = DEFAULT_STORE,
) -> None:
    """Revoke invitations that were not used: no report can be sent with them any more."""
    if bool(codes) == (of_list is not None):
        raise DiscretionError("name codes, or a list with --list")
    with closing(open_database(store, create=False)) as database:
        invitations = Invitations(database)
        if of_list is not None:
            done = invitations.revoke_list(of_list)
        else:
            done = invitations.revoke(map(_code, codes or []))
    console().print(f"{done:,} revoked", soft_wrap=True)


def _only_plan(database: Database) -> Plan:
    plans = [*known_plans(database).values()]
    if len(plans) != 1:
        found = "has no plan yet" if not plans else f"has {len(plans)} plans"
        raise DiscretionError(f"the store {found}: name one with --plan")
    return plans[0]


def _address(text: str) -> str:
    """Return the address of a page as links begin with it."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise SettingError("address", "must be such as https://survey.example/", text)
    return text if text.endswith("/") else f"{text}/"


def _code(text: str) -> str:
    """Return the code of an invitation that is named by its code or its link."""
    return parse_qs(urlsplit(text).fragment).get("token", [text])[0]


@contextmanager
def _created(path: Path) -> Iterator[TextIO]:
    """Open a new file that only its owner can read; it is removed if what fills it fails."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "w", encoding="utf-8", newline="") as file:
            yield file
    except BaseException:
        path.unlink()
        raise


def _write(file: TextIO, rows: Iterable[tuple[str, str]]) -> None:
    table = csv.writer(file)
    table.writerow(COLUMNS)
    table.writerows((number, *row) for number, row in enumerate(rows, 1))
