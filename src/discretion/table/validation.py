"""Checking a whole table of reports at once: the rules of ``report.read``, by column."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discretion.budget.level import RANGE, level_of
from discretion.errors import Refusal, TableError
from discretion.mechanism import Form
from discretion.plan import Plan
from discretion.report import ID_BYTES
from discretion.table.columns import (
    Bytes,
    Codes,
    LevelsByName,
    Mask,
    by_attribute,
    codes,
    matrix,
    present,
    times_shared,
)

NUMBERS = (pa.types.is_integer, pa.types.is_floating, pa.types.is_null)
LARGEST = (1 << 31) - 1  # of the integers in a table
Finding = tuple[Mask, Refusal, str]  # the rows that break one rule
Reasons = dict[int, tuple[Refusal, str]]  # by row; the first rule broken is the one named


def types_of(plan: Plan) -> dict[str, pa.DataType]:
    """Return the types of all columns, in the order of the table."""
    wanted: dict[str, pa.DataType] = {"id": pa.binary(ID_BYTES), "round": pa.int32()}
    for name in plan.names:
        if not plan.secret:
            wanted[f"{name}.level"] = pa.int32()
        if plan.questions[name].ranges:
            wanted[f"{name}.range"] = pa.int32()
        wanted[f"{name}.y"] = pa.binary(plan.questions[name].n_bytes)
    return wanted


def typed(plan: Plan, data: pa.Table) -> tuple[pa.Table, dict[str, Mask]]:
    """Return the table's columns with their types, and the entries that do not fit into them.

    Bytes of a wrong length and numbers that are not whole are null in the result.
    """
    wanted = types_of(plan)
    names = data.column_names
    if surplus := [c for c in names if c not in wanted or names.count(c) > 1]:
        raise TableError(f"a table of reports must not have the column {surplus[0]!r} (so often)")
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
    """Return which rows no device of this plan could have sent, and why.

    The rules come in the order of ``report.read``; a refused row does not use up its id.
    """
    found: Reasons = {}
    negative = np.asarray(pc.fill_null(pc.less(data["round"], 0), True))
    heads: list[Finding] = [
        (negative, Refusal.BAD_ROUND, "round must be 0 or above"),
        (~present(data["id"]), Refusal.BAD_ID, f"id must be {ID_BYTES} bytes"),
    ]
    for rows, reason, detail in (*heads, *_answers(plan, data, misfits)):
        for row in np.flatnonzero(rows):
            found.setdefault(int(row), (reason, detail))
    for again in _repeated(data, refused=list(found)):
        found[again] = (Refusal.DUPLICATE_ID, "the id stands in an earlier row")
    return dict(sorted(found.items()))


def _repeated(data: pa.Table, refused: list[int]) -> list[int]:
    """Return the rows whose id stands in an earlier row of the same round."""
    good = np.delete(np.arange(data.num_rows), refused)
    rows = data.select(["round", "id"]).take(good).combine_chunks()
    rounds = rows["round"].to_numpy()
    halves = np.ascontiguousarray(matrix(rows["id"].combine_chunks())).view(np.uint64)
    order = np.lexsort((halves[:, 1], halves[:, 0], rounds))  # stable: the earlier row comes first
    same = rounds[order[1:]] == rounds[order[:-1]]
    for half in halves.T:
        same &= half[order[1:]] == half[order[:-1]]
    return good[order[1:][same]].tolist()


def _answers(plan: Plan, data: pa.Table, misfits: Mapping[str, Mask]) -> Iterator[Finding]:
    names = plan.names
    sent = np.column_stack([present(data[f"{name}.y"]) for name in names])
    shared = sent | np.column_stack([misfits[f"{name}.y"] for name in names])
    named, whole = _named(plan, data, misfits)
    times = times_shared(plan, named)
    for j, name in enumerate(plan.attributes):
        rule = f"{name} must be reported alone or in one bundle"
        yield times[:, j] > 1, Refusal.REPEATED_ATTRIBUTE, rule
    few = f"at least {plan.share_least} attributes must be shared"
    yield times.sum(axis=1) < plan.share_least, Refusal.TOO_FEW_ATTRIBUTES, few
    if plan.sample is not None:
        many = f"at most {plan.sample} are reported under this plan"
        yield named.sum(axis=1) > plan.sample, Refusal.TOO_MANY_ANSWERS, many
    for j, name in enumerate(names):
        rule = f"{name}: what is said about it must be there together"
        yield named[:, j] & ~whole[:, j], Refusal.MISSING_FIELD, rule
    levels = np.zeros(shared.shape, np.int64)
    if not plan.secret:
        levels = np.column_stack([data[f"{name}.level"].fill_null(0).to_numpy() for name in names])
        for j, name in enumerate(names):
            stray = shared[:, j] & ~np.isin(levels[:, j], plan.questions[name].menu)
            yield stray, Refusal.LEVEL_OFF_MENU, f"{name}: level must be on the plan's menu"
        rule = "the levels must keep the plan's policy"
        yield breaks_policy(plan, levels, shared), Refusal.OVER_BUDGET, rule
    range_indices = np.column_stack([_range_indices(plan, name, data, misfits) for name in names])
    for j, name in enumerate(names):
        stray = range_indices[:, j] < 0
        yield stray, Refusal.RANGE_OFF_MENU, f"{name}: range must be on the plan's menu"
    for j, name in enumerate(names):
        rule = f"{name}: y must be {plan.questions[name].n_bytes} bytes"
        yield misfits[f"{name}.y"], Refusal.WRONG_LENGTH, rule
        strata = levels[:, j] + RANGE * np.maximum(range_indices[:, j], 0)
        wrong = _impossible(plan, name, data[f"{name}.y"], strata, sent[:, j])
        yield wrong, Refusal.IMPOSSIBLE_OUTPUT, f"{name}: no value gives this y at its level"


def _named(plan: Plan, data: pa.Table, misfits: Mapping[str, Mask]) -> tuple[Mask, Mask]:
    """Return where anything is said about a name (n, names), and where all that belongs to it."""
    some, every = [], []
    for name in plan.names:
        columns = [c for c in misfits if c in (f"{name}.level", f"{name}.range", f"{name}.y")]
        there = [present(data[column]) | misfits[column] for column in columns]
        some.append(np.any(there, axis=0))
        every.append(np.all(there, axis=0))
    return np.column_stack(some), np.column_stack(every)


def _range_indices(
    plan: Plan, name: str, data: pa.Table, misfits: Mapping[str, Mask]
) -> npt.NDArray[np.int64]:
    """Return the index of each row's range, -1 where it is not on the menu; 0 where none is."""
    menu, column = len(plan.questions[name].ranges), f"{name}.range"
    if not menu:
        return np.zeros(data.num_rows, np.int64)
    range_indices = data[column].fill_null(0).to_numpy().astype(np.int64)
    range_indices[misfits[column] | (range_indices < 0) | (range_indices >= menu)] = -1
    return range_indices


def _impossible(plan: Plan, name: str, y: pa.ChunkedArray, strata: Codes, shared: Mask) -> Mask:
    """Return which of those who shared an attribute sent what their law cannot give."""
    question = plan.questions[name]
    menu = question.menu
    rows = matrix(y.combine_chunks())
    wrong = np.zeros(len(rows), np.bool_)
    known = [g for g in np.unique(strata[shared]).tolist() if plan.secret or level_of(g) in menu]
    if known:
        forms = [question.law(stratum or menu[0]).form for stratum in known]
        at = np.flatnonzero(shared & np.isin(strata, known))
        wrong[at] = ~admitted(forms, np.searchsorted(known, strata[at]), rows[at])
    return wrong


def admitted(forms: Sequence[Form], which: Codes, y: Bytes) -> Mask:
    """Return for each row whether its form ``forms[which[i]]`` admits it: those of one question.

    Where a form has inner ones, the last byte says which of them.
    """
    if forms[0].inner:
        within: Mask = y[:, -1] < len(forms[0].inner)
        for branch in range(len(forms[0].inner)):
            own = np.flatnonzero(y[:, -1] == branch)
            inner = [form.inner[branch] for form in forms]
            within[own] = admitted(inner, which[own], y[own, :-1])
        return within
    bits = np.array([form.n_bits for form in forms])[which]
    found = np.zeros(len(y), np.bool_)
    for own in np.unique(bits).tolist():
        rows = slice(None) if (bits == own).all() else np.flatnonzero(bits == own)
        found[rows] = _admitted(forms, which[rows], y[rows], own)
    return found


def _admitted(forms: Sequence[Form], which: Codes, y: Bytes, n_bits: int) -> Mask:
    """Return which rows their forms admit, all of which have so many low bits."""
    byte, shift = divmod(n_bits, 8)
    above = codes(y[:, byte : byte + 8]).view(np.uint64) >> np.uint64(shift)
    inside: Mask = above < np.array([form.n_outputs for form in forms], np.uint64)[which]
    inside &= ~y[:, byte + 8 :].any(axis=1)
    if forms[int(which[0])].ones is None:
        return inside
    low = y[:, : byte + 1].copy()
    low[:, byte:] &= np.uint8((1 << shift) - 1)
    ones = np.bitwise_count(low).sum(axis=1, dtype=np.int64)
    return inside & (ones == np.array([form.ones for form in forms])[which])


def breaks_policy(plan: Plan, levels: LevelsByName, shared: Mask) -> Mask:
    """Return which rows of levels (n, names) spend too much, or too little on one attribute."""
    policy = plan.policy
    if not plan.share.weights:
        levels = by_attribute(plan, np.where(shared, levels, 0))
        shared = times_shared(plan, shared) > 0
    bad = np.zeros(len(levels), np.bool_)
    count = shared.sum(axis=1)
    for m in np.unique(count[count > 0]):
        rows = count == m
        allowance = policy.allowance(int(m))
        if allowance is not None:
            bad[rows] |= levels[rows].sum(axis=1) > allowance
        bad[rows] |= (shared & (levels < policy.least(int(m))))[rows].any(axis=1)
    return bad


def _cast(column: pa.ChunkedArray, kind: pa.DataType) -> tuple[pa.ChunkedArray, Mask]:
    """Return a column with its type, and which entries do not fit and are null in it."""
    if column.type == kind:
        return column, np.zeros(len(column), np.bool_)
    if pa.types.is_fixed_size_binary(kind):
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            raise pa.ArrowInvalid("text is not bytes")
        lengths = pc.binary_length(column.cast(pa.large_binary()))
        misfit = pc.fill_null(pc.not_equal(lengths, kind.byte_width), False)
    else:
        if not any(is_kind(column.type) for is_kind in NUMBERS):
            raise pa.ArrowInvalid(f"{column.type} is no number")
        numbers = column.cast(pa.float64())
        whole = pc.equal(numbers, pc.round(numbers))
        misfit = pc.invert(pc.and_(whole, pc.less_equal(pc.abs(numbers), LARGEST)))
        misfit = pc.fill_null(misfit, False)
    return pc.if_else(misfit, None, column).cast(kind), np.asarray(misfit)
