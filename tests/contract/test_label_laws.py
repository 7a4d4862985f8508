"""What laws for labels say about their reports, against every output that there is."""

from fractions import Fraction

import pytest

from discretion.mechanism import CODED, MECHANISMS, Encoding, SupportLaw
from discretion.mechanism.histogram import quantised_bits
from discretion.mechanism.law import LabelLaw
from tests.mechanisms import LISTED, SMALL

SIZE = 4
NAMES = [name for name in MECHANISMS if name in LISTED and name not in ("shist", "hrr")]
ALL = pytest.mark.parametrize("level", [500, 3000])


def law_of(name: str, level: int) -> SupportLaw:
    return SMALL[name](SIZE, level)


@ALL
@pytest.mark.parametrize("name", NAMES)
def test_means_and_variances_are_those_of_being_in_the_support(name: str, level: int) -> None:
    law = law_of(name, level)
    held = [
        sum(
            (law.probability(y, 0) for y in law.outputs() if law.support(y) >> code & 1), Fraction()
        )
        for code in (0, 1)
    ]
    assert law.means == tuple(held)
    assert law.variances == tuple(p * (1 - p) for p in held)
    assert law.noise == law.inclusion.noise


@ALL
@pytest.mark.parametrize("name", NAMES)
def test_supports_have_the_sizes_and_extremes_that_are_stated(name: str, level: int) -> None:
    law = law_of(name, level)
    supports = [law.support(y) for y in law.outputs()]
    sizes = {support.bit_count() for support in supports}
    assert law.support_size == (sizes.pop() if len(sizes) == 1 else None)
    assert law.repeats == (len(set(supports)) < len(supports))
    held = min(s.bit_count() for s in supports if s & 1)
    lacked = max(s.bit_count() for s in supports if not s & 1)
    assert law.extremes == (held, lacked)


@ALL
@pytest.mark.parametrize("name", ["shist", "hrr"])
def test_extremes_of_hashed_reports_bound_what_there_is(name: str, level: int) -> None:
    law = law_of(name, level)
    supports = [law.support(y) for y in law.outputs()]
    least, most = law.extremes
    assert law.repeats
    assert least <= min(s.bit_count() for s in supports if s & 1)
    assert most >= max(s.bit_count() for s in supports if not s & 1)


@ALL
@pytest.mark.parametrize(
    "name, encoding", [("bloom", Encoding(SIZE, 1, SIZE)), ("she", quantised_bits(SIZE))]
)
def test_bits_of_their_own_have_the_noise_of_independent_ones(
    name: str, encoding: Encoding, level: int
) -> None:
    law: LabelLaw = CODED[name](encoding, level)
    (own, other), (noise, rest) = law.means, law.variances
    gap = own - other
    assert law.noise == (rest / gap**2, 1 + (noise - rest) / gap**2)
    assert law.extremes == (1, SIZE - 1)


def test_codewords_that_share_bits_have_no_such_noise() -> None:
    law: LabelLaw = CODED["bloom"](Encoding(6, 2, 8), 1000)
    with pytest.raises(TypeError, match="codewords of several bits"):
        law.noise  # noqa: B018
