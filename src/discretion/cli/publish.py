"""``discretion dependence`` and ``discretion publish``: from reports to rows anybody may have."""

import json as json_format
from pathlib import Path
from typing import Annotated

import typer

from discretion.cli.options import Dask, Json, Round, Source, read_reports
from discretion.cli.progress import working
from discretion.cli.records import check_output, read_records
from discretion.errors import DiscretionError
from discretion.render.formats import listed
from discretion.render.tables import Table
from discretion.render.terminal import console
from discretion.synthesis import Dependence
from discretion.synthesis import dependence as dependence_of
from discretion.synthesis import publish as published
from discretion.synthesis.file import SUFFIXES as MODELS
from discretion.synthesis.file import check_suffix, save
from discretion.synthesis.quality import SUFFIXES as REPORTS
from discretion.synthesis.rows import SUFFIXES as PLAIN
from discretion.table.labelled import SUFFIXES as LABELLED

Attributes = Annotated[
    list[str] | None,
    typer.Argument(metavar="ATTRIBUTES", help="Which attributes; all if none is named."),
]
Rate = Annotated[
    float, typer.Option(help="The part of the edges that may be none: the false discovery rate.")
]
ROWS = (*PLAIN, *LABELLED)
LONG = 30  # edges that are shown unless all are asked for


def dependence(
    reports: Source,
    attributes: Attributes = None,
    rate: Rate = 0.05,
    round: Round = None,
    dask: Dask = None,
    all: Annotated[bool, typer.Option("--all", help="Show all pairs, dependent or not.")] = False,
    json: Json = False,
) -> None:
    """Print which pairs of attributes depend on each other, and how strongly."""
    table = read_reports(reports, round, dask)
    with working("testing all pairs"):
        found = dependence_of(table, attributes or None, rate)
    if json:
        print(json_format.dumps(found.to_frame("pyarrow").to_pylist(), indent=2, allow_nan=False))
        return
    out = console()
    out.print(f"{found}\n", soft_wrap=True)
    out.print(_pairs(found, whole=all))


def publish(
    reports: Source,
    attributes: Attributes = None,
    rows: Annotated[
        int | None, typer.Option(help="How many rows; as many as reports if not named.")
    ] = None,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="Where the rows go: .parquet, .csv, .arrow, .sav or .dta."
        ),
    ] = Path("synthetic.parquet"),
    report: Annotated[
        Path | None, typer.Option(help="Where a report of their quality goes: .html or .json.")
    ] = None,
    model: Annotated[Path | None, typer.Option(help="Where the model itself goes: .npz.")] = None,
    truth: Annotated[
        Path | None,
        typer.Option(help="The true records, if this is a simulation: the report compares."),
    ] = None,
    rate: Rate = 0.05,
    round: Round = None,
    dask: Dask = None,
    seed: Annotated[int | None, typer.Option(help="Repeat the rows.")] = None,
) -> None:
    """Fit a model of the whole record to REPORTS, and write synthetic rows drawn from it."""
    if truth and not report:
        raise DiscretionError("--truth is what a --report compares with: name one")
    inputs = [path for path in (Path(reports), truth) if path]
    for path, suffixes in ((output, ROWS), (report, REPORTS), (model, MODELS)):
        if path:
            check_suffix(path, suffixes)
            check_output(path, *inputs)
    table = read_reports(reports, round, dask)
    records = read_records(truth, table.plan) if truth else None
    with working(f"fitting a model to {len(table):,} reports"):
        publication = published(table, rows, attributes=attributes or None, rate=rate, seed=seed)
    with working(f"drawing {publication.count:,} rows"):
        publication.write(output)
    out = console()
    out.print(f"{publication.dependence}\n", soft_wrap=True)
    out.print(_pairs(publication.dependence))
    largest = max(len(clique.axes) for clique in publication.model.cliques)
    written = f"{publication.count:,} synthetic rows written to {output}"
    out.print(f"\n{written}, from cliques of up to {largest} attributes.", soft_wrap=True)
    with working("testing all triples"):
        left = publication.left_out
    if left:
        names = listed([str(each) for each in left])
        out.print(f"Not in the model: interactions of {names}.", soft_wrap=True)
    if model:
        save(publication.model, model)
        out.print(f"The model is in {model}.", soft_wrap=True)
    if report:
        with working("comparing the model with unbiased estimates"):
            publication.quality(records).write(report)
        out.print(f"The quality report is in {report}.", soft_wrap=True)


def _pairs(found: Dependence, *, whole: bool = False) -> Table:
    """Return the edges, strongest first, or all pairs."""
    every = sorted(found.pairs, key=lambda pair: (pair.adjusted, -pair.strength))
    pairs = every if whole else found.edges[:LONG]
    rows = [[p.one, p.other, f"{p.strength:.4f}", f"{p.adjusted:.2g}", f"{p.n:,}"] for p in pairs]
    heads, names = (
        ("attribute", "attribute", "strength", "adjusted p", "reports"),
        frozenset({0, 1}),
    )
    hidden = 0 if whole else len(found.edges) - len(pairs)
    note = f"... and {hidden:,} more; discretion dependence --all shows them" if hidden else ""
    return Table(heads, rows, note=note, left=names, elastic=names)
