"""From fitted tables to a model that speaks of labels and numbers."""

import numpy as np

from discretion.joints.axes import Axis
from discretion.plan import Plan
from discretion.synthesis.evidence import SoftEvidence
from discretion.synthesis.fit import Fit
from discretion.synthesis.model import Clique, Column, Model, Value


def model_of(evidence: SoftEvidence, fit: Fit) -> Model:
    """Return the model: the root first, then its children."""
    tree, last = fit.terms.tree, len(fit.terms.tree.cliques) - 1
    cliques = []
    for i in reversed(range(len(tree.cliques))):
        parent = tree.parents[i]
        table = fit.tables.marginals[tree.slices()[i]].reshape(tree.sizes(tree.cliques[i]))
        index = None if parent is None else last - parent
        cliques.append(Clique(tree.cliques[i], table, index, tree.separators[i]))
    columns = tuple(column_of(evidence.plan, axis) for axis in evidence.axes)
    return Model(columns, tuple(cliques))


def column_of(plan: Plan, axis: Axis) -> Column:
    """Return what rows hold: labels, or the points of a number's grid."""
    number = plan.questions[axis.name].attribute.number
    if number is None:
        return Column(axis.name, axis.labels, axis.labels)
    unit = number.unit
    grid = range(number.low, number.high + 1, number.step)
    values: tuple[Value, ...] = tuple(
        int(point * unit) if (point * unit).denominator == 1 else float(point * unit)
        for point in grid
    )
    if number.edges:
        inside = np.zeros((number.size, len(values)))
        for index, point in enumerate(grid):
            inside[number.code(point * unit), index] = 1
        return Column(axis.name, axis.labels, values, inside / inside.sum(axis=1, keepdims=True))
    spread = None if axis.mixing is None else axis.mixing.T
    return Column(axis.name, axis.labels, values, spread)
