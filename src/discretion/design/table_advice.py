"""Which way to ask for tables: what each costs in error, and what it promises to the owners."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, prod, sqrt
from typing import Any

import pyarrow as pa
from scipy.special import ndtri

from discretion.budget.level import epsilon, thousandths
from discretion.design.table_designs import Design, Names, designs
from discretion.design.table_forecast import squared_error
from discretion.errors import BudgetError, EstimateError
from discretion.joints.joint import MOST_CELLS
from discretion.plan import Family, Plan
from discretion.plan.contract import Contract
from discretion.schema.bundle import JOINT
from discretion.table.frame import from_arrow

REACH = float(ndtri(0.975))  # standard errors in half a 95 % interval


@dataclass(frozen=True)
class Forecast:
    """What one design gives for one table, where all its cells are equally frequent."""

    table: Names
    design: str
    contract: Contract
    levels: Mapping[str, int]  # of those who report the table: by attribute, or for the bundle
    alone: int  # the level that protects an attribute of the table alone
    owners: int  # who report the whole table
    cells: int
    squared_error: float  # summed over the cells

    @property
    def rmse(self) -> float:
        """The root mean squared error of a cell."""
        return sqrt(self.squared_error / self.cells)

    @property
    def half_width(self) -> float:
        """Half the 95 % interval of a cell."""
        return REACH * self.rmse

    @property
    def at_most(self) -> bool:
        """Whether noise hides a typical cell; the mle, with no cell below zero, then errs less."""
        return self.half_width * self.cells > 1


@dataclass(frozen=True)
class Advice:
    """Forecasts for every wanted table and every design, the best design of a table first.

    They are errors at the uniform distribution, with disclosed levels: what the mle has, or where a
    half-width is above the frequency of a cell, what it has at most.
    """

    rows: tuple[Forecast, ...]
    n: int
    total: int  # thousandths of epsilon that each owner spends
    needs: Mapping[str, tuple[str, ...]]  # by design: what the plan would have to allow
    refused: Mapping[str, str]  # designs that are not possible, and why
    secret: bool

    def best(self, table: Sequence[str], contract: str | None = None) -> Forecast:
        """Return the forecast with the smallest error, of designs with this contract or any."""
        names = (table,) if isinstance(table, str) else tuple(table)
        for row in self.rows:
            if set(row.table) == set(names) and contract in (None, row.contract):
                return row
        known = ", ".join(dict.fromkeys(JOINT.join(row.table) for row in self.rows))
        rule = f" with the contract {contract}" if contract else ""
        raise EstimateError(f"there is advice on {known}, not on {JOINT.join(names)}{rule}")

    def of(self, design: str) -> tuple[Forecast, ...]:
        """Return the forecasts of one design, a row a table."""
        return tuple(row for row in self.rows if row.design == design)

    @property
    def ranking(self) -> tuple[str, ...]:
        """The designs, that with the smallest error (in geometric mean over the tables) first."""
        names = dict.fromkeys(row.design for row in self.rows)
        return tuple(sorted(names, key=self.typical))

    def typical(self, design: str) -> float:
        """Return the geometric mean over the tables of a design's squared error."""
        errors = [row.squared_error for row in self.of(design)]
        return exp(sum(map(log, errors)) / len(errors))

    @property
    def recommendation(self) -> str:
        """What to do, at which price, in a few sentences."""
        from discretion.design.table_text import recommendation

        return recommendation(self)

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """Return a row for each table and design."""
        return from_arrow(pa.Table.from_pylist([as_record(row) for row in self.rows]), backend)

    def __str__(self) -> str:
        from discretion.design.table_text import text

        return text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discretion.design.table_text import html

        return html(self)


def advise(
    plan: Plan, tables: Sequence[Sequence[str]], n: int, total: float | None = None
) -> Advice:
    """Forecast the error of tables of attributes, for each way to ask n owners.

    ``tables``: lists of attribute names; a table may have one. ``total``: the epsilon that an owner
    spends in all (default: what the policy allows for all attributes of the tables, or even levels
    where it has no common rule). Levels are whole thousandths; what the plan itself would not let
    owners do stands under ``needs``.
    """
    wanted = _checked(plan, tables)
    if n < 1 or n % 1:
        raise EstimateError(f"n must be a whole number of owners, got {n!r}")
    spent = _allowance(plan, wanted) if total is None else thousandths(total)
    possible, refused = designs(plan, wanted, spent)
    if not possible:
        raise BudgetError("; ".join(dict.fromkeys(refused.values())), epsilon(spent))
    forecasts = [_forecast(plan, design, table, n) for table in wanted for design in possible]
    return Advice(
        rows=tuple(sorted(forecasts, key=lambda r: (wanted.index(r.table), r.squared_error))),
        n=n,
        total=spent,
        needs={design.name: tuple(design.needs(plan)) for design in possible},
        refused=refused,
        secret=plan.secret,
    )


def as_record(row: Forecast) -> dict[str, Any]:
    """Return a forecast as plain values, with epsilons instead of levels."""
    return {
        "table": JOINT.join(row.table),
        "design": row.design,
        "contract": str(row.contract),
        "levels": " ".join(f"{name}={epsilon(level)}" for name, level in row.levels.items()),
        "alone": row.alone / 1000,
        "owners": row.owners,
        "cells": row.cells,
        "squared_error": row.squared_error,
        "rmse": row.rmse,
        "half_width": row.half_width,
        "at_most": row.at_most,
    }


def _forecast(plan: Plan, design: Design, table: Names, n: int) -> Forecast:
    sizes = {name: plan.questions[name].attribute.size for name in table}
    levels = design.reporting(table)
    return Forecast(
        table=table,
        design=design.name,
        contract=design.contract,
        levels={JOINT.join(names): level for names, level in levels.items()},
        alone=design.alone(table),
        owners=round(n * design.share(table)),
        cells=prod(sizes.values()),
        squared_error=squared_error(sizes, design.crowd(plan, n)),
    )


def _checked(plan: Plan, tables: Sequence[Sequence[str]]) -> list[Names]:
    """Return the tables, each once; names that the plan lacks are refused."""
    if isinstance(tables, str) or not tables or any(isinstance(t, str) for t in tables):
        raise EstimateError(f"tables must be lists of attributes in a list, got {tables!r}")
    wanted: dict[frozenset[str], Names] = {}
    for table in tables:
        if not table or len(set(table)) < len(table):
            raise EstimateError(f"a table must have different attributes, got {list(table)!r}")
        for name in table:
            if len(plan.questions[name].parts) > 1:
                raise EstimateError(f"{name!r} is a bundle: name its attributes")
            if plan.questions[name].family is Family.NUMBERS:
                raise EstimateError(f"{name!r} is a number: advise_means() is about its mean")
            if (
                plan.questions[name].family is Family.WORDS
                or plan.questions[name].family is Family.COLUMNS
            ):
                rule = f"there is advice on sets of codes, and {name!r} uses"
                raise EstimateError(
                    f"{rule} {plan.questions[name].mechanism}: try subset in its place"
                )
        cells = prod(plan.questions[name].attribute.size for name in table)
        if cells > MOST_CELLS:
            rule = f"{JOINT.join(table)} has {cells:,} cells (at most {MOST_CELLS:,})"
            raise EstimateError(f"{rule}: ask for smaller tables")
        wanted.setdefault(frozenset(table), tuple(table))
    return list(wanted.values())


def _allowance(plan: Plan, tables: Sequence[Names]) -> int:
    count = len({name for table in tables for name in table})
    allowance = plan.policy.allowance(count)
    return plan.policy.even(count) * count if allowance is None else allowance
