"""From evidence to its likelihood, with levels that reports disclose or a law of secret ones.

Equal reports of a group become one row, with how often it came.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import overload

import numpy as np

from discretion.joints.allocation import BudgetMixture
from discretion.joints.likelihood import (
    GroupLikelihood,
    JointLikelihood,
    TableLikelihood,
    precision,
)
from discretion.joints.rows import DisclosedRows, Rows, SecretRows, split
from discretion.joints.shards import ShardedEvidence, SummedLikelihood
from discretion.joints.table_evidence import Evidence, Group, Groups, TableEvidence

FEWEST = 1 << 23  # entries: of fewer a pass takes some milliseconds here, and compiling seconds


@overload
def likelihood_of(evidence: Evidence, law: BudgetMixture | None = None) -> JointLikelihood: ...


@overload
def likelihood_of(evidence: TableEvidence, law: BudgetMixture | None = None) -> TableLikelihood: ...


def likelihood_of(evidence: TableEvidence, law: BudgetMixture | None = None) -> TableLikelihood:
    """Return the likelihood of all reports: given the levels, or given the law of secret ones."""
    engine, shape = evidence.reports.engine, evidence.shape
    most = engine.rows
    if isinstance(evidence, Evidence):
        few = tuple(distinct_rows(group, secret=law is not None) for group in evidence.groups)
        whole = _likelihood(shape, law, None, few)
        if most is None or whole.entries < FEWEST:
            return whole
        pieces = [Piece(group, start) for group in few for start in range(0, len(group), most)]
        return SummedLikelihood.of(shape, engine.keep(pieces, partial(_of_piece, shape, law, most)))
    assert isinstance(evidence, ShardedEvidence)
    build = partial(_likelihood, shape, law, 0)
    if most is not None:
        build = partial(_in_pieces, shape, law, most)
    return SummedLikelihood.of(shape, evidence.keep(build))


def _likelihood(
    shape: tuple[int, ...], law: BudgetMixture | None, room: int | None, groups: Groups
) -> JointLikelihood:
    return JointLikelihood(shape, tuple(_group(group, law, room) for group in groups))


@dataclass(frozen=True)
class Piece:
    """As many rows of a group, from one on, as a device works on at once."""

    group: Group
    start: int

    def likelihood(self, law: BudgetMixture | None, most: int) -> GroupLikelihood:
        """Return it packed, as a device keeps it.

        Rows that count nothing are added, so that there are few numbers of rows: each is compiled.
        """
        group = self.group
        own = np.arange(self.start, min(self.start + most, len(group)))
        padded = np.pad(own, (0, min(_rounded(len(own)), most) - len(own)), mode="edge")
        times = np.zeros(len(padded))
        times[: len(own)] = 1 if group.times is None else group.times[own]
        parts = tuple(part.at(padded) for part in group.parts)
        found = _group(Group(parts, group.shared[padded], times), law, 0)
        kind = precision(len(group), group.reports, found.width)
        return replace(found, rows=found.rows.packed, at_once=kind)


def _rounded(count: int) -> int:
    """Return the next number that has four binary digits before its zeros."""
    step = 1 << max(count.bit_length() - 4, 6)
    return -(-count // step) * step


def _of_piece(
    shape: tuple[int, ...], law: BudgetMixture | None, most: int, piece: Piece
) -> JointLikelihood:
    return JointLikelihood(shape, (piece.likelihood(law, most),))


def _in_pieces(
    shape: tuple[int, ...], law: BudgetMixture | None, most: int, groups: Groups
) -> JointLikelihood:
    pieces = (Piece(group, start) for group in groups for start in range(0, len(group), most))
    return JointLikelihood(shape, tuple(piece.likelihood(law, most) for piece in pieces))


def _group(group: Group, law: BudgetMixture | None, room: int | None) -> GroupLikelihood:
    axes, sizes = zip(*((part.axes, part.size) for part in group.parts), strict=True)
    return GroupLikelihood(axes, sizes, rows_of(group, law), len(group), group.times, room)


def rows_of(group: Group, law: BudgetMixture | None) -> Rows:
    """Return the reports as the likelihood sees them: given the levels, or their law."""
    sides = split([part.size for part in group.parts], secret=law is not None)
    if law is None:
        return DisclosedRows(tuple(part.factor for part in group.parts), sides)
    return SecretRows(tuple(part.bits for part in group.sets), law.tables(group), sides)


WORTH = 0.5  # of the rows: if more of them differ, nothing is gained


def distinct_rows(group: Group, *, secret: bool) -> Group:
    """Return the different rows with their counts; the group itself where most of them differ.

    Rows differ by their levels, or where these are ``secret`` by how much was shared in all.
    """
    if group.times is not None:
        return group
    keys, room = np.zeros(len(group), np.uint64), 1
    answers = [part.keys(secret=secret) for part in group.parts]
    if secret:
        answers.append((group.shared.astype(np.uint64), int(group.shared.max()) + 1))
    for digits, radix in answers:
        room *= radix
        if room > 1 << 64:
            return group
        keys = keys * np.uint64(radix % (1 << 64)) + digits  # 2^64 can only be the first radix
    _, rows, times = np.unique(keys, return_index=True, return_counts=True)
    if len(rows) > WORTH * len(group):
        return group
    order = np.argsort(rows)  # as they came, which is at random
    rows, counts = rows[order], times[order].astype(np.float64)
    return Group(tuple(part.at(rows) for part in group.parts), group.shared[rows], counts)
