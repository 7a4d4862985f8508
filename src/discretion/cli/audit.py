"""``discretion audit``: what each mechanism leaks, exactly and empirically."""

import json as json_format
from pathlib import Path
from typing import Annotated

import typer

from discretion.auditing import Audit, Part
from discretion.auditing import audit as audited
from discretion.auditing.distinguisher import SAMPLES
from discretion.auditing.page import page as audit_page
from discretion.auditing.page import table
from discretion.cli.options import Json
from discretion.cli.progress import working
from discretion.cli.records import check_output
from discretion.errors import DiscretionError
from discretion.plan import Plan
from discretion.render.page import write_page
from discretion.render.terminal import console
from discretion.synthesis.file import check_suffix


def audit(
    path: Annotated[
        Path | None, typer.Argument(metavar="PLAN", help="A plan in YAML or JSON.")
    ] = None,
    all: Annotated[
        bool, typer.Option("--all", help="All mechanisms, for a few sizes and levels.")
    ] = False,
    samples: Annotated[int, typer.Option(help="How many answers of each of two inputs.")] = SAMPLES,
    device: Annotated[
        str | None,
        typer.Option(metavar="COMMAND", help="Another device: a command that writes reports."),
    ] = None,
    page: Annotated[
        Path | None, typer.Option(help="Where the audit goes as a page: .html.")
    ] = None,
    json: Json = False,
) -> None:
    """Check what the mechanisms of PLAN leak against what they promise.

    Exactly, over all inputs and outputs or the structure of a law, and by attacks on the running
    device. The exit status is 1 if a claim is broken. With --device the reports of another device
    are attacked, and nothing else is looked at.
    """
    if (path is None) != all:
        raise DiscretionError("audit needs a plan or --all, and not both")
    if page:
        check_suffix(page, (".html",))
        check_output(page, *([path] if path else []))
    plan = Plan.load(path) if path else None
    with working(f"auditing {path or 'all mechanisms'}"):
        found = audited(plan, samples, device)
    if page:
        write_page(page, audit_page(found))
    if json:
        print(json_format.dumps(found.document(), indent=2))
    else:
        _show(found, page)
    if not found.passes:
        raise typer.Exit(1)


def _show(found: Audit, page: Path | None) -> None:
    out = console()
    for part in Part:
        if findings := found.of(part):
            out.print(part.heading)
            out.print(table(part, findings), "", sep="\n")
    for note in found.notes:
        out.print(note, soft_wrap=True)
    out.print(str(found), soft_wrap=True)
    if page:
        out.print(f"The page is {page}.", soft_wrap=True)
