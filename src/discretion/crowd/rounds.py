"""The same crowd over rounds: what is repeated, drawn anew, or left to another round."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discretion.crowd.records import code_columns
from discretion.crowd.simulate import simulate
from discretion.crowd.stages import lasts, send_rounds
from discretion.errors import RecordError
from discretion.plan import Plan
from discretion.table import ReportTable
from discretion.table.columns import Bytes, Mask, fixed_column, integers, matrix, whole
from discretion.table.frame import to_arrow
from discretion.table.reports import answer_columns


def simulate_rounds(
    plan: Plan,
    frames: Sequence[object],
    *,
    budgets: object = "even",
    every: int | Sequence[int] | None = None,
    seed: int | None = None,
) -> ReportTable:
    """Return the reports of owners with a record per round, as their devices would send them.

    Parameters
    ----------
    plan
        What is asked, and how devices answer again.
    frames
        The records of rounds 0, 1, 2, ...: a row per owner, in the same order. An owner never
        reports what is null in the first round; in each round she has something to report.
    budgets
        As for ``simulate``; an owner keeps hers over all rounds.
    every
        How often owners of a plan that rotates answer: one number, or one for each; by default
        drawn from the menu. Their phases are drawn.
    seed
        Repeats the draws.

    Returns
    -------
    One table with all rounds, marked as simulated.
    """
    *draws, rhythm, rounding, stages = np.random.SeedSequence(seed).spawn(len(frames) + 3)
    records = _settled(plan, [to_arrow(frame) for frame in frames], rounding)
    first = simulate(plan, records[0], budgets=budgets, seed=draws[0], strict=True)
    if len(first) != records[0].num_rows or plan.secret:
        raise RecordError("records", "must be of owners who all answer, with disclosed levels", "")
    levels = _levels(plan, first)
    tables = [first]
    for frame, draw in zip(records[1:], draws[1:], strict=True):
        _check_owners(frame.num_rows, first)
        tables.append(simulate(plan, frame, budgets=levels, seed=draw, strict=True))
        _check_owners(len(tables[-1]), first)
    if any(map(lasts, plan.questions.values())):
        tables = _in_stages(plan, records, tables, np.random.default_rng(stages))
    if plan.again.repeats:
        tables = _repeated(plan, records, tables)
        tables = [tables[0], *(_in_groups(plan, table, first) for table in tables[1:])]
    rng = np.random.default_rng(rhythm)
    answering = _answering(plan, len(first), len(tables), every, rng)
    numbered = [_numbered(t, i).filter(pa.array(answering[i])) for i, t in enumerate(tables)]
    return replace(first, data=pa.concat_tables(numbered), changed={})


def _check_owners(owners: int, first: ReportTable) -> None:
    if owners != len(first):
        raise RecordError("records", "must be of the same owners in all rounds", owners)


def _settled(
    plan: Plan, records: Sequence[pa.Table], draw: np.random.SeedSequence
) -> list[pa.Table]:
    """Put the points to which owners round, once for all rounds, in the place of their numbers."""
    found, rng = list(records), np.random.default_rng(draw)
    for name, own in plan.attributes.items():
        number = plan.questions[name].kept
        if number is None:
            continue
        low, stride = float(number.low * number.unit), float(number.stride * number.unit)
        points = np.array([float(point) for point in number.points()])
        thresholds = rng.random(records[0].num_rows)
        for i, table in enumerate(found):
            code, rest = np.divmod((table[own.name].to_numpy() - low) / stride, 1.0)
            codes = code.astype(np.int64) + (thresholds[: len(code)] < rest)
            at = table.column_names.index(name)
            found[i] = table.set_column(at, name, pa.array(points[codes.clip(0, len(points) - 1)]))
    return found


def _levels(plan: Plan, table: ReportTable) -> pa.Table:
    """Return the epsilons of all owners, to be used again; null where they share nothing."""
    columns = {
        name: pc.divide(table.data[f"{name}.level"].cast(pa.float64()), 1000.0)
        for name in plan.names
    }
    return pa.table(columns)


def _repeated(
    plan: Plan, records: Sequence[pa.Table], tables: Sequence[ReportTable]
) -> list[ReportTable]:
    """Let owners repeat the response to an answer that they gave before."""
    found = [tables[0]]
    for t in range(1, len(tables)):
        table = tables[t]
        for name in plan.names:
            question = plan.questions[name]
            if lasts(question):
                continue
            own = _reports(table, name).copy()
            left = np.ones(len(own), np.bool_)
            for before in range(t - 1, -1, -1):
                same = left & _same(records[t], records[before], question.parts)
                own[same] = _reports(found[before], name)[same]
                left &= ~same
            table = _with_reports(table, name, own)
        found.append(table)
    return found


def _in_stages(
    plan: Plan,
    records: Sequence[pa.Table],
    tables: Sequence[ReportTable],
    rng: np.random.Generator,
) -> list[ReportTable]:
    """Let owners keep responses, and what they draw once; what a round sends is drawn anew."""
    found, codes = list(tables), np.array([code_columns(plan, each, rng) for each in records])
    for column, name in enumerate(plan.attributes):  # of bundles no question has stages
        question = plan.questions[name]
        if not lasts(question):
            continue
        levels = whole(tables[0].data[f"{name}.level"])
        rows = np.flatnonzero(levels.is_valid())
        own = codes[:, rows, column].clip(0)  # who lacks it in some round sends none of it there
        first = _reports(tables[0], name)
        y, strata = np.zeros_like(first), integers(levels)[rows]
        sent = send_rounds(question, strata, own, first[rows], rng, repeats=plan.again.repeats)
        for t, each in enumerate(sent):
            y[rows, : each.shape[1]] = each
            found[t] = _with_reports(found[t], name, y.copy())
    return found


def _reports(table: ReportTable, name: str) -> Bytes:
    return matrix(whole(table.data[answer_columns(table.plan, name)[0]]))


def _with_reports(table: ReportTable, name: str, y: Bytes) -> ReportTable:
    """Return a table with other reports about an attribute, from the same owners."""
    column = answer_columns(table.plan, name)[0]
    there = np.asarray(table.data[column].is_valid())
    at = table.data.column_names.index(column)
    return replace(table, data=table.data.set_column(at, column, fixed_column(y, there)))


def _in_groups(plan: Plan, table: ReportTable, first: ReportTable) -> ReportTable:
    """Let the ids of owners tell the group that those of the first round tell."""
    if plan.groups is None:
        return table
    ids, known = (matrix(each.data["id"].combine_chunks()).copy() for each in (table, first))
    ids[:, 0] = ids[:, 0] - ids[:, 0] % plan.groups.count + known[:, 0] % plan.groups.count
    at = table.data.column_names.index("id")
    return replace(table, data=table.data.set_column(at, "id", fixed_column(ids)))


def _same(one: pa.Table, other: pa.Table, parts: Sequence[str]) -> Mask:
    """Return who gives the same answer in both rounds."""
    alike = np.ones(one.num_rows, np.bool_)
    for part in parts:
        neither = pc.and_(one[part].is_null(), other[part].is_null())
        alike &= np.asarray(pc.or_(pc.equal(one[part], other[part]).fill_null(False), neither))
    return alike


def _answering(
    plan: Plan,
    owners: int,
    rounds: int,
    every: int | Sequence[int] | None,
    rng: np.random.Generator,
) -> npt.NDArray[np.bool_]:
    """Return who answers in which round (rounds, owners)."""
    if not plan.again.menu:
        return np.ones((rounds, owners), np.bool_)
    pick = rng.choice(plan.again.menu, owners) if every is None else np.broadcast_to(every, owners)
    phase = (rng.random(owners) * pick).astype(np.int64)
    return np.asarray(np.arange(rounds)[:, None] % pick == phase)


def _numbered(table: ReportTable, round: int) -> pa.Table:
    rounds = pa.array(np.full(len(table), round, np.int32))
    return table.data.set_column(table.data.column_names.index("round"), "round", rounds)
