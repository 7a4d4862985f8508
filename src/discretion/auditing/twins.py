"""Twins: laws with the same coins as others, and few enough inputs and outputs to list them all."""

from dataclasses import replace
from functools import singledispatch

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
    Parities,
    Polynomials,
    Prefixes,
    SampledBits,
    Signs,
    Subset,
    Table,
    Tree,
    TwoPoint,
    Unary,
    Window,
)
from discretion.randomness import ONE


@singledispatch
def twin(law: Law) -> Law:
    """Return the twin of a law; of a shape that is not known, the law itself."""
    return law


@twin.register
def _(law: Choice) -> Law:
    return replace(law, size=min(law.size, 5))


@twin.register
def _(law: Unary) -> Law:
    return replace(law, size=min(law.size, 4))


@twin.register
def _(law: Subset) -> Law:
    return replace(law, size=min(law.size, 6), count=min(law.count, law.size - 1, 3))


@twin.register
def _(law: Cover) -> Law:
    items, length = min(law.items, 4), min(law.length, 2)
    return replace(law, items=items, length=length, count=min(law.count, 2))


@twin.register
def _(law: HashedCover) -> Law:
    """Return two cohorts of few cells, and sets of a few texts."""
    few = twin(law.cover)
    assert isinstance(few, Cover)
    cells = replace(law.encoding, size=4, bits=few.items, cohorts=min(law.cohorts, 2))
    return HashedCover(cells, few)


@twin.register
def _(law: Hashed) -> Law:
    return replace(law, size=min(law.size, 3), hashing=few_functions(law.hashing))


@twin.register
def _(law: HalfSpace) -> Law:
    return replace(law, numbers=min(law.numbers, 3))


@twin.register
def _(law: Window) -> Window:
    return replace(law, size=3, cells=4, span=min(law.span, 5))


@twin.register
def _(law: TwoPoint) -> TwoPoint:
    return replace(law, size=3, slope=(ONE - 2 * law.base) // 2)


@twin.register
def _(law: Hybrid) -> Law:
    return replace(law, points=twin(law.points), window=twin(law.window))  # type: ignore[arg-type]


@twin.register
def _(law: Hierarchy) -> Law:
    """Return a tree with the coins of the first and of the last depth, at two and three nodes."""
    first, last = law.laws[0], law.laws[-1]
    assert isinstance(first, Subset)
    few = replace(first, size=2, count=1)
    if isinstance(last, Hashed):
        hashed = replace(last, size=3, hashing=few_functions(last.hashing))
        return Hierarchy(Tree(3, 2, 2), (few, hashed))
    assert isinstance(last, Subset)
    return Hierarchy(Tree(3, 2, 2), (few, replace(last, size=3, count=min(last.count, 2))))


@twin.register
def _(law: Prefixes) -> Law:
    """Return groups of one bit and of two, with the coins of the first group and of the last."""
    rows = min(law.laws[0].hashing.n_buckets.bit_length() - 1, 2)
    few = (
        replace(own, size=1 << bits, hashing=Parities(bits, rows))
        for bits, own in enumerate((law.laws[0], law.laws[-1]), 1)
    )
    return Prefixes((1, 2), tuple(few))


@twin.register
def _(law: Geometric) -> Law:
    return replace(law, size=min(law.size, 4))


@twin.register
def _(law: Table) -> Law:
    return replace(law, size=len(law.weights))


@twin.register
def _(law: Bloom) -> Law:
    few = law.encoding
    hashes, bits = min(few.hashes, 2), min(few.bits, 4)
    few = replace(few, size=min(few.size, 4), hashes=hashes, bits=bits)
    return replace(law, encoding=replace(few, cohorts=min(few.cohorts, 2)))


@twin.register
def _(law: BitFlip) -> Law:
    reported = min(law.reported, 2)
    size = reported if law.reported == law.size else 4
    return replace(law, encoding=SampledBits(size, 1, size, reported=reported))


@twin.register
def _(law: Histogram) -> Law:
    size = min(law.size, 3)
    return replace(law, encoding=replace(law.encoding, size=size, bits=size))


def starts_over(law: Law) -> bool:
    """Whether a draw may begin anew any number of times: then a single attempt is listed."""
    return isinstance(law, Geometric)


@singledispatch
def few_functions(family: Hashing) -> Hashing:
    """Return a family of the same kind with so few functions that all are seen."""
    return family


@few_functions.register
def _(family: Polynomials) -> Hashing:
    return replace(family, prime=5, n_buckets=min(family.n_buckets, 5))


@few_functions.register
def _(family: Parities) -> Hashing:
    return replace(family, bits=min(family.bits, 2), rows=min(family.rows, 2))


@few_functions.register
def _(family: Buckets) -> Hashing:
    return replace(family, cohorts=min(family.cohorts, 2), n_buckets=min(family.n_buckets, 5))


@few_functions.register
def _(family: Signs) -> Hashing:
    return replace(family, cohorts=min(family.cohorts, 2), bits=min(family.bits, 2))
