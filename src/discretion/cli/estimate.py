"""``discretion estimate``: frequencies, numbers and joint tables from reports."""

import csv
import json as json_format
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from discretion.cli.numbers import NumberSummary, summarised
from discretion.cli.numbers import table as number_table
from discretion.cli.progress import each
from discretion.cli.reports import Dask, Place, read_reports
from discretion.errors import EstimateError
from discretion.estimate import FrequencyEstimate
from discretion.estimate.document import document as frequency_document
from discretion.estimate.noise import Vector
from discretion.estimate.show import table as frequency_table
from discretion.joints import joint as joint_table
from discretion.joints import postprocess
from discretion.joints.document import document as joint_document
from discretion.joints.methods import METHODS as JOINT_METHODS
from discretion.joints.show import table as joint_cells
from discretion.labels import frequencies
from discretion.labels.consistency import STEPS, check_steps
from discretion.labels.frequencies import METHODS, TARGETS
from discretion.numbers.aggregates import METHODS as NUMBER_METHODS
from discretion.numbers.document import document as number_document
from discretion.numbers.readings import is_told
from discretion.plan import Family, Plan
from discretion.render.tables import Table
from discretion.render.terminal import broken, console
from discretion.table import Reports
from discretion.texts.candidates import METHODS as TEXT_METHODS

LONG, SHOWN = 30, 20  # of more labels than LONG only the SHOWN largest are shown, unless asked for


def estimate(
    reports: Place,
    attributes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ATTRIBUTES", help="Which attributes or bundles; all if none is named."
        ),
    ] = None,
    joint: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="A joint table of these attributes; may be repeated."),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            help=f"{', '.join(['auto', *METHODS])}; of numbers {', '.join(NUMBER_METHODS)}; "
            f"of texts {', '.join(TEXT_METHODS)}; "
            f"of joint tables {', '.join(JOINT_METHODS)}.",
            autocompletion=lambda: [
                "auto",
                *dict.fromkeys([*METHODS, *NUMBER_METHODS, *JOINT_METHODS]),
            ],
        ),
    ] = "auto",
    target: Annotated[
        str,
        typer.Option(
            help="population (the people these owners come from) or owners (these very people).",
            autocompletion=lambda: [*TARGETS],
        ),
    ] = "population",
    post: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STEP",
            help=f"Post-processing of frequencies and joint tables: {', '.join(STEPS)}; "
            "may be repeated, steps are taken in the order given.",
            autocompletion=lambda: [*STEPS],
        ),
    ] = None,
    candidates: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The texts to look for, a line each; for texts alone."),
    ] = None,
    round: Annotated[int | None, typer.Option(help="Which round, if there are several.")] = None,
    dask: Dask = None,
    all: Annotated[bool, typer.Option("--all", help="Show all labels, however many.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Print frequencies, means and quantiles, or joint tables, with 95 % intervals."""
    table = read_reports(reports, round, dask)
    wanted = {",".join(names): names for names in map(_attributes, joint or ())}
    if wanted and target != "population":
        raise EstimateError("joint tables are about the population: leave --target out")
    asked = (*(attributes or ()), *chain.from_iterable(wanted.values()))
    table.plan.questions.check(asked)  # a misspelt one is named before the work
    texts = None if candidates is None else _texts(candidates)
    names = attributes or ([] if wanted else _told(table, texts) or list(table.plan.attributes))
    _check_method(table.plan, attributes or [], method)
    check_steps(steps := post or [])
    if steps and not wanted:
        _check_labels(table.plan, names)
    estimates = [
        _estimated(table, name, method, target, steps, texts) for name in each("estimating", names)
    ]
    joints = [
        postprocess(joint_table(table, wanted[text], method), *steps)
        for text in each("estimating", [*wanted])
    ]
    if json:
        documents = [*map(_document, estimates), *map(joint_document, joints)]
        print(json_format.dumps(documents, indent=2, allow_nan=False))
        return
    shown = [_table(e, whole=all) for e in estimates]
    shown += [largest(e.value, partial(joint_cells, e), whole=all) for e in joints]
    _print(shown)


def _table(estimate: FrequencyEstimate | NumberSummary, *, whole: bool) -> Table:
    if isinstance(estimate, NumberSummary):
        return number_table(estimate)
    return largest(estimate.value, partial(frequency_table, estimate), whole=whole)


def largest(value: Vector, rows: Callable[[list[int]], Table], *, whole: bool) -> Table:
    """Return a table of all rows in their order, or of too many the largest ones."""
    share = value.ravel()
    if whole or share.size <= LONG:
        return rows(list(range(share.size)))
    shown = np.argsort(-share, kind="stable")[:SHOWN].tolist()
    rest = share.sum() - share[shown].sum()
    note = f"... and {share.size - SHOWN:,} more, {rest:.4f} together; --all shows them"
    return replace(rows(shown), note=note)


def _print(tables: Sequence[Table]) -> None:
    out = console()
    room = out.width if out.is_terminal else sys.maxsize  # in a pipe it stays one line
    for i, table in enumerate(tables):
        out.print("\n" * (i > 0) + broken(table.caption, room), soft_wrap=True)
        out.print(table)


def _texts(path: Path) -> list[str]:
    """Return the lines of a file that are not empty, each once."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        rule = "must be a file of candidates, a line each"
        raise EstimateError(f"{path}: {rule} ({error})") from None
    return list(dict.fromkeys(line for line in lines if line))


def _told(table: Reports, texts: Sequence[str] | None) -> list[str]:
    """Return what somebody reported: of a bundle of numbers, its numbers; a text if asked."""
    plan = table.plan
    told = [
        [*plan.questions[n].parts] if plan.questions[n].family is Family.BLOCKS else [n]
        for n in table.shared
    ]
    known = {*chain.from_iterable(told)}
    return [
        n
        for n in plan.names
        if n in known and (texts is not None or plan.questions[n].family is not Family.SKETCHES)
    ]


def _estimated(
    table: Reports,
    name: str,
    method: str,
    target: str,
    steps: Sequence[str],
    texts: Sequence[str] | None,
) -> FrequencyEstimate | NumberSummary:
    """Estimate an attribute as it is reported; methods and steps of the others are not for it."""
    if table.plan.questions[name].family is Family.SKETCHES:
        if texts is None:
            raise EstimateError(f"{name!r} is a text: name the candidates with --candidates FILE")
        own = _own(method, {*METHODS, *NUMBER_METHODS}, TEXT_METHODS)
        return frequencies(table, name, own, candidates=texts)
    if is_told(table.plan, name):
        return summarised(table, name, _own(method, METHODS, NUMBER_METHODS), target)
    own = _own(method, NUMBER_METHODS, METHODS)
    return postprocess(frequencies(table, name, own, target), *steps)


def _check_method(plan: Plan, attributes: Sequence[str], method: str) -> None:
    """Refuse a method that none of the named attributes has."""
    if attributes and not any(_has(plan, name, method) for name in attributes):
        kind, own = _kind(plan, attributes[0])
        known = ", ".join(own)
        raise EstimateError(f"{attributes[0]!r} is {kind}: method must be one of {known}")


def _check_labels(plan: Plan, names: Sequence[str]) -> None:
    """Refuse post-processing where only numbers are asked for."""
    if all(is_told(plan, name) for name in names):
        raise EstimateError(f"{names[0]!r} is a number: --post is for frequencies and joint tables")


def _has(plan: Plan, name: str, method: str) -> bool:
    """Whether an attribute can be estimated by a method, or no attribute can."""
    _, own = _kind(plan, name)
    return method in own or method not in {*METHODS, *NUMBER_METHODS, *TEXT_METHODS}


def _kind(plan: Plan, name: str) -> tuple[str, tuple[str, ...]]:
    """Return what an attribute is called, and the methods for it."""
    if is_told(plan, name):
        return "a number", tuple(NUMBER_METHODS)
    if plan.questions[name].family is Family.SKETCHES:
        return "a text", TEXT_METHODS
    return "a label", tuple(METHODS)


def _own(method: str, others: Iterable[str], own: Iterable[str]) -> str:
    return "auto" if method in set(others) - set(own) else method


def _attributes(text: str) -> list[str]:
    """Return names between commas; one that has a comma in it stands in quotes."""
    return next(csv.reader([text], skipinitialspace=True))


def _document(estimate: FrequencyEstimate | NumberSummary) -> dict[str, Any]:
    if isinstance(estimate, NumberSummary):
        return number_document(estimate.mean, estimate.quantiles)
    return frequency_document(estimate)
