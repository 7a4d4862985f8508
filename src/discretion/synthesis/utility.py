"""How useful synthetic rows are, where the truth is known: tables of each order, and classifiers.

A table is off by the share of people who would have to change cells: total variation. Classifiers
learn from synthetic rows and are asked about real ones, as in section 6.3 of the paper: a random
forest with every attribute in turn as the target, a linear support vector machine for those with
two values. Numbers are compared in the bins of the model.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discretion.errors import EstimateError, RecordError
from discretion.extras import needed
from discretion.schema.categorical import OTHER
from discretion.schema.categorical import text as label_of
from discretion.synthesis.model import Column, Model
from discretion.table.columns import whole
from discretion.table.frame import to_arrow

ORDERS = (1, 2, 3)
SETS = 100  # of attributes of one order, at most
MOST_ROWS = 20_000  # for the classifiers, of real rows and of synthetic ones
TREES = 50
MISSING = -1

Codes = npt.NDArray[np.int64]  # (rows, attributes)
Table = npt.NDArray[np.float64]
Tables = Callable[[tuple[int, ...]], Table]
Make = Callable[[], Any]  # a classifier that has learnt nothing yet


@dataclass(frozen=True)
class Distance:
    """Total variation from the truth, averaged over sets of so many attributes."""

    order: int
    sets: int
    mean: float
    largest: float
    unrelated: float  # of the product of the true one-way tables: the mean to beat


@dataclass(frozen=True)
class Target:
    """The share of real rows whose value of one attribute is guessed right."""

    attribute: str
    synthetic: float  # by a classifier that learnt from synthetic rows
    real: float  # by one that learnt from other real rows
    majority: float  # by the most frequent value


@dataclass(frozen=True)
class Classified:
    """One kind of classifier: all its targets."""

    kind: str
    rows: int  # real ones that were asked about; as many or one more to learn from
    targets: tuple[Target, ...]

    @property
    def mean(self) -> Target:
        """The average over the targets."""
        rates = np.array([(t.synthetic, t.real, t.majority) for t in self.targets]).mean(axis=0)
        return Target("all", *rates.tolist())


def by_order(
    source: object,
    truth: object,
    columns: Sequence[Column] | None = None,
    *,
    orders: Sequence[int] = ORDERS,
    sets: int = SETS,
    seed: int = 0,
) -> tuple[Distance, ...]:
    """Return how far a model, or a frame of rows, is from the true records, order by order.

    Of more than ``sets`` sets so many are drawn. Rows need the ``columns`` of their model.
    """
    if columns is None:
        if not isinstance(source, Model):
            raise EstimateError("rows need the columns of their model")
        columns = source.columns
    real = _counted(codes_of(truth, columns), columns)
    own = _of_model(source) if isinstance(source, Model) else None
    own = own or _counted(codes_of(source, columns), columns)
    rng = np.random.default_rng(seed)
    drawn = [(order, _sets(len(columns), order, sets, rng)) for order in orders]
    return tuple(_distance(order, own, real, chosen) for order, chosen in drawn if chosen)


def classifiers(
    synthetic: object, truth: object, columns: Sequence[Column], seed: int = 0
) -> tuple[Classified, ...]:
    """Return how classifiers that learnt from synthetic rows do on real ones.

    Real rows that lack a value are left out. Half of the others, drawn at random, is for testing;
    from the other half a classifier learns for comparison, and synthetic rows are as many.
    """
    if len(columns) < 2:
        raise EstimateError("a classifier needs two attributes or more")
    rng = np.random.default_rng(seed)
    real, own = (_sample(codes_of(frame, columns), rng) for frame in (truth, synthetic))
    if len(real) < 4 or not len(own):
        raise EstimateError("classifiers need whole rows: at least four real and one synthetic")
    half = len(real) // 2
    learnt = (own[: len(real) - half], real[half:], real[:half])
    forest = [_target(columns, index, learnt, _forest(seed)) for index in range(len(columns))]
    binary = [index for index, column in enumerate(columns) if column.size == 2]
    linear = [_target(columns, index, learnt, _svm(columns, index)) for index in binary]
    kinds = [Classified("random forest", half, tuple(forest))]
    return (*kinds, Classified("linear SVM", half, tuple(linear))) if linear else tuple(kinds)


def codes_of(frame: object, columns: Sequence[Column]) -> Codes:
    """Return the category of each value, MISSING for a null; what no category has is refused."""
    table = to_arrow(frame)
    codes = np.empty((table.num_rows, len(columns)), np.int64)
    for index, column in enumerate(columns):
        if column.name not in table.column_names:
            raise RecordError(column.name, "the records must have this column", table.column_names)
        codes[:, index] = _codes(column, whole(table[column.name]))
    return codes


def _codes(column: Column, values: pa.Array) -> Codes:
    if any(isinstance(value, str) for value in column.values):
        return _label_codes(column, values)
    if not (pa.types.is_integer(values.type) or pa.types.is_floating(values.type)):
        raise RecordError(column.name, "must be a number", str(values.type))
    numbers = np.asarray(pc.cast(values, pa.float64()).fill_null(np.nan), np.float64)
    grid = np.array([float(value) for value in column.values])
    slack = 1e-9 * max(grid[-1] - grid[0], 1e-300)
    outside = (numbers < grid[0] - slack) | (numbers > grid[-1] + slack)
    if outside.any():
        rule = f"must lie between {column.values[0]} and {column.values[-1]}"
        raise RecordError(column.name, rule, float(numbers[outside][0]))
    index = np.searchsorted(grid, numbers + slack, side="right").clip(1, len(grid)) - 1
    bins = np.arange(len(grid)) if column.spread is None else column.spread.argmax(axis=0)
    return np.where(np.isnan(numbers), MISSING, bins[index])


def _label_codes(column: Column, values: pa.Array) -> Codes:
    """Look each distinct value up once."""
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    encoded = values.dictionary_encode()
    known = {label: code for code, label in enumerate(column.labels)}
    codes = []
    for value in encoded.dictionary.to_pylist():
        code = known.get(label_of(value), known.get(OTHER))
        if code is None:
            raise RecordError(column.name, "must be a value that the model has", value)
        codes.append(code)
    indices = encoded.indices.fill_null(len(codes)).to_numpy(zero_copy_only=False)
    return np.array([*codes, MISSING], np.int64)[indices]


def _of_model(model: Model) -> Tables:
    return lambda axes: model.marginal([model.names[axis] for axis in axes])


def _counted(codes: Codes, columns: Sequence[Column]) -> Tables:
    """Return the tables of rows; those that lack one of the attributes do not count."""

    def table(axes: tuple[int, ...]) -> Table:
        own, shape = codes[:, list(axes)], tuple(columns[axis].size for axis in axes)
        cells = np.ravel_multi_index(tuple(own[(own != MISSING).all(axis=1)].T), shape)
        counts = np.bincount(cells, minlength=prod(shape)).reshape(shape)
        if not counts.sum():
            raise EstimateError(f"no record has {', '.join(columns[axis].name for axis in axes)}")
        return counts / counts.sum()

    return table


def _sets(
    attributes: int, order: int, most: int, rng: np.random.Generator
) -> list[tuple[int, ...]]:
    if comb(attributes, order) <= most:
        return list(combinations(range(attributes), order))
    chosen: set[tuple[int, ...]] = set()
    while len(chosen) < most:
        chosen.add(tuple(sorted(rng.choice(attributes, order, replace=False).tolist())))
    return sorted(chosen)


def _distance(order: int, own: Tables, real: Tables, chosen: Sequence[tuple[int, ...]]) -> Distance:
    off, unrelated = [], []
    for axes in chosen:
        truth, product = real(axes), np.ones(())
        for axis in axes:
            product = np.multiply.outer(product, real((axis,)))
        off.append(float(abs(own(axes) - truth).sum() / 2))
        unrelated.append(float(abs(product - truth).sum() / 2))
    return Distance(order, len(chosen), float(np.mean(off)), max(off), float(np.mean(unrelated)))


def _sample(codes: Codes, rng: np.random.Generator) -> Codes:
    """Return whole rows in a random order, not more than there is time for."""
    rows = np.flatnonzero((codes != MISSING).all(axis=1))
    return codes[rng.permutation(rows)[:MOST_ROWS]]


def _target(
    columns: Sequence[Column], index: int, learnt: tuple[Codes, Codes, Codes], make: Make
) -> Target:
    synthetic, real, test = (np.delete(codes, index, axis=1) for codes in learnt)
    answers = [codes[:, index] for codes in learnt]
    majority = float((answers[2] == np.bincount(answers[1]).argmax()).mean())
    return Target(
        columns[index].name,
        _rate(make, synthetic, answers[0], test, answers[2]),
        _rate(make, real, answers[1], test, answers[2]),
        majority,
    )


def _rate(make: Make, features: Codes, answers: Codes, test: Codes, right: Codes) -> float:
    """Return how often a classifier is right; one that saw one answer only gives that."""
    if len(np.unique(answers)) == 1:
        return float((right == answers[0]).mean())
    with warnings.catch_warnings():  # of few rows and many values, as if these were numbers
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        return float((make().fit(features, answers).predict(test) == right).mean())


def _forest(seed: int) -> Make:
    with needed("the comparison by classifiers"):
        from sklearn.ensemble import RandomForestClassifier  # slow to import, and seldom needed

    return lambda: RandomForestClassifier(TREES, min_samples_leaf=5, random_state=seed)


def _svm(columns: Sequence[Column], index: int) -> Make:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.svm import LinearSVC

    sizes = [column.size for i, column in enumerate(columns) if i != index]
    categories = [np.arange(size) for size in sizes]
    return lambda: make_pipeline(
        OneHotEncoder(categories=categories), LinearSVC(dual=False, max_iter=10_000)
    )
