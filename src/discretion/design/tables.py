"""Which way to ask for tables: what each costs in error, and what it promises to the owners."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod, sqrt

from scipy.special import ndtri

from discretion.budget.level import epsilon, thousandths
from discretion.design import table_designs
from discretion.design.advice import Advice, Forecast, allowance, check_owners
from discretion.design.design import Design, Names
from discretion.design.information import squared_error
from discretion.design.sheet import Sheet
from discretion.design.table_designs import WAYS, covers, designs, needs
from discretion.errors import BudgetError, EstimateError
from discretion.joints.joint import MOST_CELLS
from discretion.mechanism import MECHANISMS
from discretion.plan import Plan, Question
from discretion.schema.bundle import JOINT

HALF = float(ndtri(0.975))  # standard errors in half a 95 % interval
HEADS = ("table", "design", "contract", "alone", "cell", "± 95 %", "error")
LEGEND = "alone: the level that protects one attribute; error: squared, over the least"
MOST = "≤: no cell is negative, so the mle errs less where noise hides a typical cell"


@dataclass(frozen=True)
class TableForecast(Forecast):
    """What one design gives for one table, where all its cells are equally frequent.

    The squared error is summed over the cells.
    """

    cells: int
    owners: int  # who report the whole table

    @property
    def table(self) -> Names:
        """The attributes of the table."""
        return self.names

    @property
    def levels(self) -> Mapping[str, int]:
        """The levels of those who report the table: by attribute, or for the bundle."""
        groups = self.design.levels(self.total)
        whole = next(levels for levels in groups if covers(levels, self.table))
        return {JOINT.join(a): level for a, level in whole.items() if set(a) & set(self.table)}

    @property
    def rmse(self) -> float:
        """Of a cell."""
        return sqrt(self.squared_error / self.cells)

    @property
    def half_width(self) -> float:
        """Half the 95 % interval of a cell."""
        return HALF * self.rmse

    @property
    def at_most(self) -> bool:
        """Whether noise hides a typical cell; the mle, with no cell below zero, then errs less."""
        return self.half_width * self.cells > 1

    def record(self) -> dict[str, object]:
        return {
            "table": JOINT.join(self.table),
            "design": self.design.name,
            "contract": str(self.contract),
            "levels": " ".join(f"{name}={epsilon(level)}" for name, level in self.levels.items()),
            "alone": self.alone / 1000,
            "owners": self.owners,
            "cells": self.cells,
            "squared_error": self.squared_error,
            "rmse": self.rmse,
            "half_width": self.half_width,
            "at_most": self.at_most,
        }

    def document(self) -> dict[str, object]:
        """Return the same with the attributes in a list and their levels by name."""
        levels = {name: level / 1000 for name, level in self.levels.items()}
        return {**self.record(), "table": list(self.table), "levels": levels}

    def shown(self, least: float) -> tuple[str, ...]:
        """Return the cells of its row; the error is in units of the least."""
        most = "≤" if self.at_most else ""
        return (
            self.design.name,
            str(self.contract),
            epsilon(self.alone),
            f"{1 / self.cells:.4f}",
            f"{most}{self.half_width:.4f}",
            f"{most}{self.squared_error / least:.3g}",
        )


@dataclass(frozen=True, repr=False)
class TableAdvice(Advice[TableForecast]):
    """Forecasts for every wanted table and every design, the best design of a table first.

    They are errors at the uniform distribution, with disclosed levels: what the mle has, or where a
    half-width is above the frequency of a cell, what it has at most.
    """

    NOUN = "attribute"

    refused: Mapping[str, str]  # designs that are not possible, and why

    def best(self, table: Sequence[str], contract: str | None = None) -> TableForecast:
        """Return the forecast with the smallest error, of designs with this contract or any."""
        names = (table,) if isinstance(table, str) else tuple(table)
        for row in self.rows:
            if set(row.table) == set(names) and contract in (None, row.contract):
                return row
        known = ", ".join(dict.fromkeys(JOINT.join(row.table) for row in self.rows))
        rule = f" with the contract {contract}" if contract else ""
        raise EstimateError(f"there is advice on {known}, not on {JOINT.join(names)}{rule}")

    def of(self, design: str) -> tuple[TableForecast, ...]:
        """Return the forecasts of one design, a row for each table."""
        return tuple(row for row in self.rows if row.design.name == design)

    @property
    def ranking(self) -> tuple[str, ...]:
        """The designs, that with the smallest error (in geometric mean over the tables) first."""
        return tuple(design.name for design in self.designs)

    @cached_property
    def needs(self) -> Mapping[str, tuple[str, ...]]:
        """What the plan would have to allow, by design."""
        return {d.name: needs(self.plan, d, self.total) for d in self.designs}

    def document(self) -> dict[str, object]:
        plain = {"needs": self.needs, "refused": self.refused, "ranking": self.ranking}
        return {**super().document(), **plain}

    @property
    def sheet(self) -> Sheet:
        """The table of forecasts, with words around it; errors over the table's smallest."""
        rows, last = [], None
        for row in self.rows:
            title = " x ".join(row.table) if row.table != last else ""
            rows.append((title, *row.shown(self.best(row.table).squared_error)))
            last = row.table
        refused = (f"{name}: not possible, {why}" for name, why in self.refused.items())
        return Sheet(
            heading=f"{self.spending}; all cells equally frequent",
            heads=HEADS,
            rows=rows,
            words=3,
            legend=(LEGEND, *([MOST] if any(row.at_most for row in self.rows) else [])),
            recommendation=self.recommendation,
            notes=(*map(self._note, self.designs), *refused),
        )

    @property
    def _rival(self) -> Design | None:
        """The best that promises more, or what is next."""
        return super()._rival or next(iter(self.designs[1:]), None)

    def _note(self, design: Design) -> str:
        """Say what a design is, and what the plan lacks for it."""
        drawn, one = table_designs.DRAWN, len(self.forecasts(design)) == 1
        does = WAYS[design.name].does.replace(drawn, "the table" if one else drawn)
        lacks = self.needs[design.name]
        need = f"; the plan would need {', '.join(lacks)}" if lacks else ""
        return f"{design.name}: {does}{need}"

    def _remarks(self, chosen: Design) -> list[str]:
        remarks = []
        if self.needs[chosen.name]:
            remarks.append("The plan as it is does not allow that.")
        if wide := [row for row in self.forecasts(chosen) if row.at_most]:
            names = ", ".join(" x ".join(row.table) for row in wide)
            remarks.append(
                f"A typical cell of {names} is then less frequent than its interval is wide to "
                "either side: fewer values, a larger total or more owners would help."
            )
        if self.plan.secret:
            remarks.append("Levels are secret; the errors are as if they were not.")
        return remarks


def advise(
    plan: Plan, tables: Sequence[Sequence[str]], n: int, total: float | None = None
) -> TableAdvice:
    """Forecast the error of tables of attributes, for each way to ask n owners.

    Parameters
    ----------
    plan
        What is asked. What it would not let owners do stands under ``needs`` in the advice.
    tables
        Lists of attribute names; a table may have one.
    n
        How many owners answer.
    total
        The epsilon that an owner spends in all. Default: what the policy allows for all attributes
        of the tables, or even levels where it has no common rule. Levels are whole thousandths.

    Returns
    -------
    A row for each way to ask, the best one first.

    Examples
    --------
    >>> import discretion as ds
    >>> advice = ds.advise(ds.census_plan(), [["travel", "work"]], 10_000, total=4)
    >>> advice.rows[0].design.name
    'bundle'
    """
    wanted = _checked(plan, tables)
    check_owners(n)
    count = len({name for table in wanted for name in table})
    spent = allowance(plan, count) if total is None else thousandths(total)
    possible, refused = designs(plan, wanted, spent)
    if not possible:
        raise BudgetError("; ".join(dict.fromkeys(refused.values())), epsilon(spent))
    found = [_forecast(plan, design, table, n, spent) for table in wanted for design in possible]
    rows = sorted(found, key=lambda row: (wanted.index(row.table), row.squared_error))
    return TableAdvice(plan, tuple(rows), n, spent, refused)


def _forecast(plan: Plan, design: Design, table: Names, n: int, total: int) -> TableForecast:
    sizes = {name: plan.questions[name].attribute.size for name in table}
    crowd = table_designs.crowd(plan, design, n, total)
    covering = sum(covers(levels, table) for levels in design.levels(total))
    return TableForecast(
        names=table,
        design=design,
        total=total,
        squared_error=squared_error(sizes, crowd),
        cells=prod(sizes.values()),
        owners=round(n * (covering / len(design.groups))),
    )


def _check_question(question: Question) -> None:
    """Refuse what is not about one of a list of values, by a set of codes."""
    name = question.name
    if len(question.parts) > 1:
        raise EstimateError(f"{name!r} is a bundle: name its attributes")
    if question.numbers:
        raise EstimateError(f"{name!r} is a number: advise_means() is about its mean")
    if not question.labels:
        rule = "and there is advice on attributes that have a list of values"
        raise EstimateError(f"{name!r} is {question.kind.noun}, {rule}")
    if question.mechanism not in MECHANISMS:
        rule = f"there is advice on sets of codes, and {name!r} uses"
        raise EstimateError(f"{rule} {question.mechanism}: try subset in its place")


def _checked(plan: Plan, tables: Sequence[Sequence[str]]) -> list[Names]:
    """Return the tables, each once; names that the plan lacks are refused."""
    if isinstance(tables, str) or not tables or any(isinstance(t, str) for t in tables):
        raise EstimateError(f"tables must be lists of attributes in a list, got {tables!r}")
    wanted: dict[frozenset[str], Names] = {}
    for table in tables:
        if not table or len(set(table)) < len(table):
            raise EstimateError(f"a table must have different attributes, got {list(table)!r}")
        for name in table:
            _check_question(plan.questions[name])
        cells = prod(plan.questions[name].attribute.size for name in table)
        if cells > MOST_CELLS:
            rule = f"{JOINT.join(table)} has {cells:,} cells (at most {MOST_CELLS:,})"
            raise EstimateError(f"{rule}: ask for smaller tables")
        wanted.setdefault(frozenset(table), tuple(table))
    return list(wanted.values())
