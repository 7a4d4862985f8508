"""The page about the LoPub paper: its figures beside ours, and which bars are passed."""

from collections.abc import Callable, Sequence
from functools import partial
from math import isnan
from pathlib import Path

import numpy as np

from papers import lopub_words as words
from papers.lopub import CLASSIFIED, FIRST_SEED, FOREST, SVM, Findings
from papers.lopub_census import TOTALS, Line, Stop
from papers.lopub_check import Check, checks
from papers.lopub_crowd import LOOSE, OURS, PAPER, Way, spent
from papers.lopub_data import SURVEYS
from papers.lopub_figures import MODELS, write
from papers.lopub_published import (
    GUESS,
    IDENTIFIED,
    NUMBERS,
    STANDS_FOR,
    TABLES,
    WORST_FOREST,
    Pruned,
)
from papers.lopub_trial import ORDERS
from papers.page import number, save, table

NAME = "lopub.md"
PAIR_HEADS = ("total variation of all pairs", *(f"budget {total:g}" for total in TOTALS), "seconds")


def write_page(findings: Findings, place: Path) -> Path:
    """Write the page and its figures into a folder."""
    return save(place / NAME, partial(write, findings), partial(page, findings))


def page(findings: Findings, figures: Sequence[str]) -> str:
    """Return the page, with those figures that there are."""
    image = partial(_image, figures)
    found = checks(findings)
    parts = [
        words.head(findings.scope, FIRST_SEED),
        f"## Bars\n\n{summary(found)}\n\n{_verdicts(found)}",
        f"## All pairs of Adult\n\n{image('pairs')}\n{words.PAIRS}",
        table(PAIR_HEADS, pair_rows(findings)),
        f"## Budgets\n\n{words.BUDGETS}\n\n{_budgets(findings)}",
        f"## Figures 13 to 18: tables\n\n{image('figures-13-18')}\n{words.TABLES}",
        _by_order(findings, _table_distance, (*PAPER, *OURS)),
        f"## Figures 7 to 12: times\n\n{image('figures-7-12')}\n{words.TIMES}",
        _by_order(findings, _table_seconds, (*PAPER, *OURS)),
        f"## Figures 19 to 21: dependence\n\n{image('figures-19-21')}\n{words.DEPENDENCE}",
        _rates(findings),
        f"### Where nothing depends\n\n{words.SHUFFLED}\n\n{_shuffled(findings)}",
        f"## Tables 7 to 9: pruning\n\n{words.PRUNING}",
        *(_pruned(findings, name) for name in STANDS_FOR),
        f"## The model of the whole record\n\n{image('model')}\n{words.MODEL}",
        _by_order(findings, Findings.model, MODELS),
        f"## Figures 22 to 27: classifiers\n\n{image('figures-22-27')}\n{words.CLASSIFIERS}",
        _classified(findings),
        f"## Figures 28 to 30: times of models\n\n{image('figures-28-30')}\n{words.OVERALL}",
        _overall(findings),
        words.DIFFERENCES,
    ]
    joined = "\n\n".join(part.strip() for part in parts)
    return joined.replace("\n\n\n", "\n\n") + "\n"


def summary(found: Sequence[Check]) -> str:
    """Say how many bars are passed, and name those that are missed."""
    missed = [one for one in found if not one.met]
    lines = [f"{len(found) - len(missed)} of {len(found)} bars are passed."]
    lines += [f"- missed: {one.rule}, {one.about}: {one}, must be {one.bar}" for one in missed]
    return lines[0] + ("\n\n" + "\n".join(lines[1:]) if missed else "")


def pair_rows(findings: Findings) -> list[list[str]]:
    """Return the central table: a row for each way to publish pairs."""
    rows = []
    for line in Line:
        stops: Sequence[Stop | None] = (None,) if line.ours else tuple(Stop)
        seconds = np.mean([each.run.seconds for each in findings.runs if each.line is line])
        for stop in stops:
            cells = [_with_error(findings.distances(total, line, stop)) for total in TOTALS]
            name = str(line) if stop is None else f"{line}, stopped {stop}"
            rows.append([name, *cells, f"{seconds:.0f}"])
    apart = f"{findings.truth('Adult').unrelated:.4f}"
    return [*rows, ["the true marginals, multiplied", *[apart] * len(TOTALS), ""]]


def _with_error(values: Sequence[float]) -> str:
    error = f" ± {np.std(values, ddof=1) / np.sqrt(len(values)):.4f}" if len(values) > 1 else ""
    return f"{np.mean(values):.4f}{error}"


def _image(figures: Sequence[str], name: str) -> str:
    path = f"lopub-{name}.svg"
    return f"![{name.replace('-', ' ')}]({path})\n" if path in figures else ""


def _verdicts(found: Sequence[Check]) -> str:
    parts = []
    for rule in dict.fromkeys(one.rule for one in found):
        own = [one for one in found if one.rule == rule]
        body = [(one.about, one, one.bar, one.verdict) for one in own]
        parts.append(f"*{rule}*\n\n{table(('', 'value', 'bar', ''), body)}")
    return "\n\n".join(parts)


def _names(findings: Findings) -> list[str]:
    return [truth.survey for truth in findings.truths]


def _budgets(findings: Findings) -> str:
    heads = ("f", "an attribute", *(f"a record of {s.name} ({len(s.fields)})" for s in SURVEYS))
    body = [
        (f"{f:g}", f"{spent(f):.2f}", *(f"{spent(f) * len(s.fields):.1f}" for s in SURVEYS))
        for f in findings.scope.chances
    ]
    return table(heads, body)


def _table_distance(findings: Findings, name: str, f: float, way: Way, order: int) -> float:
    if way.ours:
        return findings.model(name, f, way, order)
    return findings.estimate(name, f, way, order).distance


def _table_seconds(findings: Findings, name: str, f: float, way: Way, order: int) -> float:
    if way.ours:
        return findings.seconds(name, f, way)
    return findings.estimate(name, f, way, order).seconds


def _by_order(
    findings: Findings,
    value: Callable[[Findings, str, float, Way, int], float],
    ways: Sequence[Way],
) -> str:
    chances = findings.scope.chances
    columns = [(order, f) for order in ORDERS for f in chances]
    body = [
        (name, way, *(number(value(findings, name, f, way, order)) for order, f in columns))
        for name in _names(findings)
        for way in ways
    ]
    return table(("", "", *(f"k = {order}, f = {f:g}" for order, f in columns)), body)


def _rates(findings: Findings) -> str:
    body = []
    for name in _names(findings):
        printed = f"{100 * IDENTIFIED[STANDS_FOR[name]]:.0f} %"
        shown = [printed if f < 0.9 else "–" for f in findings.scope.chances]
        body.append((name, f"right, printed ({STANDS_FOR[name]}), about", *shown))
        for way in (*PAPER, *OURS):
            each = [findings.rates(name, f, way) for f in findings.scope.chances]
            cells = [" / ".join(f"{100 * share:.0f} %" for share in rates) for rates in each]
            body.append((name, way, *cells))
    heads = ("", "right / added / lost", *(f"f = {f:g}" for f in findings.scope.chances))
    return table(heads, body)


def _shuffled(findings: Findings) -> str:
    body = []
    for survey in SURVEYS:
        shares = next(each.shares for each in findings.shuffled if each.survey == survey.name)
        for way in (*PAPER, *OURS):
            phis = (0.0, 0.0) if way.ours else (LOOSE, survey.phi)
            cells = [f"{100 * shares[way, phi]:.1f} %" for phi in phis]
            body.append((survey.name, way, *cells))
    return table(("", "pairs taken to depend", "phi = 0.1", "the paper's phi"), body)


def _pruned(findings: Findings, name: str) -> str:
    """Return one of the tables: printed, of the records, and as EM sees them at f = 0.5."""
    source = STANDS_FOR[name]
    seen = findings.of(name, CLASSIFIED[0])[0].pruned
    columns = {
        f"printed, Table {NUMBERS[source]} ({source})": TABLES[source],
        f"all records of {name}": findings.truth(name).pruned,
        f"EM, f = {CLASSIFIED[0]:g}, a sample": seen,
    }
    body = [
        (f"{phi:g}", *(_pruned_cell(own[phi]) for own in columns.values()))
        for phi in findings.truth(name).pruned
    ]
    return f"### {name}\n\n{table(('phi', *columns), body)}"


def _pruned_cell(own: Pruned) -> str:
    return (
        f"{own.dependent} of {own.all_dependent} ({own.loss:.3f}), "
        f"{own.pairs} of {own.all_pairs} ({own.reduction:.3f})"
    )


def _classified(findings: Findings) -> str:
    body: list[tuple[str, ...]] = []
    for name in _names(findings):
        source = STANDS_FOR[name]
        worst = f"{100 * WORST_FOREST[source]:.0f} % (guess {100 * GUESS[source]:.0f} %)"
        body.append((name, f"printed, the worst ({source})", worst, worst, "–", "–"))
        real = [
            findings.classified(name, f, Way.EM, kind)[1]
            for kind in (FOREST, SVM)
            for f in CLASSIFIED
        ]
        body.append((name, "learnt from real records", *map(_percent, real)))
        for way in MODELS:
            rates = [
                findings.classified(name, f, way, kind)[0]
                for kind in (FOREST, SVM)
                for f in CLASSIFIED
            ]
            body.append((name, way, *map(_percent, rates)))
    heads = [f"{kind}, f = {f:g}" for kind in (FOREST, SVM) for f in CLASSIFIED]
    return table(("", "rate", *heads), body)


def _percent(rate: float) -> str:
    return "–" if isnan(rate) else f"{100 * rate:.1f} %"


def _overall(findings: Findings) -> str:
    body = [
        (
            name,
            way,
            *(f"{findings.seconds(name, f, way):.2f}" for f in findings.scope.chances),
            f"{np.mean([q.edges for q in findings.qualities(name, CLASSIFIED[-1], way)]):.0f}",
        )
        for name in _names(findings)
        for way in MODELS
    ]
    heads = [f"seconds, f = {f:g}" for f in findings.scope.chances]
    return table(("", "", *heads, f"edges of the model, f = {CLASSIFIED[-1]:g}"), body)
