"""``discretion estimate``: frequencies, numbers and joint tables from reports."""

import csv as csv_format
import json as json_format
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Protocol

import numpy as np
import typer

from discretion.cli.estimator import (
    FREQUENCIES,
    JOINT,
    Calibrate,
    Estimator,
    known_methods,
    margins_of,
    methods,
    weights_of,
)
from discretion.cli.groups import (
    Against,
    Asked,
    Bins,
    By,
    Csv,
    Given,
    Percent,
    print_csv,
    print_groups,
)
from discretion.cli.numbers import NumberSummary
from discretion.cli.numbers import table as number_table
from discretion.cli.options import Dask, Json, Round, Source, read_reports
from discretion.cli.progress import each
from discretion.errors import EstimateError, NoSuchFile
from discretion.estimate import FrequencyEstimate
from discretion.estimate.estimate import Result, check_choice
from discretion.estimate.noise import Vector
from discretion.estimate.show import table as frequency_table
from discretion.joints import JointEstimate
from discretion.joints.show import across
from discretion.joints.show import crosstab as joint_crosstab
from discretion.joints.show import table as joint_cells
from discretion.labels.consistency import STEPS
from discretion.render.tables import Table
from discretion.render.terminal import broken, console
from discretion.statistics import STATISTICS, Kind
from discretion.statistics.option import AUTO
from discretion.table import Reports

LONG, SHOWN = 30, 20  # of more labels than LONG only the SHOWN largest are shown, unless asked for


class Documented(Protocol):
    """A result that machines can read."""

    def document(self) -> object: ...


def _method_help() -> str:
    """Name the methods of the first kind, then those of the others, then those of joint tables."""
    first, *others = [kind for kind in Kind if methods(kind)]
    named = [f"of {kind.plural} {', '.join(methods(kind))}" for kind in others]
    own = ", ".join([AUTO, *methods(first)])
    return "; ".join([own, *named, f"of joint tables {', '.join(JOINT.methods())}."])


Attributes = Annotated[
    list[str] | None,
    typer.Argument(metavar="ATTRIBUTES", help="Which attributes or bundles; all if none is named."),
]
Joint = Annotated[
    list[str] | None,
    typer.Option(metavar="A,B", help="A joint table of these attributes; may be repeated."),
]
Candidates = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The texts to look for, a line each; for texts alone."),
]
Applicable = Annotated[
    bool, typer.Option("--applicable", help="Leave those out to whom a question does not apply.")
]
Set = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="An option of --statistic; may be repeated."),
]
All = Annotated[bool, typer.Option("--all", help="Show all labels, however many.")]
Method = Annotated[
    str,
    typer.Option(
        help=_method_help(),
        autocompletion=lambda: [*dict.fromkeys([AUTO, *known_methods(), *JOINT.methods()])],
    ),
]
Target = Annotated[
    str,
    typer.Option(
        help="population (the people these owners come from) or owners (these very people).",
        autocompletion=lambda: FREQUENCIES.option("target").values(),
    ),
]
Post = Annotated[
    list[str] | None,
    typer.Option(
        metavar="STEP",
        help=f"Post-processing of frequencies and joint tables: {', '.join(STEPS)}; "
        "may be repeated, steps are taken in the order given.",
        autocompletion=lambda: [*STEPS],
    ),
]
Named = Annotated[
    str | None,
    typer.Option(
        help=f"Another statistic: {', '.join(STATISTICS)}.",
        autocompletion=lambda: [*STATISTICS],
    ),
]


def estimate(
    reports: Source,
    attributes: Attributes = None,
    joint: Joint = None,
    method: Method = "auto",
    target: Target = "population",
    post: Post = None,
    candidates: Candidates = None,
    applicable: Applicable = False,
    statistic: Named = None,
    set: Set = None,
    by: By = None,
    given: Given = None,
    bins: Bins = None,
    against: Against = None,
    percent: Percent = "row",
    csv: Csv = False,
    calibrate: Calibrate = None,
    round: Round = None,
    dask: Dask = None,
    all: All = False,
    json: Json = False,
) -> None:
    """Print frequencies, means and quantiles, or joint tables, with 95 % intervals."""
    if applicable and (joint or statistic is not None):
        raise EstimateError("--applicable is for frequencies: leave --joint and --statistic out")
    texts = None if candidates is None else _texts(candidates)
    margins = margins_of(calibrate)
    grouped = Asked(by, given or (), bins or (), against, percent, csv, json, texts, margins)
    grouped.check(joint or statistic)
    table = read_reports(reports, round, dask)
    if grouped.groups:
        print_groups(table, attributes or [], grouped)
        return
    if statistic is not None:
        options = [*(set or ()), *([] if margins is None else [f"calibrate={margins}"])]
        print_statistic(table, statistic, attributes or [], options, csv=csv, json=json)
        return
    if set:
        raise EstimateError("--set is for options of --statistic")
    tables = {",".join(names): names for names in map(_attributes, joint or ())}
    own = Estimator(method, target, post or (), texts, applicable)
    own.check(table.plan, attributes or (), [*tables.values()])
    names = attributes or own.names(table, tables=bool(tables))
    if not tables:
        own.check_labels(table.plan, names)
    own = replace(own, weights=weights_of(table, calibrate))
    estimates = [own.estimate(table, name) for name in each("estimating", names)]
    joints = [own.table(table, tables[a], grouped.edges) for a in each("estimating", [*tables])]
    if json:
        print_documents([*estimates, *joints])
        return
    if csv:
        print_csv([*estimates, *joints])
        return
    head = [] if own.weights is None else [own.weights.table()]
    cells = [_joint(each, whole=all) for each in joints]
    _print([*head, *(_shown(e, whole=all) for e in estimates), *cells])


def print_statistic(
    table: Reports, name: str, names: Sequence[str], given: Sequence[str], *, csv: bool, json: bool
) -> None:
    """Print one statistic of the attributes that it can be asked of, or of those that are named."""
    check_choice("--statistic", name, STATISTICS)
    statistic = STATISTICS[name]
    if statistic.command:
        raise EstimateError(f"{name} has a command of its own: discretion {statistic.command}")
    pairs = [text.partition("=") for text in given]
    values = {name: statistic.option(name).read(value) for name, _, value in pairs}
    asked = names or [n for n in table.shared if statistic.applies(table.plan, n)]
    if statistic.several:
        found = [statistic.result(table, list(asked), **values)]
    else:
        found = [statistic.result(table, name, **values) for name in each("estimating", asked)]
    if json:
        print_documents(found)
        return
    if csv:
        print_csv(found)
        return
    console().print("\n\n".join(map(str, found)), soft_wrap=True)


def print_documents(found: Sequence[Documented]) -> None:
    """Print results as one list in JSON."""
    documents = [result.document() for result in found]
    print(json_format.dumps(documents, indent=2, allow_nan=False))


def _joint(estimate: JointEstimate, *, whole: bool) -> Table:
    """Return a crosstab of two attributes where it fits, else a row for each cell."""
    if across(estimate):
        return joint_crosstab(estimate)
    return largest(estimate.value, partial(joint_cells, estimate), whole=whole)


def _shown(estimate: Result | NumberSummary, *, whole: bool) -> Table | str:
    """Return the table of an estimate; of one without a table of its own here, its text."""
    if isinstance(estimate, NumberSummary):
        return number_table(estimate)
    if isinstance(estimate, FrequencyEstimate):
        return largest(estimate.value, partial(frequency_table, estimate), whole=whole)
    return str(estimate)


def largest(value: Vector, rows: Callable[[list[int]], Table], *, whole: bool) -> Table:
    """Return a table of all rows in their order, or of too many the largest ones."""
    share = value.ravel()
    if whole or share.size <= LONG:
        return rows(list(range(share.size)))
    shown = np.argsort(-share, kind="stable")[:SHOWN].tolist()
    rest = share.sum() - share[shown].sum()
    note = f"... and {share.size - SHOWN:,} more, {rest:.4f} together; --all shows them"
    return replace(rows(shown), note=note)


def _print(shown: Sequence[Table | str]) -> None:
    out = console()
    room = out.width if out.is_terminal else sys.maxsize  # in a pipe it stays one line
    for i, table in enumerate(shown):
        caption = table if isinstance(table, str) else broken(table.caption, room)
        out.print("\n" * (i > 0) + caption, soft_wrap=True)
        if isinstance(table, Table):
            out.print(table)


def _texts(path: Path) -> list[str]:
    """Return the lines of a file that are not empty, each once."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise NoSuchFile(path) from None
    except (OSError, ValueError) as error:
        rule = "must be a file of candidates, a line each"
        raise EstimateError(f"{path}: {rule} ({error})") from None
    return list(dict.fromkeys(line for line in lines if line))


def _attributes(text: str) -> list[str]:
    """Return names between commas; one that has a comma in it stands in quotes."""
    return next(csv_format.reader([text], skipinitialspace=True))
