"""A small model with all that one may have: odd orders of axes, zeros, bins, a part of its own."""

import numpy as np

from discretion.synthesis.model import Clique, Column, Model, Table

AGES = tuple(range(20, 50))
RATES = (0.5, 1.25, 2.0)


def labelled(name: str, *labels: str) -> Column:
    return Column(name, labels, labels)


def ages(rng: np.random.Generator) -> Column:
    """Three decades, each with a year in which nobody was born."""
    spread = np.zeros((3, 30))
    for decade in range(3):
        spread[decade, 10 * decade + 1 : 10 * decade + 10] = rng.dirichlet(np.ones(9))
    return Column("age", ("20-29", "30-39", "40-49"), AGES, spread)


def child(
    rng: np.random.Generator,
    parent: Clique,
    index: int,
    separator: tuple[int, ...],
    new: int,
    size: int,
) -> Clique:
    """A clique that agrees with its parent, with a category that some of the shared never have."""
    shared = summed(parent, separator)
    probabilities = rng.dirichlet(np.ones(size - 1), shared.shape)
    probabilities = np.insert(probabilities, size // 2, 0.0, axis=-1)
    probabilities.reshape(-1, size)[0] = np.roll(probabilities.reshape(-1, size)[0], 1)
    return Clique((*separator, new), shared[..., None] * probabilities, index, separator)


def summed(clique: Clique, axes: tuple[int, ...]) -> Table:
    operands = [clique.table, list(clique.axes), list(axes)]
    return np.asarray(np.einsum(*operands))  # type: ignore[call-overload]


def town(seed: int = 0) -> Model:
    rng = np.random.default_rng(seed)
    columns = (
        labelled("sex", "f", "m"),
        labelled("area", "north", "mid", "south"),
        ages(rng),
        Column("rate", ("low", "mid", "high"), RATES),
        labelled("work", "none", "some, part-time", 'all "day"', "näht"),
        labelled("pet", "cat", "dog"),
    )
    table = rng.dirichlet(np.ones(6)).reshape(3, 2)
    root = Clique((1, 0), table, None, ())
    age = child(rng, root, 0, (1,), 2, 3)
    rate = child(rng, root, 0, (0, 1), 3, 3)
    work = child(rng, age, 1, (2, 1), 4, 4)
    pet = Clique((5,), np.array([0.3, 0.7]), 2, ())
    return Model(columns, (root, age, rate, work, pet))


def joint(model: Model) -> Table:
    """The probabilities of all records: the product over the cliques, by brute force."""
    law = np.ones(model.shape)
    for clique in model.cliques:
        order = np.argsort(clique.axes)
        shape = [model.shape[a] if a in clique.axes else 1 for a in range(len(model.columns))]
        law *= clique.conditional.transpose(order).reshape(shape)
    return law
