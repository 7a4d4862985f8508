"""What every coded mechanism keeps, beside what all do: about single bits, codewords and scores."""

import itertools
from fractions import Fraction
from functools import partial
from math import prod

from discretion.mechanism import Bloom, Encoding
from discretion.mechanism.bloom import bloom
from discretion.mechanism.encoding import codewords
from discretion.randomness import ONE
from discretion.table.coded import codeword_bits
from tests.contract.conformance import AnyMechanism, largest_ratio, row
from tests.contract.enumeration import distribution


def coded(hashes: int, bits: int, cohorts: int = 1, instant: bool = False) -> AnyMechanism:
    """Return a mechanism of size and level with such codewords."""

    def mechanism(size: int, level: int) -> Bloom:
        return bloom(Encoding(size, hashes, bits, cohorts, (750, 500) if instant else None), level)

    return mechanism


def law_of(mechanism: AnyMechanism, size: int, level: int) -> Bloom:
    law = mechanism(size, level)
    assert isinstance(law, Bloom)
    return law


def bits_have_the_stated_probabilities(mechanism: AnyMechanism, size: int, level: int) -> None:
    """Each bit of a report, in its cohort, and every pair of bits as if drawn alone."""
    law = law_of(mechanism, size, level)
    own, other = law.means
    for cohort, code in itertools.product(range(law.encoding.cohorts), range(size)):
        codeword = codewords(law.encoding)[cohort][code]
        heads = [own if codeword >> i & 1 else other for i in range(law.encoding.bits)]
        for pair in itertools.combinations_with_replacement(range(law.encoding.bits), 2):
            expected = prod([heads[i] for i in set(pair)], start=Fraction(1))
            assert (
                probability_of_bits(law, cohort, code, set(pair)) == expected / law.encoding.cohorts
            )


def likelihood_is_a_power_of_the_lift(mechanism: AnyMechanism, size: int, level: int) -> None:
    """By the number of set bits in the code's codeword, whatever the rest of the report."""
    law = law_of(mechanism, size, level)
    for y in law.outputs():
        known = codewords(law.encoding)[y >> law.encoding.bits]
        weights = [law.lift ** (y & codeword).bit_count() for codeword in known]
        probabilities = [law.probability(y, code) for code in range(size)]
        for a, b in itertools.combinations(range(size), 2):
            assert probabilities[a] * weights[b] == probabilities[b] * weights[a]


def what_is_kept_is_bounded_by_the_stated_ratio(
    mechanism: AnyMechanism, size: int, level: int
) -> None:
    """All that is ever sent about an answer is made of what is kept: the largest ratio of that."""
    law = law_of(mechanism, size, level)
    for cohort in range(law.encoding.cohorts):
        kept = [distribution(partial(law.respond, code, cohort=cohort)) for code in range(size)]
        assert all(one.keys() == kept[0].keys() for one in kept)
        worst = max(max(k[y] for k in kept) / min(k[y] for k in kept) for y in kept[0])
        assert worst <= law.ratio
        if law.encoding.cohorts == 1:
            assert worst == law.ratio


def a_round_reveals_less_than_all_rounds(mechanism: AnyMechanism, size: int, level: int) -> None:
    law = law_of(mechanism, size, level)
    shown = largest_ratio(law)
    assert shown < law.ratio if law.encoding.instant else shown == law.ratio


def words_are_as_stated(mechanism: AnyMechanism, size: int, level: int) -> None:
    law = law_of(mechanism, size, level)
    table = codeword_bits(law.encoding)
    assert table.shape == (law.encoding.cohorts, size, law.encoding.bits)
    assert (table.sum(axis=2) == law.encoding.hashes).all()
    for own in codewords(law.encoding):
        assert law.encoding.crowded or len(set(own)) == size
    assert Fraction(law.true, ONE) + Fraction(law.false, ONE) == 1


def probability_of_bits(law: Bloom, cohort: int, code: int, bits: set[int]) -> Fraction:
    held = sum(1 << i for i in bits)
    found = (
        p
        for y, p in row(law, code).items()
        if y >> law.encoding.bits == cohort and y & held == held
    )
    return sum(found, Fraction())


CODED = (
    bits_have_the_stated_probabilities,
    likelihood_is_a_power_of_the_lift,
    what_is_kept_is_bounded_by_the_stated_ratio,
    a_round_reveals_less_than_all_rounds,
    words_are_as_stated,
)
