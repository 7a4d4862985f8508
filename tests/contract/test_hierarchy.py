"""A hierarchy keeps what every law keeps, at trees of many forms, and a wrong one is caught."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise

import pytest

from discretion.mechanism import Hierarchy, Parities, Polynomials, Tree
from discretion.mechanism.hashed import hashed
from discretion.mechanism.hierarchy import MOST_HASHED, MOST_SET, hierarchy
from discretion.mechanism.layered import WHOLE
from discretion.mechanism.subset import subset
from discretion.randomness import Source
from tests.cases import for_each
from tests.contract import conformance
from tests.contract.conformance import LEVELS, AnyCheck, AnyMechanism, row
from tests.contract.enumeration import between_cuts, distribution

CHECKS: tuple[AnyCheck, ...] = (
    conformance.law_is_normalised,
    conformance.privacy_loss_is_at_most_the_level,
    conformance.privacy_loss_nearly_reaches_the_level,
    conformance.stated_ratio_is_the_largest,
    conformance.possible_is_what_has_a_positive_probability,
    conformance.width_is_the_same_at_every_level_and_holds_every_output,
    conformance.law_names_a_group,
)
SHAPES = {
    "binary": (2, 3),
    "shallow": (2, 2),
    "ternary": (3, 2),
    "flat": (5, 1),
    "quadtree": (4, 2),
}
LARGEST = 1 << 20


def of_shape(name: str) -> AnyMechanism:
    fanout, depths = SHAPES[name]
    return lambda size, level: hierarchy(Tree(size, fanout, depths), level)


def mixed(size: int, level: int) -> Hierarchy:
    """A set, a bucket and a parity, by few functions each, at the depths of five codes."""
    bucket = hashed(3, level, Polynomials(3, 2, 2))
    return Hierarchy(
        Tree(size, 2, 3), (subset(2, level), bucket, hashed(5, level, Parities(3, 1, 1)))
    )


MADE: dict[str, AnyMechanism] = {**{name: of_shape(name) for name in SHAPES}, "mixed": mixed}


@for_each("level", LEVELS)
@for_each("name", MADE)
def test_a_hierarchy_passes(name: str, level: int) -> None:
    for check in CHECKS:
        check(MADE[name], 5, level)


@for_each("level", LEVELS)
@for_each("name", MADE)
def test_every_path_of_random_choices_leads_to_the_law(name: str, level: int) -> None:
    law = MADE[name](5, level)
    assert isinstance(law, Hierarchy)
    for code in range(law.size):
        walk = between_cuts([law.tree.weights], WHOLE)
        assert distribution(partial(law.perturb, code), walk) == row(law, code)


@for_each("name", MADE)
def test_words_and_crowds_follow_the_law(name: str) -> None:
    conformance.words_follow_the_law(MADE[name], 5, 1000)
    conformance.crowd_follows_the_law(MADE[name], 5, 1000)


class OffByOne(Hierarchy):
    """Reports the node of the next code."""

    __slots__ = ()

    def perturb(self, code: int, source: Source) -> int:
        return Hierarchy.perturb(self, min(code + 1, self.size - 1), source)


def test_a_wrong_node_and_wrong_weights_are_caught() -> None:
    right = hierarchy(Tree(5, 2, 3), 1000)
    walk = between_cuts([right.tree.weights], WHOLE)
    wrong = OffByOne(right.tree, right.laws)
    assert distribution(partial(wrong.perturb, 4), walk) == row(right, 4)
    assert distribution(partial(wrong.perturb, 0), walk) != row(right, 0)
    heavy = replace(right, laws=(*right.laws[:2], subset(5, 1010)))
    assert conformance.largest_ratio(heavy) > right.ratio
    with pytest.raises(AssertionError):
        conformance.privacy_loss_is_at_most_the_level(lambda *_: heavy, 5, 1000)


@for_each("fanout", [2, 3, 16])
@for_each("size", [2, 17, 1024, 65_537, LARGEST])
def test_depths_are_drawn_by_whole_weights_that_fade(size: int, fanout: int) -> None:
    tree = Tree(size, fanout, 1)
    while fanout**tree.depths < size:
        tree = replace(tree, depths=tree.depths + 1)
        weights = tree.weights
        assert sum(weights) == WHOLE
        assert list(weights) == sorted(weights, reverse=True)
        for one, other in pairwise(weights[1:]):
            assert abs(Fraction(other, one) - Fraction(17, 20)) < Fraction(2, one)
    assert tree.nodes[-1] == size
    assert all(
        2 <= nodes <= fanout * before
        for before, nodes in zip((1, *tree.nodes), tree.nodes, strict=False)
    )


@for_each("level", [1, 1000, 20_000])
def test_reports_about_a_million_points_fit_in_33_bytes_at_every_level(level: int) -> None:
    law = hierarchy(Tree(LARGEST, 2, 20), level)
    assert law.n_bytes == MOST_SET // 8 + 1
    kinds = [type(getattr(own, "hashing", own)).__name__ for own in law.laws]
    assert kinds == ["Subset"] * 8 + ["Polynomials"] * 8 + ["Parities"] * 4
    assert law.tree.nodes[15] == MOST_HASHED
    assert all(own.form.n_outputs < 1 << 63 for own in law.laws)  # as the compiled reader counts
