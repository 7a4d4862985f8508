"""How ``discretion plan advise`` prints: a table and words, or JSON."""

from itertools import combinations
from pathlib import Path
from typing import Any

from rich.console import Console

from discretion.cli.show import Columns
from discretion.design import Advice, Forecast, mean_text, mechanisms
from discretion.design.mean_advice import MeanAdvice
from discretion.design.mean_advice import as_record as means_record
from discretion.design.mechanisms import Comparison, compare_mechanisms
from discretion.design.table_advice import as_record
from discretion.design.table_text import HEADS, heading, items, legend, paragraph, rows
from discretion.errors import EstimateError
from discretion.plan import Family, Plan

MOST_PAIRED = 6  # attributes of which all pairs are looked at unless tables are named


def wanted(plan: Plan, tables: list[str] | None) -> list[list[str]]:
    """Return the tables that were named, ``a,b`` each, or all pairs of a few attributes."""
    if tables:
        return [[name.strip() for name in table.split(",")] for table in tables]
    names = [name for name in plan.attributes if plan.questions[name].labels]
    if len(names) > MOST_PAIRED:
        known = ", ".join(names)
        raise EstimateError(f"name the tables, such as --table {names[0]},{names[1]}, of {known}")
    return [list(pair) for pair in combinations(names, 2)] or [names]


def wanted_means(plan: Plan, tables: list[str] | None) -> list[str] | None:
    """Return the numbers whose means are asked for; None where it is tables that are."""
    names = [table.strip() for table in tables] if tables else list(plan.attributes)
    return (
        names
        if all(
            name in plan.attributes and plan.questions[name].family is Family.NUMBERS
            for name in names
        )
        else None
    )


def compared(plan: Plan, names: list[str] | None, owners: int) -> list[Comparison]:
    """Return the comparison of mechanisms for the attributes named, or for all with labels."""
    wanted = [
        name.strip() for name in names or plan.attributes if names or plan.questions[name].labels
    ]
    if not wanted:
        raise EstimateError("the plan has no attribute with labels to compare mechanisms for")
    return [compare_mechanisms(plan, name, owners) for name in wanted]


def show_comparisons(comparisons: list[Comparison], out: Console) -> None:
    """Print a table for each attribute, and once what the columns mean."""
    right = frozenset(range(1, len(mechanisms.HEADS)))
    for each in comparisons:
        out.print(each.heading, soft_wrap=True)
        out.print(Columns(mechanisms.HEADS, each.cells, right=right), "", sep="\n")
    out.print("\n".join(comparisons[0].legend), soft_wrap=True)


def show(advice: Advice, out: Console) -> None:
    """Print the forecasts and what they come to, as wide as the console."""
    right, elastic = frozenset(range(3, len(HEADS))), frozenset({0})
    out.print(heading(advice), soft_wrap=True)
    out.print(Columns(HEADS, rows(advice), right=right, elastic=elastic))
    words, notes = paragraph(advice.recommendation, out.width), items(advice, out.width)
    out.print("\n".join([*legend(advice), "", *words, "", *notes]), soft_wrap=True)


def show_means(advice: MeanAdvice, out: Console) -> None:
    """Print the forecasts for means and what they come to, as wide as the console."""
    right = frozenset(range(3, len(mean_text.HEADS)))
    out.print(mean_text.heading(advice), soft_wrap=True)
    out.print(Columns(mean_text.HEADS, mean_text.rows(advice), right=right))
    words = paragraph(advice.recommendation, out.width)
    out.print("\n".join([*mean_text.LEGEND, "", *words]), soft_wrap=True)


def write_proposal(advice: MeanAdvice, contract: str | None, path: Path) -> None:
    """Write the plan of the best design in YAML."""
    import yaml

    author = advice.proposal(contract)
    path.write_text(
        yaml.safe_dump(author, sort_keys=False, default_flow_style=None, allow_unicode=True),
        encoding="utf-8",
    )


def means_document(advice: MeanAdvice) -> dict[str, Any]:
    """Return the advice on means for machines, with the plan that it proposes."""
    return {
        "owners": advice.n,
        "total": advice.total / 1000,
        "recommendation": advice.recommendation,
        "forecasts": [means_record(row) for row in advice.rows],
        "proposals": {
            str(c): advice.proposal(c)
            for c in dict.fromkeys(row.design.contract for row in advice.rows)
        },
    }


def document(advice: Advice) -> dict[str, Any]:
    """Return the advice for machines, with epsilons instead of levels."""
    return {
        "owners": advice.n,
        "total": advice.total / 1000,
        "recommendation": advice.recommendation,
        "ranking": list(advice.ranking),
        "forecasts": [_forecast(row) for row in advice.rows],
        "needs": {design: list(lacks) for design, lacks in advice.needs.items()},
        "refused": dict(advice.refused),
    }


def _forecast(row: Forecast) -> dict[str, Any]:
    levels = {name: level / 1000 for name, level in row.levels.items()}
    return {**as_record(row), "table": list(row.table), "levels": levels}
