"""The command: ask one owner and a crowd, print what came of it, write the page."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from discretion.cli.demo import terminal
from discretion.cli.demo.number import ask_number
from discretion.cli.demo.owner import take_part
from discretion.cli.demo.page import page as demo_page
from discretion.cli.demo.pair import compare_pair
from discretion.cli.demo.survey import OWNERS, ask, compare, draw_rows
from discretion.crowd import census, census_plan
from discretion.extras import needed
from discretion.render.page import write_page


def demo(
    seed: Annotated[int | None, typer.Option(help="Repeat a demonstration.")] = None,
    page: Annotated[Path, typer.Option(help="Where the page with the charts goes.")] = Path(
        "discretion-demo.html"
    ),
    serve: Annotated[
        bool, typer.Option("--serve", help="Fill a collector instead, and open its two pages.")
    ] = False,
) -> None:
    """Ask 50,000 generated owners, each with a budget of her own, and compare with the truth.

    Prints it and writes a page with charts. A seed repeats everything but the one report that a
    real device draws.

    With --serve, their reports fill a collector on this machine, whose pages you can try: take part
    as an owner, and watch as an analyst.

    Example: discretion demo --seed 7
    """
    seed = secrets.randbelow(1 << 32) if seed is None else seed
    out = terminal.readable_console()
    if serve:
        with needed("discretion demo --serve"):
            from discretion.cli.demo.serving import serve_demo

        serve_demo(out, seed)
        return
    terminal.introduce(out, seed)
    people = census(OWNERS, seed)
    owner = take_part(census_plan(), people.slice(0, 1).to_pylist()[0])
    terminal.show_owner(out, owner)
    crowd = ask(people, seed)
    comparisons, pair = compare(crowd), compare_pair(crowd)
    terminal.show_crowd(out, comparisons)
    terminal.conclude(out, comparisons)
    terminal.show_pair(out, pair)
    number = ask_number(people, seed)
    terminal.show_number(out, number)
    rows = draw_rows(crowd, people, seed)
    terminal.show_rows(out, rows)
    quality = page.with_name(f"{page.stem}-quality.html")
    whole = demo_page(owner, comparisons, pair, number, rows, quality.name, seed)
    write_page(page, whole)
    rows.publication.quality(people).write(quality)
    out.print(f"\nThe same with charts, for a browser: {page}", soft_wrap=True)
    out.print(f"How good the synthetic rows are: {quality}", soft_wrap=True)
