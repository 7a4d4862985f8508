"""Known margins of the population: shares or totals by label, exact or with errors of their own.

A margin is a mapping from labels to shares or totals. With errors it is a mapping with ``shares``,
and with ``stderr`` (by label) or ``covariance`` (rows and columns in the order of the shares). The
key of a margin of several attributes joins their names by +, and its mappings are nested.

Standard errors s of shares that sum to one are taken as those of independent totals of which the
sum is known: the covariance is diag(c) - c c' / C, C being the sum of c, and c (1 - c / C) = s^2.
For shares of a simple random sample that is the multinomial covariance.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import scipy

from discretion.errors import EstimateError, meant
from discretion.estimate.noise import Matrix, Vector
from discretion.plan import Plan
from discretion.render.formats import listed, number

ROUNDING = 1e-3  # of shares that are written with a few digits
EXACT = 1e-12
WIDEST = 1e9  # times the largest variance: where a sum of variances is looked for
TOTALS = 2.0  # a sum from which on values are totals, or per cent
SHARES, STDERR, COVARIANCE = "shares", "stderr", "covariance"
Cell = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Margin:
    """What is known of some attributes: a share for each of their cells, and its deviations."""

    attributes: tuple[str, ...]
    cells: tuple[Cell, ...]  # in the order of the plan, the last attribute first to change
    shares: Vector  # (cells,)
    root: Matrix  # (r, cells): products of these deviations sum to the covariance; none if exact
    total: float  # 1, or the size of the population

    @property
    def name(self) -> str:
        return " x ".join(self.attributes)

    def label(self, cell: int) -> str:
        """Name a cell."""
        pairs = zip(self.attributes, self.cells[cell], strict=True)
        return " and ".join(f"{name} = {label}" for name, label in pairs)

    def indicator(self, names: Sequence[str], shape: Sequence[int]) -> Matrix:
        """Return which cells of a table of these attributes are in which cell of the margin."""
        own = [names.index(name) for name in self.attributes]
        at = np.indices(shape).reshape(len(shape), -1)[own]
        which = np.ravel_multi_index(tuple(at), [shape[axis] for axis in own])
        found: Matrix = (which == np.arange(len(self.cells))[:, None]).astype(np.float64)
        return found


def read_margins(plan: Plan, given: object) -> tuple[Margin, ...]:
    """Return the margins as they are stated, checked against the plan and each other."""
    if not isinstance(given, Mapping) or not given:
        raise EstimateError(
            'margins must be a mapping such as {"age": {"young": 0.4, "old": 0.6}}, '
            f"got {given!r}"
        )
    margins = tuple(_margin(plan, key, stated) for key, stated in given.items())
    sets = [frozenset(margin.attributes) for margin in margins]
    for margin in margins:
        own = frozenset(margin.attributes)
        if sum(own <= other for other in sets) > 1:
            raise EstimateError(f"the margin of {margin.name} is stated twice: leave one out")
    first = margins[0]
    for margin in margins:
        if abs(margin.total / first.total - 1) > ROUNDING:
            ends = f"{number(first.total)} and {number(margin.total)}"
            rule = "all margins must have one sum"
            raise EstimateError(f"{rule}: those of {first.name} and {margin.name} have {ends}")
    return margins


def _margin(plan: Plan, key: object, stated: object) -> Margin:
    names = _names(plan, key)
    labels = [plan.questions[name].attribute.labels for name in names]
    values, errors = stated, dict[object, object]()
    if isinstance(stated, Mapping) and SHARES in stated and SHARES not in labels[0]:
        values, errors = stated[SHARES], {k: v for k, v in stated.items() if k != SHARES}
        if not {*errors} <= {STDERR, COVARIANCE} or len(errors) > 1:
            rule = f"beside {SHARES} a margin has {STDERR} or {COVARIANCE}"
            raise EstimateError(f"{rule}, got {listed([*map(str, errors)])}")
    shares = _values(names, labels, values, "margin")
    total = float(shares.sum())
    if not (abs(total - 1) <= ROUNDING or total >= TOTALS):
        rule = "shares must sum to 1, and totals to the size of the population"
        raise EstimateError(f"{rule}: those of {listed(names)} sum to {total:.4g}")
    shares, root = shares / total, np.empty((0, len(shares)))
    if STDERR in errors:
        root = _independent(_values(names, labels, errors[STDERR], STDERR) / total, names)
    elif COVARIANCE in errors:
        root = _stated(errors[COVARIANCE], shares, total, names)
    if (np.abs(root[:, shares == 0]) > EXACT).any():
        raise EstimateError(f"a share of {listed(names)} that is 0 must be known exactly")
    return Margin(names, tuple(product(*labels)), shares, root, total)


def _names(plan: Plan, key: object) -> tuple[str, ...]:
    """Return the attributes of a margin; numbers have too many values to be known by value."""
    if isinstance(key, tuple):
        names = tuple(map(str, key))
    else:
        names = (str(key),) if key in plan.attributes else tuple(str(key).split("+"))
    if len(set(names)) < len(names):
        raise EstimateError(f"a margin must be of different attributes, got {key!r}")
    for name in names:
        question = plan.questions[plan.questions[name].attribute.name]
        if not question.labels:
            rule = f"a margin must be of labels, and {name!r} is {question.kind.noun}"
            raise EstimateError(f"{rule}: the plan would need bins")
    return names


def _values(
    names: Sequence[str], labels: Sequence[Sequence[str]], stated: object, what: str
) -> Vector:
    """Return the numbers of nested mappings, one for each cell, in the order of the plan."""
    found = list(_nested(names, labels, stated, what))
    values = np.array(found, np.float64)
    if not (np.isfinite(values) & (values >= 0)).all():
        bad = found[int(np.argmin(np.isfinite(values) & (values >= 0)))]
        raise EstimateError(f"the {what} of {listed(names)} must be numbers from 0 up, got {bad!r}")
    return values


def _nested(
    names: Sequence[str], labels: Sequence[Sequence[str]], stated: object, what: str
) -> Iterator[float]:
    if not names:
        if isinstance(stated, bool) or not isinstance(stated, int | float):
            raise EstimateError(f"a {what} must be a number, got {stated!r}")
        yield float(stated)
        return
    name, own = names[0], labels[0]
    if not isinstance(stated, Mapping):
        rule = f"the {what} of {name!r} must be a mapping from its labels to numbers"
        raise EstimateError(f"{rule}, got {stated!r}")
    texts = {_text(name, key): value for key, value in stated.items()}
    if unknown := [text for text in texts if text not in own]:
        known = listed(own, 8)
        raise EstimateError(
            f"{name!r} has no label {unknown[0]!r}{meant(unknown[0], own)}; it has {known}"
        )
    if absent := [label for label in own if label not in texts]:
        rule = f"the {what} of {name!r} must have all its labels"
        raise EstimateError(f"{rule}: {listed(absent, 8)} is missing (0 where there is nobody)")
    for label in own:
        yield from _nested(names[1:], labels[1:], texts[label], what)


def _text(name: str, key: object) -> str:
    if isinstance(key, bool):
        rule = f"labels of {name!r} must stand in quotes"
        raise EstimateError(f"{rule}: YAML reads yes and no without them as {key}")
    return str(key)


def _independent(stderr: Vector, names: Sequence[str]) -> Matrix:
    """Return deviations of shares with these standard errors, which sum to nothing."""
    square, largest = stderr**2, int(np.argmax(stderr))
    if not square.any():
        return np.empty((0, len(stderr)))
    sign = np.where(np.arange(len(stderr)) == largest, -1.0, 1.0)

    def parts(total: float, signs: Vector) -> Vector:
        c: Vector = total * (1 - signs * np.sqrt(np.maximum(1 - 4 * square / total, 0.0))) / 2
        return c

    def excess(total: float, signs: Vector) -> float:
        return float(parts(total, signs).sum() / total - 1)

    least, most = 4 * square[largest], WIDEST * square[largest]
    if len(stderr) == 2 and abs(square[0] - square[1]) <= ROUNDING * least:
        return np.array([[1.0, -1.0]]) * stderr[largest]
    signs = sign if excess(least, np.ones(len(sign))) < 0 else np.ones(len(sign))
    if excess(least, signs) * excess(most, signs) > 0:
        rule = f"these standard errors cannot be those of shares of {listed(names)} that sum to 1"
        raise EstimateError(f"{rule}: one is larger than all others allow; give a covariance")
    total = float(scipy.optimize.brentq(excess, least, most, args=(signs,), xtol=EXACT * least))
    c = parts(total, signs)
    return _rooted(np.diag(c) - np.outer(c, c) / c.sum())


def _stated(given: object, shares: Vector, total: float, names: Sequence[str]) -> Matrix:
    """Return deviations of shares from the covariance of shares, or of totals."""
    try:
        matrix = np.asarray(given, np.float64) / total**2
    except (TypeError, ValueError):
        matrix = np.empty(0)
    rule, size = f"the covariance of {listed(names)} must be", len(shares)
    if matrix.shape != (size, size) or not np.isfinite(matrix).all():
        raise EstimateError(f"{rule} {size} rows of {size} numbers")
    scale = float(np.abs(matrix).max())
    if np.abs(matrix - matrix.T).max() > ROUNDING * scale or (
        np.linalg.eigvalsh(matrix)[0] < -ROUNDING * scale
    ):
        raise EstimateError(f"{rule} symmetric, and no variance may be negative")
    slope = np.eye(size) - shares[:, None]  # of shares of a sum that moves too
    return _rooted(slope @ matrix @ slope.T)


def _rooted(matrix: Matrix) -> Matrix:
    """Return deviations whose products sum to a matrix."""
    values, vectors = np.linalg.eigh(matrix)
    root: Matrix = (vectors * np.sqrt(np.maximum(values, 0.0))).T
    return root[values > EXACT * float(values[-1])]
