"""``discretion estimate``: frequencies, numbers and joint tables from reports."""

import csv as csv_format
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from discretion.calibration import Calibration
from discretion.cli.calibrate import Calibrate, as_option, weights_of
from discretion.cli.groups import Against, Asked, Bins, By, Csv, Given, Percent, print_groups
from discretion.cli.numbers import NumberSummary, summarised
from discretion.cli.numbers import table as number_table
from discretion.cli.options import Dask, Json, Round, Source, read_reports
from discretion.cli.progress import each
from discretion.cli.statistic import print_documents, print_statistic
from discretion.errors import EstimateError
from discretion.estimate import FrequencyEstimate
from discretion.estimate.estimate import Result
from discretion.estimate.noise import Vector
from discretion.estimate.show import table as frequency_table
from discretion.joints import joint as joint_table
from discretion.joints import postprocess
from discretion.joints.show import table as joint_cells
from discretion.labels import frequencies
from discretion.labels.consistency import STEPS, check_steps
from discretion.plan import Plan
from discretion.render.tables import Table
from discretion.render.terminal import broken, console
from discretion.statistics import STATISTICS, Kind, first_of, kinds_of
from discretion.statistics.statistic import AUTO
from discretion.table import Reports

LONG, SHOWN = 30, 20  # of more labels than LONG only the SHOWN largest are shown, unless asked for
FREQUENCIES, MEAN, JOINT = (STATISTICS[name] for name in ("frequencies", "mean", "joint"))


def methods(kind: Kind) -> list[str]:
    """Return the methods by which attributes of a kind are estimated."""
    return first_of(kind).methods(kind)


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
Method = Annotated[
    str,
    typer.Option(
        help=_method_help(),
        autocompletion=lambda: [*dict.fromkeys([AUTO, *_known(), *JOINT.methods()])],
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
    joint: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="A joint table of these attributes; may be repeated."),
    ] = None,
    method: Method = "auto",
    target: Target = "population",
    post: Post = None,
    candidates: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The texts to look for, a line each; for texts alone."),
    ] = None,
    applicable: Annotated[
        bool,
        typer.Option("--applicable", help="Leave those out to whom a question does not apply."),
    ] = False,
    statistic: Named = None,
    set: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="An option of --statistic; may be repeated."),
    ] = None,
    by: By = None,
    given: Given = None,
    bins: Bins = None,
    against: Against = None,
    percent: Percent = "row",
    csv: Csv = False,
    calibrate: Calibrate = None,
    round: Round = None,
    dask: Dask = None,
    all: Annotated[bool, typer.Option("--all", help="Show all labels, however many.")] = False,
    json: Json = False,
) -> None:
    """Print frequencies, means and quantiles, or joint tables, with 95 % intervals."""
    if applicable and (joint or statistic is not None):
        raise EstimateError("--applicable is for frequencies: leave --joint and --statistic out")
    texts = None if candidates is None else _texts(candidates)
    grouped = Asked(by, given or (), bins or (), against, percent, csv, json, texts)
    grouped.check(joint or statistic or calibrate)
    table = read_reports(reports, round, dask)
    if grouped.groups:
        print_groups(table, attributes or [], grouped)
        return
    if statistic is not None:
        options = [*(set or ()), *as_option(calibrate)]
        print_statistic(table, statistic, attributes or [], options, json=json)
        return
    if set:
        raise EstimateError("--set is for options of --statistic")
    wanted = {",".join(names): names for names in map(_attributes, joint or ())}
    if wanted and target != "population":
        raise EstimateError("joint tables are about the population: leave --target out")
    asked = (*(attributes or ()), *chain.from_iterable(wanted.values()))
    table.plan.questions.check(asked)  # a misspelt one is named before the work
    names = attributes or ([] if wanted else reported(table, texts) or list(table.plan.attributes))
    if attributes is None and texts is None:
        _note_texts(table)
    _check_method(table.plan, attributes or [], method)
    check_steps(steps := post or [])
    if steps and not wanted:
        _check_labels(table.plan, names)
    weights = weights_of(table, calibrate)
    estimates = [
        _estimated(table, name, method, target, steps, texts, weights)
        for name in each("estimating", names)
    ]
    if applicable:
        estimates = [*map(_applicable, estimates)]
    joints = [
        postprocess(
            joint_table(table, wanted[text], method, grouped.edges, weights=weights), *steps
        )
        for text in each("estimating", [*wanted])
    ]
    if json:
        print_documents([*estimates, *joints])
    else:
        tables = [largest(e.value, partial(joint_cells, e), whole=all) for e in joints]
        head = [] if weights is None else [weights.table()]
        _print([*head, *(_shown(e, whole=all) for e in estimates), *tables])


def _applicable(found: Result | NumberSummary) -> Result | NumberSummary:
    """Return frequencies among those to whom a question applies; anything else as it is."""
    if isinstance(found, FrequencyEstimate) and found.conditional:
        return found.applicable()
    return found


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
    except (OSError, ValueError) as error:
        rule = "must be a file of candidates, a line each"
        raise EstimateError(f"{path}: {rule} ({error})") from None
    return list(dict.fromkeys(line for line in lines if line))


def reported(table: Reports, texts: Sequence[str] | None) -> list[str]:
    """Return what somebody reported: of a bundle of numbers, its numbers; a text if asked."""
    plan = table.plan
    known = {
        *chain.from_iterable(
            [name] if kinds_of(plan, name) else plan.questions[name].parts for name in table.shared
        )
    }
    return [
        n
        for n in plan.names
        if n in known and (texts is not None or not FREQUENCIES.needed(plan, n))
    ]


def _note_texts(table: Reports) -> None:
    """Say which texts are left out, and what to do about it."""
    left = [name for name in table.shared if FREQUENCIES.needed(table.plan, name)]
    if left:
        note = f"{', '.join(left)}: name the texts to look for with --candidates FILE"
        console(stderr=True).print(note, soft_wrap=True)


def _estimated(
    table: Reports,
    name: str,
    method: str,
    target: str,
    steps: Sequence[str],
    texts: Sequence[str] | None,
    weights: Calibration | None,
) -> Result | NumberSummary:
    """Estimate an attribute as it is reported; methods and steps of the others are not for it."""
    kind = _kind(table.plan, name)
    statistic = first_of(kind)
    own = AUTO if method in _known() and method not in methods(kind) else method
    if statistic is MEAN:
        return summarised(table, name, own, target, weights)
    if statistic is not FREQUENCIES:
        return statistic.result(table, name, **({"method": own} if methods(kind) else {}))
    if not FREQUENCIES.needed(table.plan, name):
        found = frequencies(table, name, own, target, weights=weights)
        return postprocess(found, *steps)
    if texts is None:
        raise EstimateError(f"{name!r} is {kind.noun}: name the candidates with --candidates FILE")
    return frequencies(table, name, own, candidates=texts, weights=weights)


def _check_method(plan: Plan, attributes: Sequence[str], method: str) -> None:
    """Refuse a method that none of the named attributes has."""
    kinds = [_kind(plan, name) for name in attributes]
    if attributes and method in _known() and not any(method in methods(kind) for kind in kinds):
        known = ", ".join(methods(kinds[0]))
        raise EstimateError(f"{attributes[0]!r} is {kinds[0].noun}: method must be one of {known}")


def _check_labels(plan: Plan, names: Sequence[str]) -> None:
    """Refuse post-processing where no frequencies are asked for."""
    kinds = [_kind(plan, name) for name in names]
    if all(first_of(kind) is not FREQUENCIES for kind in kinds):
        rule = "--post is for frequencies and joint tables"
        raise EstimateError(f"{names[0]!r} is {kinds[0].noun}: {rule}")


def _kind(plan: Plan, name: str) -> Kind:
    """Return as what an attribute is shown: as a number, wherever it is one."""
    return [plan.questions[name].kind, *kinds_of(plan, name)][-1]


def _known() -> set[str]:
    return {name for kind in Kind for name in methods(kind)}


def _attributes(text: str) -> list[str]:
    """Return names between commas; one that has a comma in it stands in quotes."""
    return next(csv_format.reader([text], skipinitialspace=True))
