"""The tables of a plan whose mechanism is ``optimal``: what a device cannot work out itself."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from discretion.budget import Policy
from discretion.errors import BudgetError
from discretion.mechanism.table import Weights, check_weights
from discretion.plan.field import Field
from discretion.plan.optimal import optimal_weights
from discretion.plan.parameters import Asked, Tables

MOST_LEVELS = 64  # each takes a while to work out, and a few thousand bytes of the plan


def with_tables(
    asked: Sequence[Asked], fields: Mapping[str, Field], policy: Policy
) -> tuple[Asked, ...]:
    """Return what is asked, with a table for each level where the mechanism needs them."""
    if not any(parameters.tabled for _, parameters in asked):
        if "tables" in fields:
            fields["tables"].fail("must be in plans with an optimal mechanism only")
        return tuple(asked)
    tables = _tables(fields, policy)
    return tuple(
        (attribute, replace(own, tables=tables) if own.tabled else own) for attribute, own in asked
    )


def _tables(fields: Mapping[str, Field], policy: Policy) -> Tables:
    """Return a table for each level, worked out where the author gives none."""
    if len(policy.menu) > MOST_LEVELS:
        fields["budget"].fail(
            f"must have at most {MOST_LEVELS} levels with an optimal mechanism (a coarser step)"
        )
    if "tables" in fields:
        given = fields["tables"].mapping([str(level) for level in policy.menu])
        return tuple((level, _table(given[str(level)], level)) for level in policy.menu)
    return tuple((level, _solved(fields["budget"], level)) for level in policy.menu)


def write_tables(tables: Tables) -> dict[str, list[list[int]]]:
    """Return the tables as they stand in the document."""
    return {str(level): [list(row) for row in weights] for level, weights in tables}


def _table(field: Field, level: int) -> Weights:
    rows = tuple(tuple(item.whole(0, 1 << 53) for item in row.items()) for row in field.items())
    if wrong := check_weights(level, rows):
        field.fail(f"must be a table of this level: {wrong}")
    return rows


def _solved(field: Field, level: int) -> Weights:
    try:
        return optimal_weights(level)
    except BudgetError as error:
        field.fail(f"{error.rule}, not {error.value}")
