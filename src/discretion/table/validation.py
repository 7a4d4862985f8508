"""Checking a whole table of reports at once: the rules of ``report.read``, by column."""

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discretion.budget import Policy
from discretion.errors import Refusal, TableError
from discretion.plan import Plan
from discretion.report.message import ID_BYTES
from discretion.table.columns import Mask, matrix, present
from discretion.table.support import possible

Levels = npt.NDArray[np.int64]
Finding = tuple[Mask, Refusal, str]  # the rows that break one rule
Reasons = dict[int, tuple[Refusal, str]]  # by row; the first rule broken is the one named


def typed(plan: Plan, data: pa.Table) -> tuple[pa.Table, dict[str, Mask]]:
    """Return the table's columns with their types, and where bytes have the wrong length.

    Bytes of a wrong length are null in the result, since the column could not hold them.
    """
    wanted: dict[str, pa.DataType] = {"id": pa.binary(ID_BYTES), "round": pa.int32()}
    for name in plan.names:
        if not plan.secret:
            wanted[f"{name}.level"] = pa.int32()
        wanted[f"{name}.y"] = pa.binary(plan.width(name))
    if unknown := [c for c in data.column_names if c not in wanted]:
        raise TableError(f"a table of reports must not have the column {unknown[0]!r}")
    if missing := [c for c in wanted if c not in data.column_names]:
        raise TableError(f"a table of reports must have the column {missing[0]!r}")
    columns, misfits = {}, {}
    for name, kind in wanted.items():
        try:
            columns[name], misfits[name] = _cast(data[name], kind)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            first = str(error).splitlines()[0]
            raise TableError(f"column {name!r} must be {kind} ({first})") from None
    return pa.table(columns), misfits


def refusals(plan: Plan, data: pa.Table, misfits: Mapping[str, Mask]) -> Reasons:
    """Return which rows no device of this plan could have sent, and why."""
    found: Reasons = {}
    for rows, reason, detail in (*_heads(data), *_answers(plan, data, misfits)):
        for row in np.flatnonzero(rows):
            found.setdefault(int(row), (reason, detail))
    return found


def _heads(data: pa.Table) -> Iterator[Finding]:
    ids, rounds = data["id"], data["round"]
    yield ~present(ids), Refusal.BAD_ID, f"id must be {ID_BYTES} bytes"
    negative = np.asarray(pc.fill_null(pc.less(rounds, 0), True))
    yield negative, Refusal.BAD_ROUND, "round must be 0 or above"
    rows = pa.table([rounds, ids, pa.array(np.arange(data.num_rows))], names=["round", "id", "row"])
    first = rows.group_by(["round", "id"]).aggregate([("row", "min")])["row_min"]
    again = np.ones(data.num_rows, np.bool_)
    again[first.to_numpy()] = False
    yield again, Refusal.DUPLICATE_ID, "the id stands in an earlier row"


def _answers(plan: Plan, data: pa.Table, misfits: Mapping[str, Mask]) -> Iterator[Finding]:
    levels = np.zeros((data.num_rows, len(plan.names)), np.int64)
    shared = np.zeros(levels.shape, np.bool_)
    for j, name in enumerate(plan.names):
        y = data[f"{name}.y"]
        shared[:, j] = present(y)
        misfit = misfits[f"{name}.y"]
        yield misfit, Refusal.WRONG_LENGTH, f"{name}: y must be {plan.width(name)} bytes"
        if not plan.secret:
            level = data[f"{name}.level"]
            levels[:, j] = level.fill_null(0).to_numpy()
            lone = (present(level) != shared[:, j]) & ~misfit
            yield lone, Refusal.MISSING_FIELD, f"{name}: level and y must be there together"
            stray = shared[:, j] & ~np.isin(levels[:, j], plan.policy.menu)
            yield stray, Refusal.LEVEL_OFF_MENU, f"{name}: level must be on the plan's menu"
        wrong = _impossible(plan, name, y, levels[:, j], shared[:, j])
        yield wrong, Refusal.IMPOSSIBLE_OUTPUT, f"{name}: no value gives this y at its level"
    few = f"at least {plan.share_least} attributes must be shared"
    yield shared.sum(axis=1) < plan.share_least, Refusal.TOO_FEW_ATTRIBUTES, few
    if not plan.secret:
        rule = "the levels must keep the plan's policy"
        yield breaks_policy(plan.policy, levels, shared), Refusal.OVER_BUDGET, rule


def _impossible(plan: Plan, name: str, y: pa.ChunkedArray, levels: Levels, shared: Mask) -> Mask:
    """Return which of those who shared an attribute sent what their law cannot give."""
    menu = plan.policy.menu[:1] if plan.secret else plan.policy.menu
    rows = matrix(y.combine_chunks())
    wrong = np.zeros(len(rows), np.bool_)
    for value in np.unique(levels[shared]):
        at = shared & (levels == value)
        if plan.secret or value in menu:
            law = plan.law(name, int(value) or menu[0])
            wrong[at] = ~possible(law, rows[at])
    return wrong


def breaks_policy(policy: Policy, levels: Levels, shared: Mask) -> Mask:
    """Return which rows of levels (n, attributes) spend too much, or too little on one."""
    bad = np.zeros(len(levels), np.bool_)
    count = shared.sum(axis=1)
    for m in np.unique(count[count > 0]):
        rows = count == m
        allowance = policy.allowance(int(m))
        if allowance is not None:
            bad[rows] |= np.where(shared, levels, 0)[rows].sum(axis=1) > allowance
        bad[rows] |= (shared & (levels < policy.least(int(m))))[rows].any(axis=1)
    return bad


def _cast(column: pa.ChunkedArray, kind: pa.DataType) -> tuple[pa.ChunkedArray, Mask]:
    fits = np.zeros(len(column), np.bool_)
    if pa.types.is_fixed_size_binary(kind) and column.type != kind:
        lengths = pc.binary_length(column.cast(pa.large_binary()))
        wrong = pc.fill_null(pc.not_equal(lengths, kind.byte_width), False)
        fits = np.asarray(wrong)
        column = pc.if_else(wrong, None, column)
    return column.cast(kind), fits
