"""Folding a view's report: an exact report about some of its attributes, by enumeration."""

from fractions import Fraction

import numpy as np
import pytest

from discretion.estimate.noise import Noise
from discretion.family.sets.folded import CountFactor, FoldedLaw, FoldedPart
from discretion.family.sets.manipulation import extremes
from discretion.family.sets.part import SetFactor, SetPart
from discretion.mechanism import SupportLaw, law
from tests.builders import bits

SIZES = (2, 3)
KEPT = 0


def outputs(made: SupportLaw) -> list[tuple[int, tuple[int, ...]]]:
    """Return every report, and how many of its cells have each value of the kept attribute."""
    found = []
    for y in made.outputs():
        held = bits(made.support(y), made.size).reshape(SIZES).sum(axis=1 - KEPT)
        found.append((y, tuple(held.astype(int).tolist())))
    return found


@pytest.mark.parametrize("name", ["subset", "grr", "oue"])
def test_the_counts_are_a_report_about_the_kept_attribute_alone(name: str) -> None:
    """Their law is the same whatever the others, and its likelihood 1 + (ratio - 1) c / m."""
    made, cells = law(name, 6, 1500), SIZES[1]
    by_code = []
    for code in range(6):
        seen = dict.fromkeys((held for _, held in outputs(made)), Fraction())
        for y, held in outputs(made):
            seen[held] += made.probability(y, code)
        by_code.append(seen)
    for code in range(6):
        assert by_code[code] == by_code[code - code % cells]
    first, last = by_code[0], by_code[cells]
    for held in first:
        weight = [1 + (made.ratio - 1) * Fraction(c, cells) for c in held]
        assert first[held] * weight[1] == last[held] * weight[0]


def part_of(made: SupportLaw, ys: list[int]) -> SetPart:
    held = np.array([bits(made.support(y), made.size) for y in ys], np.uint8)
    return SetPart("a+b", (0, 1), SIZES, held, (made,), np.zeros(len(ys), np.int64))


@pytest.mark.parametrize("name", ["subset", "oue"])
def test_its_scores_are_unbiased_and_its_noise_is_as_stated(name: str) -> None:
    made = law(name, 6, 2000)
    ys = list(made.outputs())
    part = FoldedPart.of(part_of(made, ys), [KEPT], (0,))
    scores, scale = part.scores(secret=False)
    f = np.array([[0.3, 0.1, 0.2], [0.05, 0.25, 0.1]])
    chance = np.array([[float(made.probability(y, code)) for code in range(6)] for y in ys])
    for code in range(6):
        mean = (scores * chance[:, [code]]).sum(axis=0) / (scale @ chance[:, code])
        np.testing.assert_allclose(mean, np.eye(2)[code // 3] - 0.5, atol=1e-12)
    mixed, z = chance @ f.ravel(), scores / scale[:, None]
    mean = mixed @ z
    covariance = (z * mixed[:, None]).T @ z - np.outer(mean, mean)
    folded = FoldedLaw(made, 3)
    np.testing.assert_allclose(covariance, Noise.of(folded).covariance(f.sum(axis=1)), atol=1e-9)
    own, other = folded.means
    assert own - other == made.means[0] - made.means[1]


def test_rows_know_their_information_and_equal_ones_have_equal_keys() -> None:
    made = law("subset", 6, 2000)
    part = part_of(made, list(made.outputs()))
    whole = SetFactor(part.bits, np.full(len(part.bits), float(made.ratio)))
    same = CountFactor(part.bits.astype(np.int64), 1, whole.ratios)
    np.testing.assert_allclose(same.eigenvalues, whole.eigenvalues)
    rows = slice(0, len(part.bits))
    np.testing.assert_allclose(same.likelihood(rows), whole.likelihood(rows), rtol=1e-6)
    folded = FoldedPart.of(part, [KEPT], (0,))
    keys, room = folded.keys(secret=False)
    assert room == 16
    alike = {
        key: tuple(row) for key, row in zip(keys.tolist(), folded.counts.tolist(), strict=True)
    }
    assert len(set(alike.values())) == len(alike) == len({*map(tuple, folded.counts.tolist())})


def test_the_extreme_scores_of_a_fold_are_those_of_its_reports() -> None:
    for level in (200, 1000, 3000, 6000):
        made = law("subset", 12, level)
        for cells in (2, 3, 6):
            folded, size = FoldedLaw(made, cells), 12 // cells
            own, other = folded.means
            held = [
                bits(made.support(y), 12).reshape(size, cells).sum(axis=1) for y in made.outputs()
            ]
            scores = (np.array(held) - (made.support_size or 0) / size) / float(
                own - other
            ) + 1 / size
            np.testing.assert_allclose(extremes(folded), (scores.max(), scores.min()))
