"""Unbiased tables in one pass: the tensor of debiased scores, and its form for secret levels.

A table of cells is a sum of components, one for each set S of attributes: deviations that sum to
zero along every axis in S and are constant along the others. A centred report u (bits less their
mean) has mean a (e_x - 1/l), with a = p - q, so over all reports that hold S

    component of S = sum of (products of w u) / sum of (products of w a).

Disclosed levels give a, and the weights w = precision / a that are best at the uniform law;
w = 1 / a is right also where levels depend on values. Secret ones have w = 1, and a is replaced by
(l/2 - ones) / (l - 1), whose products have the right mean whatever the law of the allocation: the
contrast estimator. Each component uses every report it can.

The shards of the reports show how uncertain a component is, and one more report that said nothing
would move it by one part in their number: that too, as few reports may happen to be equal. Where
the denominator is a matter of luck itself, the component is unknown.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import combinations
from math import prod

import numpy as np
import numpy.typing as npt

from discretion.errors import EstimateError
from discretion.family.part import Part
from discretion.joints.axes import Axis
from discretion.joints.likelihood import Table
from discretion.joints.table_evidence import (
    Groups,
    TableEvidence,
    groups_of,
    part_of,
    partial_questions,
    patterns_of,
    questions_of,
)
from discretion.kernel.products import Indices, Lots, Rows, add_products, lots_of
from discretion.table import ReportFolder, ReportTable
from discretion.table.columns import matrix, whole
from discretion.table.distinct import distinct_answers

SHARDS = 256  # parts of the reports whose differences estimate the uncertainty
BLOCK = 64 * SHARDS  # reports whose products are in memory at once
MOST_ENTRIES = 1 << 28  # of the shards' sums: two gigabytes
SURE = 3.0  # root mean squares of its shards that a denominator must sum to, to be relied on
Roots = npt.NDArray[np.float64]  # (r, ...): r deviations whose products sum up to the covariance


@dataclass(frozen=True)
class Moments:
    """The table, and deviations that carry its covariance."""

    value: Table
    root: Roots
    unknown: tuple[tuple[int, ...], ...] = ()  # sets of axes whose component is anybody's guess


Summed = tuple[Table, Table]  # of shards (SHARDS, ...): the products of w u, and of w a


Features = Callable[[Part], tuple[Table, Table]]  # of a question: w u and w a, a row per report


def tensor(evidence: TableEvidence, *, secret: bool, equal: bool = False) -> Moments:
    """Return the moment estimate from the reports, with levels or without.

    ``equal``: no level counts more than the owners who chose it.
    """
    shape = evidence.shape
    if SHARDS * prod(1 + size for size in shape) > MOST_ENTRIES:
        rule = f"a table of {len(shape)} attributes with these sizes is too large"
        raise EstimateError(f"{rule}: ask for fewer attributes")
    features = partial(_features, secret=secret, equal=equal)
    if isinstance(evidence.reports, ReportFolder):  # of which equal reports are one in memory
        of_table = partial(_sums_of_table, evidence.axes, shape, features)
        found = evidence.reports.fold(evidence.questions, of_table, ids=True)
    else:
        found = evidence.fold(partial(_sums, shape, features))
    sums, scales = found
    holding = {kept: evidence.holding(kept) for kept in _subsets(len(shape))}
    return _assembled(sums, scales, shape, holding)


@dataclass(frozen=True)
class _Answers:
    """What is said about a question: the features of different answers, and who gave which."""

    axes: tuple[int, ...]
    which: Indices  # (n,): -1 for none
    sums: Table
    scales: Table


def _sums_of_table(
    axes: tuple[Axis, ...], shape: tuple[int, ...], features: Features, reports: ReportTable
) -> Summed:
    """Sum over reports with ids; the features of answers that are equal are worked out once."""
    plan, asked = reports.plan, list[_Answers]()
    for question in (*questions_of(plan, axes), *partial_questions(plan, axes)):
        answers = distinct_answers(reports, question)
        if answers is None:
            return _sums(shape, features, groups_of(reports, axes))
        few, which = answers
        if len(few):
            part = part_of(few, axes, question, np.arange(len(few)))
            asked.append(_Answers(part.axes, which, *features(part)))
    sums, scales = _nothing(shape)
    if not asked:
        return sums, scales
    lots = lots_of(matrix(whole(reports.data["id"])).view(np.uint64))
    answered = np.column_stack([each.which >= 0 for each in asked])
    for pattern, rows in patterns_of(answered, np.arange(len(lots))):
        own = [asked[i] for i in pattern]
        given, together = [each.which for each in own], [axis for each in own for axis in each.axes]
        at = (slice(None), *_axis_slices(tuple(together), len(shape)))
        sums[at] += _by_lot([each.sums for each in own], given, rows, lots, together)
        scales[at] += _by_lot([each.scales for each in own], given, rows, lots, together)
    return sums, scales


def _by_lot(
    features: Sequence[Table], which: Sequence[Indices], rows: Rows, lots: Lots, axes: Sequence[int]
) -> Table:
    """Sum the products over these reports of each lot; the axes come in the table's order."""
    half = len(features) // 2
    (left, i), (right, j) = (
        _side(features[part], which[part], rows, len(lots))
        for part in (slice(half), slice(half, None))
    )
    total = np.zeros((SHARDS, left.shape[1], right.shape[1]))
    add_products(left, i, right, j, rows, lots, total)
    every = total.reshape([SHARDS, *(s for feature in features for s in feature.shape[1:])])
    return every.transpose(0, *(1 + np.argsort(axes)))


def _side(
    features: Sequence[Table], which: Sequence[Indices], rows: Rows, n: int
) -> tuple[Table, Indices]:
    """Return different rows of one side of the products, and for each report which it has."""
    flat = [feature.reshape(len(feature), -1) for feature in features]
    match len(flat):
        case 0:
            return np.ones((1, 1)), np.zeros(n, np.int32)
        case 1:
            return flat[0], which[0]
    index = np.zeros(n, np.int32)
    index[rows] = np.arange(len(rows))
    chosen = [feature[own[rows]] for feature, own in zip(flat, which, strict=True)]
    return _products(chosen, len(rows)), index


def _sums(shape: tuple[int, ...], features: Features, groups: Groups) -> Summed:
    sums, scales = _nothing(shape)
    for group in groups:
        found = [features(part) for part in group.parts]
        at = (slice(None), *_axis_slices(group.axes, len(shape)))
        for start in range(0, len(group), BLOCK):
            rows = slice(start, start + BLOCK)
            sums[at] += _summed([u[rows] for u, _ in found], group.axes)
            scales[at] += _summed([a[rows] for _, a in found], group.axes)
    return sums, scales


def _nothing(shape: tuple[int, ...]) -> Summed:
    sums = np.zeros((SHARDS, *(1 + size for size in shape)))
    return sums, np.zeros((SHARDS, *(2,) * len(shape)))


def _axis_slices(own: tuple[int, ...], axes: int) -> tuple[slice | int, ...]:
    """Return where the sums of reports belong: these say nothing of components with other axes."""
    return tuple(slice(None) if axis in own else 0 for axis in range(axes))


def _features(part: Part, *, secret: bool, equal: bool = False) -> tuple[Table, Table]:
    """Return w u (n, 1 + l, ...) and w a (n, 2, ...), with 1 where an axis is not asked about.

    ``equal``: w = 1 / a. What says nothing at any level keeps the weight of nothing.
    """
    centred, scale = part.scores(secret=secret)
    if equal:
        informative = scale > 0
        centred = centred / np.where(informative, scale, 1.0)[:, None]
        scale = informative.astype(np.float64)
    u = centred.reshape(-1, *part.sizes)
    sums = np.ones((len(u), *(1 + size for size in part.sizes)))
    scales = np.ones((len(u), *(2,) * len(part.sizes)))
    for kept in _subsets(len(part.sizes)):
        other = tuple(1 + i for i in range(len(part.sizes)) if i not in kept)
        contrast = u.sum(axis=other)
        for axis in range(1, 1 + len(kept)):
            contrast = contrast - contrast.mean(axis=axis, keepdims=True)
        summed = prod(size for i, size in enumerate(part.sizes) if i not in kept)  # as is the noise
        sums[_own(kept, len(part.sizes))] = contrast / summed
        scales[_corner(kept, len(part.sizes))] = scale / summed
    return sums, scales


def _summed(features: Sequence[Table], axes: tuple[int, ...]) -> Table:
    """Sum the products over the reports of each shard; the axes come in the order of the table.

    Report i belongs to shard i % SHARDS, so reports that lack to whole rows of shards are zeros.
    """
    n = len(features[0])
    deep = -(-n // SHARDS)
    flat = [np.zeros((deep * SHARDS, prod(feature.shape[1:]))) for feature in features]
    for padded, feature in zip(flat, features, strict=True):
        padded[:n] = feature.reshape(n, -1)
    half = len(flat) // 2
    left, right = (
        _products(side, deep * SHARDS).reshape(deep, SHARDS, -1)
        for side in (flat[:half], flat[half:])
    )
    whole = left.transpose(1, 2, 0) @ right.transpose(1, 0, 2)
    every = whole.reshape([SHARDS, *(s for feature in features for s in feature.shape[1:])])
    return every.transpose(0, *(1 + np.argsort(axes)))


def _products(factors: Sequence[Table], n: int) -> Table:
    start = np.ones((n, 1))
    return reduce(lambda x, y: (x[:, :, None] * y[:, None]).reshape(n, -1), factors, start)


def _assembled(
    sums: Table, scales: Table, shape: tuple[int, ...], holding: Mapping[tuple[int, ...], int]
) -> Moments:
    value = np.full(shape, 1 / np.prod(shape))
    root, more = np.zeros((len(sums), *shape)), []
    unknown = []
    for kept, n in holding.items():
        part = sums[_own(kept, len(shape))]
        scale = scales[_corner(kept, len(shape))]
        total, luck = scale.sum(), np.sqrt((scale**2).sum())
        if total <= SURE * luck:
            unknown.append(kept)
        if total <= luck / 2:
            continue
        component = part.sum(axis=0) / total
        residual = (part - np.multiply.outer(scale, component)) / total
        wide = [size if axis in kept else 1 for axis, size in enumerate(shape)]
        spread = np.ones(shape) / prod(size for axis, size in enumerate(shape) if axis not in kept)
        value += component.reshape(wide) * spread
        root += residual.reshape(len(root), *wide) * spread
        more.append(component.reshape(wide) * spread / n)
    rows = [*more, *(_unknown(shape, kept) for kept in unknown)]
    return Moments(value, np.concatenate([root, *(row[None] for row in rows)]), tuple(unknown))


def _unknown(shape: tuple[int, ...], kept: tuple[int, ...]) -> Table:
    """Return a deviation in a component that no report is about: every cell may be anything."""
    row = np.ones(shape)
    for axis in kept:
        contrast = np.ones(shape[axis])
        contrast[0] = 1 - shape[axis]
        row = row * contrast.reshape([-1 if i == axis else 1 for i in range(len(shape))])
    return row


def _own(kept: tuple[int, ...], axes: int) -> tuple[slice | int, ...]:
    """Return where, in rows of augmented tables, the component of a set of axes stands."""
    return (slice(None), *(slice(1, None) if axis in kept else 0 for axis in range(axes)))


def _corner(kept: tuple[int, ...], axes: int) -> tuple[slice | int, ...]:
    """Return where, in rows of scales, that component stands."""
    return (slice(None), *(int(axis in kept) for axis in range(axes)))


def _subsets(axes: int) -> list[tuple[int, ...]]:
    return [kept for r in range(1, axes + 1) for kept in combinations(range(axes), r)]
