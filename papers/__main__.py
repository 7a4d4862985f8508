"""``python -m papers``: the tables and figures of papers, with ours beside them."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from discretion.cli.options import examples
from discretion.cli.progress import each, working
from discretion.errors import DiscretionError
from discretion.render.terminal import console
from papers.data import VARIABLE, fetch, folder, read
from papers.lopub.study import Lopub
from papers.page import summary, write
from papers.pena.study import Pena
from papers.pldp.study import Pldp
from papers.pmpm.study import Pmpm
from papers.ranges.study import Ranges
from papers.series.study import Series
from papers.sets.study import Sets
from papers.study import Effort, Study, measure
from papers.views.study import Views
from papers.words.study import Words


class Paper(StrEnum):
    """A paper that is studied."""

    PLDP, PENA, PMPM, LOPUB = "pldp", "pena", "pmpm", "lopub"
    RANGES, SETS, SERIES, VIEWS, WORDS = "ranges", "sets", "series", "views", "words"


_KINDS: tuple[type[Study], ...] = (
    *(Pldp, Pena, Pmpm, Lopub),
    *(Ranges, Sets, Series, Views, Words),
)
STUDIES: dict[Paper, type[Study]] = {Paper(kind.name): kind for kind in _KINDS}
app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(
    epilog=examples(
        "python -m papers --data downloads",
        "python -m papers pldp --quick --fetch",
        "python -m papers pena pmpm --runs 10 -o pages",
    )
)
def papers(
    names: Annotated[
        list[Paper] | None,
        typer.Argument(
            metavar="PAPER",
            help=f"{', '.join(STUDIES)}; if not said, all.",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help=f"The folder of the data sets; else ${VARIABLE}, else data."),
    ] = None,
    fetch_missing: Annotated[
        bool, typer.Option("--fetch", help="Fetch data sets that are not there from UCI.")
    ] = False,
    runs: Annotated[
        int | None,
        typer.Option(
            "--runs",
            "--seeds",
            min=1,
            max=1000,
            help="Runs; if not said, as many as in docs/results.",
        ),
    ] = None,
    rows: Annotated[
        int | None,
        typer.Option(min=20_000, help="Rows of PENA's made table; if not said, 3 million."),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Little data, few runs, no page unless -o is given."),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The folder of the pages; if not said, docs/results."),
    ] = None,
) -> None:
    """Repeat the experiments of papers, print their tables, and write pages with figures.

    The data sets are files such as adult.csv or the same with .gz; the message about one that is
    missing says where it is looked for.
    """
    place, out = folder(data), console()
    for name in names or STUDIES:
        study = STUDIES[name].of(Effort(runs, rows, quick))
        for dataset in study.datasets if fetch_missing else ():
            with working(f"fetching {dataset.name}"):
                fetch(dataset, place)
        tables = {dataset.name: read(dataset, place) for dataset in study.datasets}
        found = measure(study.steps(tables), lambda steps: each("measuring", steps))
        for slot, exhibit in study.exhibits(found):
            if slot in study.printed:
                out.print(exhibit, "")
        out.print(summary(list(study.checks(found))), soft_wrap=True)
        if not quick or output is not None:
            path = write(study, found, output or Path("docs/results"))
            out.print(f"written to {path}", soft_wrap=True)


def main() -> None:
    """Run the command; a deliberate error becomes one line on stderr and exit status 1."""
    try:
        app(prog_name="python -m papers")
    except DiscretionError as error:
        console(stderr=True).print(f"papers: {error}", soft_wrap=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
