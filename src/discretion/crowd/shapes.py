"""The shapes of ``discretion.mechanism``, drawn for many owners with a law of their own each.

The coins are 64-bit integers compared with the integers of the law, so a simulated report has the
probabilities a device gives it. The generator is seedable, hence for simulation only.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import comb
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from discretion.crowd.entries import Ragged
from discretion.kernel.draw import (
    draw_bloom,
    draw_choice,
    draw_cover,
    draw_histogram,
    draw_subset,
    draw_unary,
    fresh_state,
)
from discretion.kernel.hash import draw_parities, draw_polynomials
from discretion.kernel.numbers import (
    draw_geometric,
    draw_halfspace,
    draw_hybrid,
    draw_table,
    draw_twopoint,
    draw_window,
)
from discretion.kernel.prefixes import draw_wide_parities
from discretion.kernel.sketch import draw_buckets, find_cells, write_above
from discretion.mechanism import (
    BitFlip,
    Bloom,
    Buckets,
    Choice,
    Cover,
    Geometric,
    HalfSpace,
    Hashed,
    HashedCover,
    Hashing,
    Hierarchy,
    Histogram,
    Hybrid,
    Law,
    Matrix,
    Parities,
    Polynomials,
    Prefixes,
    Signs,
    StagedChoice,
    StagedHashed,
    StagedUnary,
    Subset,
    Table,
    TwoPoint,
    Unary,
    Window,
)
from discretion.mechanism.hashing import Lasting
from discretion.mechanism.layered import Layered
from discretion.randomness import ONE
from discretion.table.coded import bit_positions
from discretion.table.columns import Bytes
from discretion.table.columns import codes as integers
from discretion.table.hashed import rows_of
from discretion.table.sketch import buckets_of, codeword_buckets, lines_of

Codes = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Batch:
    """Owners whose reports are drawn together: row i has the law ``which[i]``."""

    which: Codes
    codes: Codes
    cohorts: Codes | None  # None: any, at random
    y: Bytes  # what is drawn, (n, bytes)
    rng: np.random.Generator
    state: Words
    entries: Ragged | None = None  # of sets, whose codes are the owners that these begin with

    @property
    def rows(self) -> tuple[Codes, Codes]:
        return self.which, self.codes

    @property
    def out(self) -> tuple[Bytes, Words]:
        return self.y, self.state

    def cohorts_of(self, law: Law) -> Codes:
        """Return the cohort of each owner."""
        if self.cohorts is not None:
            return self.cohorts
        return self.rng.integers(0, law.cohorts, len(self.codes))


def draw(
    laws: Sequence[Law],
    which: Codes,
    codes: Codes,
    rng: np.random.Generator,
    cohorts: Codes | None = None,
    entries: Ragged | None = None,
) -> Bytes:
    """Return a report (n, bytes) about each code, drawn from its own law ``laws[which[i]]``.

    All laws have one shape; they differ in their parameters. Owners of laws with cohorts are in
    ``cohorts``, or in any of them at random. Of sets the codes are places among ``entries``.
    """
    y = np.empty((len(codes), max(law.n_bytes for law in laws)), np.uint8)
    which, codes = np.ascontiguousarray(which), np.ascontiguousarray(codes)
    batch = Batch(which, codes, cohorts, y, rng, fresh_state(rng), entries)
    SAMPLERS[type(laws[0])](laws, batch)
    return y


def _choice(laws: Sequence[Choice], batch: Batch) -> None:
    draw_choice(_each(laws, "keep"), *batch.rows, laws[0].size, *batch.out)


def _unary(laws: Sequence[Unary], batch: Batch) -> None:
    true, false = _each(laws, "true"), _each(laws, "false")
    draw_unary(true, false, *batch.rows, laws[0].size, *batch.out)


def _staged_choice(laws: Sequence[StagedChoice], batch: Batch) -> None:
    """Draw what is kept, and of that what is sent."""
    _choice(laws, batch)
    send_choice(laws, batch)


def _staged_hashed(laws: Sequence[StagedHashed], batch: Batch) -> None:
    """Draw a bucket of each one's function, and of that what is sent."""
    _lasting(laws, [law.hashing for law in laws], batch)
    send_bucket(laws, batch)


def _staged_unary(laws: Sequence[StagedUnary], batch: Batch) -> None:
    """Draw bits in two stages, in one cohort, where a code has a bit of its own."""
    coins = np.array([(w.true, w.false, w.again, ONE - w.again) for w in laws], np.uint64)
    none, own = np.zeros(len(batch.codes), np.int64), batch.codes[:, None]
    draw_bloom(coins, batch.which, none, own, laws[0].size, *batch.out)


def send_choice(laws: Sequence[StagedChoice], batch: Batch) -> None:
    """Draw what a round sends of codes that are kept in ``y``."""
    draw_choice(_each(laws, "again"), batch.which, integers(batch.y), laws[0].size, *batch.out)


def send_bucket(laws: Sequence[StagedHashed], batch: Batch) -> None:
    """Draw what a round sends of functions and buckets that are kept in ``y``."""
    many = laws[0].hashing.n_buckets
    functions, buckets = np.divmod(integers(batch.y), many)
    draw_buckets(_each(laws, "again"), batch.which, functions, buckets, many, *batch.out)


def _subset(laws: Sequence[Subset], batch: Batch) -> None:
    counts = _each(laws, "count").astype(np.int64)
    draw_subset(_each(laws, "keep"), counts, *batch.rows, laws[0].size, *batch.out)


def _hashed(laws: Sequence[Hashed], batch: Batch) -> None:
    FUNCTIONS[type(laws[0].hashing)](laws, [law.hashing for law in laws], batch)


def _polynomials(laws: Sequence[Hashed], hashings: Sequence[Polynomials], batch: Batch) -> None:
    cells = np.array([hashing.n_buckets for hashing in hashings])
    draw_polynomials(_each(laws, "keep"), cells, hashings[0].prime, *batch.rows, *batch.out)


def _parities(laws: Sequence[Hashed], hashings: Sequence[Parities], batch: Batch) -> None:
    rows, bits = rows_of(hashings), hashings[0].bits
    draw_rows = draw_wide_parities if laws[0].form.n_bits else draw_parities
    draw_rows(_each(laws, "keep"), rows, bits, *batch.rows, *batch.out)


def _lasting(
    laws: Sequence[Hashed | StagedHashed], hashings: Sequence[Hashing], batch: Batch
) -> None:
    """Draw a bucket of the function that each one keeps."""
    functions, many = batch.cohorts_of(laws[0]), hashings[0].n_buckets
    buckets = np.asarray(hashings[0].bucket(functions, batch.codes))  # type: ignore[arg-type]
    draw_buckets(_each(laws, "keep"), batch.which, functions, buckets, many, *batch.out)


def _sketch(laws: Sequence[Hashed], hashings: Sequence[Hashing], batch: Batch) -> None:
    """Draw a function of each one's cohort, and a bucket of it."""
    sketch = hashings[0]
    own = sketch.functions // sketch.cohorts
    cohorts = batch.cohorts_of(laws[0])
    functions = cohorts * own + batch.rng.integers(0, own, len(batch.codes))
    buckets = buckets_of(sketch, functions, batch.codes)
    keep = _each(laws, "keep")
    draw_buckets(keep, batch.which, functions, buckets, sketch.n_buckets, *batch.out)


def _bloom(laws: Sequence[Bloom], batch: Batch) -> None:
    """Draw both stages; where there is no second one, both of its coins are 0."""
    encoding, cohorts = laws[0].encoding, batch.cohorts_of(laws[0])
    if encoding.open:
        positions = codeword_buckets(encoding, cohorts, batch.codes)
    else:
        positions = bit_positions(encoding)[cohorts, batch.codes]
    coins = np.array([(w.true, w.false, *(w.instant or (0, 0))) for w in laws], np.uint64)
    draw_bloom(coins, batch.which, cohorts, positions, encoding.bits, *batch.out)


def _bitflip(laws: Sequence[BitFlip], batch: Batch) -> None:
    """Draw the codes of each owner by the order of random words, and a coin for each of them.

    Cohorts, where they are given, are rows of the codes themselves: they are too many to number.
    """
    n, size, reported, codes = len(batch.codes), laws[0].size, laws[0].reported, batch.cohorts
    if codes is None:
        order = batch.rng.integers(0, ONE - 1, (n, size), np.uint64, endpoint=True).argsort(axis=1)
        codes = np.sort(order[:, :reported], axis=1)
    coins = batch.rng.integers(0, ONE - 1, (n, reported), np.uint64, endpoint=True)
    right = coins < _each(laws, "keep")[batch.which][:, None]
    bits = np.zeros((n, 8 * batch.y.shape[1]), np.uint8)
    np.put_along_axis(bits, codes, 1, axis=1)
    bits[:, size : size + reported] = right == (codes == batch.codes[:, None])
    batch.y[:] = np.packbits(bits, axis=1, bitorder="little")


def _histogram(laws: Sequence[Histogram], batch: Batch) -> None:
    """Draw quantised bits by the cumulated weights of the true code's, and of the others'."""
    weights = np.array([law.weights for law in laws], np.int64)
    below = weights[:, ::-1].cumsum(axis=1), weights.cumsum(axis=1)
    draw_histogram(*below, *batch.rows, laws[0].size, laws[0].encoding.depth, *batch.out)


def _twopoint(laws: Sequence[TwoPoint], batch: Batch) -> None:
    draw_twopoint(*_points(laws), *batch.rows, *batch.out)


def _window(laws: Sequence[Window], batch: Batch) -> None:
    draw_window(*_windows(laws), *batch.rows, *batch.out)


def _hybrid(laws: Sequence[Hybrid], batch: Batch) -> None:
    points, windows = _points([law.points for law in laws]), _windows([law.window for law in laws])
    draw_hybrid(*points, *windows, _each(laws, "mix"), *batch.rows, *batch.out)


def _geometric(laws: Sequence[Geometric], batch: Batch) -> None:
    draw_geometric(_each(laws, "step"), _each(laws, "size"), *batch.rows, *batch.out)


def _table(laws: Sequence[Table | Matrix], batch: Batch) -> None:
    draw_table(*_cumulated(laws), _each(laws, "size"), *batch.rows, *batch.out)


def _halfspace(laws: Sequence[HalfSpace], batch: Batch) -> None:
    draw_halfspace(*_sides(laws[0].numbers), _each(laws, "keep"), *batch.rows, *batch.out)


def _cover(laws: Sequence[Cover], batch: Batch) -> None:
    assert batch.entries is not None
    _cover_of(laws, batch, batch.codes, batch.entries)


def _hashed_cover(laws: Sequence[HashedCover], batch: Batch) -> None:
    """Draw codes that meet the cells of each owner's cohort, and write the cohort above them."""
    assert batch.entries is not None
    own, cohorts = laws[0].encoding, batch.cohorts_of(laws[0])
    texts = batch.entries.starts, batch.entries.symbols
    cells = find_cells(lines_of(own.cohorts), cohorts, batch.codes, *texts, own.bits)
    covers = [law.cover for law in laws]
    _cover_of(covers, batch, np.arange(len(cohorts)), Ragged(*cells))
    write_above(cohorts, batch.which, np.array([law.n_codes for law in covers]), batch.y)


def _cover_of(laws: Sequence[Cover], batch: Batch, codes: Codes, sets: Ragged) -> None:
    lengths, counts = (_each(laws, name).astype(np.int64) for name in ("length", "count"))
    overlaps = np.array([_overlaps(law, int(lengths.max())) for law in laws], np.uint64)
    parameters = _each(laws, "keep"), lengths, counts, overlaps
    symbols = sets.starts, sets.symbols
    draw_cover(*parameters, batch.which, codes, *symbols, laws[0].items, *batch.out)


def _overlaps(law: Cover, most: int) -> list[int]:
    """Return the chance of each overlap up to j = 1, 2, ... with a set that is met, over 2^64."""
    each = (
        comb(law.length, j) * comb(law.items, law.count - j) if j <= law.count else 0
        for j in range(1, most + 1)
    )
    return [min(ONE * total // law.hits, ONE - 1) for total in accumulate(each)]


def _layered(laws: Sequence[Layered], batch: Batch) -> None:
    """Draw a depth for each owner, and at each depth a report about her node."""
    inner = laws[0].inner_bytes
    below = np.cumsum(laws[0].weights)
    depths = np.searchsorted(below, batch.rng.integers(0, below[-1], len(batch.codes)), "right")
    batch.y[:, :inner], batch.y[:, inner] = 0, depths
    for depth, width in enumerate(laws[0].widths):
        here = np.flatnonzero(depths == depth)
        own = [law.laws[depth] for law in laws]
        drawn = draw(own, batch.which[here], batch.codes[here] // width, batch.rng)
        batch.y[here, : drawn.shape[1]] = drawn


def _each(laws: Sequence[Law], parameter: str) -> Words:
    return np.array([getattr(law, parameter) for law in laws], np.uint64)


def _points(laws: Sequence[TwoPoint]) -> tuple[Words, Words]:
    return _each(laws, "base"), _each(laws, "slope")


def _windows(laws: Sequence[Window]) -> tuple[Words, Words, Words, Words]:
    cells, span, line, keep = (_each(laws, name) for name in ("cells", "span", "line", "keep"))
    return cells, span, line, keep


def _cumulated(laws: Sequence[Table | Matrix]) -> tuple[Codes, Codes]:
    """Return how many knots each table has, and its cumulated weights; no draw is beyond them.

    The knots of a matrix are its codes.
    """
    tables = [np.array(law.weights, np.int64) for law in laws]
    knots, outputs = np.max([table.shape for table in tables], axis=0)
    below = np.full((len(tables), knots, outputs), tables[0][0].sum(), np.int64)
    for own, table in zip(below, tables, strict=True):
        own[: len(table), : table.shape[1]] = table.cumsum(axis=1)
    return np.array([len(table) for table in tables]), below


def _sides(numbers: int) -> tuple[Codes, Codes]:
    ways = [comb(numbers, agree) for agree in range(numbers + 1)]
    half = numbers // 2
    near = [0] * (half + 1) + ways[half + 1 :]
    away = ways[: half + 1] + [0] * (numbers - half)
    return np.cumsum(near, dtype=np.int64), np.cumsum(away, dtype=np.int64)


SAMPLERS: Mapping[type[Law], Callable[[Sequence[Any], Batch], None]] = MappingProxyType(
    {
        Choice: _choice,
        Cover: _cover,
        StagedChoice: _staged_choice,
        StagedHashed: _staged_hashed,
        StagedUnary: _staged_unary,
        Unary: _unary,
        Subset: _subset,
        Hashed: _hashed,
        HashedCover: _hashed_cover,
        Hierarchy: _layered,
        Prefixes: _layered,
        BitFlip: _bitflip,
        Bloom: _bloom,
        Histogram: _histogram,
        TwoPoint: _twopoint,
        Window: _window,
        Hybrid: _hybrid,
        Geometric: _geometric,
        Table: _table,
        Matrix: _table,
        HalfSpace: _halfspace,
    }
)
FUNCTIONS: Mapping[type[Any], Callable[[Sequence[Hashed], Sequence[Any], Batch], None]] = (
    MappingProxyType(
        {
            Polynomials: _polynomials,
            Lasting: _lasting,
            Parities: _parities,
            Buckets: _sketch,
            Signs: _sketch,
        }
    )
)
