"""The stages of laws: almost all send their permanent response, and two shapes have cohorts."""

import random

from discretion.mechanism import CODED, MECHANISMS, NUMBERS, Encoding, Law
from discretion.mechanism.bloom import bloom
from discretion.mechanism.histogram import quantised_bits
from discretion.randomness import ByteSource
from tests.cases import for_each

ONE_STAGE: dict[str, Law] = {
    **{name: make(5, 1000) for name, make in MECHANISMS.items()},
    **{name: make(5, 1000) for name, make in NUMBERS.items()},
    "she": CODED["she"](quantised_bits(5), 1000),
}
TWO_STAGES = bloom(Encoding(6, 2, 8, 4, (750, 500)), 1000)


def words(seed: int) -> ByteSource:
    return ByteSource(random.Random(seed).randbytes)


@for_each("name", ONE_STAGE)
def test_one_stage_sends_the_permanent_response(name: str) -> None:
    law = ONE_STAGE[name]
    assert (law.cohorts, law.permanent) == (1, law)
    for seed in range(20):
        response = law.respond(1, words(seed), 0)
        assert response == law.perturb(1, words(seed))
        assert law.send(response, words(seed)) == response
        assert law.form.admits(response)


def test_two_stages_draw_the_cohort_the_response_and_what_is_sent() -> None:
    assert TWO_STAGES.cohorts == 4
    for seed in range(20):
        source = words(seed)
        cohort = source.below(4)
        response = TWO_STAGES.respond(1, source, cohort)
        assert response >> 8 == cohort
        sent = TWO_STAGES.send(response, source)
        assert sent >> 8 == cohort
        assert TWO_STAGES.perturb(1, words(seed)) == sent


def test_the_permanent_law_is_the_first_stage_alone() -> None:
    permanent = TWO_STAGES.permanent
    assert permanent != TWO_STAGES
    assert permanent.ratio == TWO_STAGES.ratio
    assert permanent.send(0b1011, words(1)) == 0b1011
    assert permanent.permanent == permanent


def test_only_functions_come_with_a_credential() -> None:
    assert ONE_STAGE["subset"].for_credential("token", "plan", "x") == ONE_STAGE["subset"]
    law = ONE_STAGE["olh"]
    own = law.for_credential("token", "plan", "x")
    assert own == law.for_credential("token", "plan", "x") != law.for_credential("t", "plan", "x")
    assert own.ratio == law.ratio
    assert all(law.form.admits(y) for y in own.outputs())
    assert own.form.n_outputs < law.form.n_outputs
