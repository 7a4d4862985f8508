"""Boxes of two numbers: HDG of the authors' design, and ours by cells and by a tree."""

from collections.abc import Callable, Mapping
from math import exp, log2, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

import discretion as ds
from discretion.estimate.noise import simplex
from papers.ranges.trees import oue

SIDE, TURNS = 64, 60  # codes of each number; of fitting to the grids
BOXES = 500
BINS = 8  # of each number in a cell of ours
HEAP = 8  # codes that half of all people round down to
ALPHA1, ALPHA2 = 0.7, 0.03  # of HDG, from its paper

Grid = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]


def _normal(x: Grid, y: Grid) -> Grid:
    a, b = (x - 0.45) / 0.18, (y - 0.5) / 0.18
    return np.asarray(np.exp(-(a * a - 1.4 * a * b + b * b) / (2 * 0.51)))


def _skewed(x: Grid, y: Grid) -> Grid:
    a, b = np.log(x / 0.12), np.log(y / 0.15)
    return np.asarray(np.exp(-(a * a - 1.2 * a * b + b * b) / 0.64) / (x * y))


def _heaped(x: Grid, y: Grid) -> Grid:
    exact = _skewed(x, y) / _skewed(x, y).sum()
    parts = exact.reshape(SIDE // HEAP, HEAP, SIDE // HEAP, HEAP).sum(axis=(1, 3))
    heaps = np.zeros_like(exact)
    heaps[::HEAP, ::HEAP] = parts
    return np.asarray(exact + heaps)


def _blobs(x: Grid, y: Grid) -> Grid:
    one = np.exp(-((x - 0.2) ** 2 + (y - 0.7) ** 2) / 0.008)
    return np.asarray(one + np.exp(-((x - 0.7) ** 2 + (y - 0.25) ** 2) / 0.02))


PLACES: Mapping[str, Callable[[Grid, Grid], Grid]] = {
    "normal": _normal,
    "skewed": _skewed,
    "heaped": _heaped,
    "two blobs": _blobs,
}


class Crowd(NamedTuple):
    """People in a square, and boxes with the shares of them inside."""

    codes: Codes  # (people, 2)
    boxes: Codes  # (boxes, 2, 2): both ends of both numbers
    truth: Grid

    @classmethod
    def of(cls, name: str, n: int, rng: np.random.Generator) -> "Crowd":
        at = (np.arange(SIDE) + 0.5) / SIDE
        shares = PLACES[name](at[:, None], at[None, :])
        drawn = rng.choice(SIDE * SIDE, n, p=(shares / shares.sum()).ravel())
        codes = np.column_stack(np.divmod(drawn, SIDE))
        boxes = np.sort(rng.integers(0, SIDE, (BOXES, 2, 2)), axis=2)
        return cls(codes, boxes, inside(counts_of(codes) / n, boxes))


def counts_of(codes: Codes, parts: int = SIDE) -> Grid:
    """Return how many people are in each cell of a grid of so many parts of each number."""
    found = np.zeros((parts, parts))
    np.add.at(found, tuple((codes * parts // SIDE).T), 1)
    return found


def inside(shares: Grid, boxes: Codes) -> Grid:
    """Return the share inside each box."""
    below = np.pad(shares.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    (a, b), (c, d) = boxes[:, 0].T, boxes[:, 1].T
    return np.asarray(below[b + 1, d + 1] - below[a, d + 1] - below[b + 1, c] + below[a, c])


def hdg(codes: Codes, epsilon: float, rng: np.random.Generator) -> Grid:
    """Return the shares of all cells by HDG: a third of the people for each of its three grids."""
    fine, coarse = granularity(len(codes), epsilon)
    third = np.array_split(rng.permutation(codes), 3)
    lines = [
        simplex(oue(np.bincount(own[:, i] * fine // SIDE, minlength=fine), epsilon, rng))
        for i, own in enumerate(third[:2])
    ]
    drawn = oue(counts_of(third[2], coarse).ravel().astype(np.int64), epsilon, rng)
    table = simplex(drawn).reshape(coarse, coarse)
    for i in range(2):
        table, lines[i] = _agreed(table, lines[i], i)
    shares, width = np.full((SIDE, SIDE), SIDE**-2.0), SIDE // coarse
    for _ in range(TURNS):
        for i, line in enumerate(lines):
            own = shares.sum(axis=1 - i).reshape(fine, -1).sum(axis=1)
            factor = np.repeat(line / np.maximum(own, 1e-12), SIDE // fine)
            shares = shares * (factor if i else factor[:, None])
        own = shares.reshape(coarse, width, coarse, width).sum(axis=(1, 3))
        shares = shares * np.kron(table / np.maximum(own, 1e-12), np.ones((width, width)))
    return shares


def granularity(n: int, epsilon: float) -> tuple[int, int]:
    """Return how many parts the paper gives a line, and each side of the plane: powers of two."""
    e, each = exp(epsilon), n / 3
    fine = (each * (e - 1) ** 2 * ALPHA1**2 / (2 * e)) ** (1 / 3)
    coarse = sqrt(2 * ALPHA2 * (e - 1) * sqrt(each / e))
    return tuple(min(1 << max(1, round(log2(g))), SIDE) for g in (fine, coarse))  # type: ignore[return-value]


def _agreed(table: Grid, line: Grid, axis: int) -> tuple[Grid, Grid]:
    """Give a line and the plane the same shares of the plane's parts, weighted by their noise."""
    parts, ratio = len(table), len(line) // len(table)
    of_line, of_table = line.reshape(parts, ratio).sum(axis=1), table.sum(axis=1 - axis)
    mean = (of_line / ratio + of_table / parts) / (1 / ratio + 1 / parts)
    gap = (mean - of_table) / parts
    moved = table + (gap if axis else gap[:, None])
    found = simplex(moved.ravel()).reshape(table.shape)
    return found, simplex(line + np.repeat((mean - of_line) / ratio, ratio))


OURS: Mapping[str, Mapping[str, object]] = {
    "tree": {"bundles": [{"attributes": ["x", "y"], "mechanism": "hierarchy"}]},
    "cells": {
        "bundles": [{"attributes": ["x", "y"], "bins": [BINS, BINS]}],
        "share": {"sample": 1, "weights": {"x": 1, "y": 1, "x+y": 1}},
    },
}


def ours(crowd: Crowd, name: str, epsilon: float, seed: int) -> ds.RangesEstimate:
    """Return the shares of the boxes by one of our designs."""
    numbers = [
        {
            "name": own,
            "kind": "numeric",
            "range": [0, SIDE - 1],
            "step": 1,
            "mechanism": "hierarchy",
        }
        for own in "xy"
    ]
    level = epsilon if "share" in OURS[name] else epsilon / 2  # a bundle is charged for both
    plan = ds.Plan.of(
        {"name": name, "attributes": numbers, "budget": {"levels": [level]}, **OURS[name]}
    )
    people = pa.table({"x": crowd.codes[:, 0], "y": crowd.codes[:, 1]})
    found = ds.simulate(plan, people, budgets="levels", seed=seed)
    return ds.ranges(found, ["x", "y"], [tuple(map(tuple, box)) for box in crowd.boxes.tolist()])
