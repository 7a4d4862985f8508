"""Who is suspicious, by tests of its own and by comparison; and how many tests there were."""

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.special import chdtrc
from scipy.stats import chi2

from discretion.family.codewords.linear import PooledBits
from discretion.family.counts import BitCounts
from discretion.family.sets.linear import PooledSets, SetLevels
from discretion.mechanism import MECHANISMS, CodedLaw, Encoding
from discretion.mechanism.bloom import bloom
from discretion.robustness.testing import Compare, Disagreement, disagreement, judged
from tests.builders import tally_of


def apart(values: Sequence[float], errors: Sequence[float]) -> Compare:
    """Compare groups with these means and standard errors."""

    def compare(own: int, rest: Sequence[int]) -> Disagreement | None:
        if not rest:
            return None
        weights = np.array([1 / errors[i] ** 2 for i in rest])
        mean = float(weights @ [values[i] for i in rest] / weights.sum())
        statistic = (values[own] - mean) ** 2 / (errors[own] ** 2 + 1 / weights.sum())
        return Disagreement(float(statistic), float(chdtrc(1, statistic)))

    return compare


def test_honest_groups_are_not_suspicious_and_keep_their_pvalues() -> None:
    found = judged([(0.2, None), (0.5, 0.4), (None, 0.9)], apart([1, 1.5, 0.5], [1, 1, 1]))
    assert not any(result.suspicious for result in found)
    assert found[1].alone == (0.5, 0.4)
    assert all(result.agreement is not None for result in found)
    assert min(result.adjusted for result in found) == 1.0  # 0.2 of seven tests


def test_the_group_that_is_apart_goes_and_the_others_are_compared_without_it() -> None:
    """All of them disagree with the rest as long as it is in the rest, and weighs most."""
    compare = apart([0, 0, 0, 30], [1, 1, 1, 0.5])
    first = [compare(i, [j for j in range(4) if j != i]) for i in range(4)]
    assert all(d is not None and d.pvalue < 1e-4 for d in first)
    found = judged([(None, None)] * 4, compare)
    assert [result.suspicious for result in found] == [False, False, False, True]
    assert [result.agreement for result in found[:3]] == [1.0, 1.0, 1.0]
    assert found[3].agreement == pytest.approx(0, abs=1e-30)


def test_a_group_that_fails_by_itself_goes_first() -> None:
    """Else the other one, which it disagrees with, might have gone in its place."""
    found = judged([(1e-9, None), (None, 0.5), (None, 0.5)], apart([30, 0, 0], [1, 1, 1]))
    assert [result.suspicious for result in found] == [True, False, False]


def test_of_two_that_disagree_nobody_knows_which() -> None:
    found = judged([(None, None)] * 2, apart([0, 30], [1, 0.1]))
    assert [result.suspicious for result in found] == [True, True]
    assert found[0].agreement == pytest.approx(found[1].agreement)


def test_of_three_the_noisy_one_does_not_help_to_find_which_of_the_others_is_bad() -> None:
    """Without either of them the noisy one agrees with what is left."""
    found = judged([(None, None)] * 3, apart([0, 30, 10], [1, 1, 50]))
    assert [result.suspicious for result in found] == [True, True, False]


def test_several_bad_groups_go_one_after_the_other() -> None:
    found = judged([(None, None)] * 6, apart([0, 1, -1, 0, 90, -60], [1] * 6))
    assert [result.suspicious for result in found] == [False] * 4 + [True] * 2


def test_one_group_alone_has_nothing_to_agree_with() -> None:
    (found,) = judged([(None, 0.3)], apart([1], [1]))
    assert (found.agreement, found.adjusted, found.suspicious) == (None, 0.3, False)


def test_the_threshold_is_for_all_tests_together() -> None:
    """With 40 tests, 0.0001 is nothing special; with two it is."""
    many = judged([(0.0001, 0.5)] + [(0.5, 0.5)] * 19, lambda *_: None)
    assert not many[0].suspicious
    assert many[0].adjusted == pytest.approx(0.004)
    assert judged([(0.0001, 0.5)], lambda *_: None)[0].suspicious


def disagreement_of(own: SetLevels, rest: SetLevels) -> Disagreement | None:
    return disagreement(PooledSets(own), PooledSets(rest), PooledSets([*own, *rest]))


def test_disagreement_with_two_codes_is_that_of_two_shares() -> None:
    """Warner's response at two levels: one contrast, one degree of freedom."""
    low, high = MECHANISMS["grr"](2, 1000), MECHANISMS["grr"](2, 3000)
    own = [(low, tally_of(low, [0] * 300 + [1] * 200))]
    rest = [(high, tally_of(high, [0] * 280 + [1] * 320))]
    values, variances = [], []
    for law, counts in ((low, (300, 200)), (high, (280, 320))):
        p, q, n = float(law.inclusion.own), float(law.inclusion.other), sum(counts)
        values.append((counts[0] / n - q) / (p - q))
        variances.append(((p - q) ** 2 * n, p, q))
    weights = []
    for (scale, p, q), value in zip(variances, values, strict=True):
        half = (p + q) / 2
        weights.append((scale / (half * (1 - half)), value))
    f = sum(w * v for w, v in weights) / sum(w for w, _ in weights)
    spread = 0.0
    for scale, p, q in variances:
        mean = q + (p - q) * f
        spread += mean * (1 - mean) / scale
    found = disagreement_of(own, rest)
    assert found is not None
    assert found.statistic == pytest.approx((values[0] - values[1]) ** 2 / spread)
    assert found.pvalue == pytest.approx(chi2.sf(found.statistic, 1))


def test_rare_codes_are_left_out_as_they_are_not_normal() -> None:
    """At a high level four reports of a code that nobody has would be thirty standard errors."""
    high, low = MECHANISMS["grr"](3, 9000), MECHANISMS["grr"](3, 3000)
    rest = [(low, tally_of(low, [0] * 495 + [1] * 480 + [2] * 25))]
    found = disagreement_of([(high, tally_of(high, [0] * 100 + [1] * 98 + [2] * 4))], rest)
    assert found is not None
    assert found.pvalue > 0.1


def test_few_reports_are_not_compared() -> None:
    law, other = MECHANISMS["grr"](3, 1000), MECHANISMS["grr"](3, 2000)
    many, few = tally_of(law, [0, 1, 2] * 50), tally_of(other, [0, 1, 2] * 33)
    assert disagreement_of([(law, many)], [(other, few)]) is None
    assert disagreement_of([(other, few)], [(law, many)]) is None
    assert disagreement_of([(law, many)], []) is None


def test_words_disagree_as_their_estimates_do() -> None:
    one, two = bloom(Encoding(3, 2, 5), 2000), bloom(Encoding(3, 2, 5), 4000)
    reports = np.array([500])
    own, other = map(float, two.means)
    same = np.full((1, 5), 200)
    apart = np.array([[int(500 * own)] * 2 + [int(500 * other)] * 3])
    near = words_apart((one, BitCounts(reports, same)), (two, BitCounts(reports, same)))
    far = words_apart((one, BitCounts(reports, same)), (two, BitCounts(reports, apart)))
    assert near is not None
    assert far is not None
    assert far.statistic > near.statistic
    few = BitCounts(np.array([99]), same // 10)
    assert words_apart((one, few), (two, BitCounts(reports, same))) is None


def words_apart(
    one: tuple[CodedLaw, BitCounts], other: tuple[CodedLaw, BitCounts]
) -> Disagreement | None:
    return disagreement(PooledBits([one]), PooledBits([other]), PooledBits([one, other]))
