"""How ``discretion plan advise`` prints: a table and words, or JSON."""

import json as json_format
from itertools import combinations
from pathlib import Path

from rich.console import Console

from discretion.design import Comparison, MeanAdvice, TableAdvice, compare_mechanisms
from discretion.design.sheet import Sheet
from discretion.errors import EstimateError
from discretion.plan import Plan

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
    known = (plan.questions[name] for name in names if name in plan.attributes)
    return names if names == [own.name for own in known if own.numbers] else None


def compared(plan: Plan, names: list[str] | None, owners: int) -> list[Comparison]:
    """Return the comparison of mechanisms for the attributes named, or for all with labels."""
    wanted = [
        name.strip() for name in names or plan.attributes if names or plan.questions[name].labels
    ]
    if not wanted:
        raise EstimateError("the plan has no attribute with labels to compare mechanisms for")
    return [compare_mechanisms(plan, name, owners) for name in wanted]


def show_comparisons(comparisons: list[Comparison], out: Console, *, json: bool) -> None:
    """Print a table for each attribute, and once what the columns mean; or all as JSON."""
    if json:
        found = [comparison.document() for comparison in comparisons]
        print(json_format.dumps(found, indent=2, allow_nan=False))
        return
    for each in comparisons:
        _print_table(each.sheet, out)
        out.print()
    out.print("\n".join(comparisons[0].sheet.legend), soft_wrap=True)


def show(advice: TableAdvice | MeanAdvice, out: Console, *, json: bool) -> None:
    """Print the forecasts and what they come to, as wide as the console; or all as JSON."""
    if json:
        print(json_format.dumps(advice.document(), indent=2, allow_nan=False))
        return
    _print_table(advice.sheet, out)
    out.print("\n".join(advice.sheet.remarks(out.width)), soft_wrap=True)


def write_proposal(advice: MeanAdvice, contract: str | None, path: Path) -> None:
    """Write the plan of the best design in YAML."""
    import yaml

    author = advice.proposal(contract)
    path.write_text(
        yaml.safe_dump(author, sort_keys=False, default_flow_style=None, allow_unicode=True),
        encoding="utf-8",
    )


def _print_table(sheet: Sheet, out: Console) -> None:
    out.print(sheet.heading, soft_wrap=True)
    out.print(sheet.table)
