"""Anybody's mechanism: planted bugs are found from the outside, and sound twins pass."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from discretion.auditing import Audit, audit_callable
from discretion.auditing.distinguisher import at_least, at_most, lower_bound
from discretion.errors import DiscretionError
from discretion.mechanism import Unary
from discretion.mechanism.choice import grr
from discretion.mechanism.unary import oue
from tests.cases import for_each
from tests.significance import ALPHA
from tests.unit.auditing.planted import (
    SEED,
    CoarseCoin,
    OneWord,
    averaged,
    device,
    listed_subset,
    permanent_bits,
    unary,
)


def found(audit: Audit) -> float:
    (finding,) = audit.findings
    assert finding.passes == (finding.loss <= finding.claim) == audit.passes
    return finding.loss


def test_a_budget_off_by_five_per_cent_is_found() -> None:
    off, sound = (audit_callable(device(grr(2, v)), (0, 1), 4, 120_000) for v in (4200, 4000))
    assert 4 < found(off) < 4.2
    assert 3.8 < found(sound) < 4


def test_q_computed_for_the_average_is_found() -> None:
    assert found(audit_callable(device(averaged(500, 2000)), (0, 3), 0.5)) > 1.5
    assert found(audit_callable(device(averaged(500, 500)), (0, 3), 0.5)) < 0.5


@pytest.mark.parametrize("kind", [OneWord, CoarseCoin])
def test_a_reused_word_and_a_coin_of_too_few_bits_are_found(kind: type[Unary]) -> None:
    assert found(audit_callable(device(unary(kind, 6000)), (0, 3), 6, 40_000)) > 6
    assert found(audit_callable(device(unary(Unary, 6000)), (0, 3), 6)) < 6


def test_a_client_that_never_clears_a_bit_is_found() -> None:
    assert found(audit_callable(permanent_bits(2000, clears=False), (0, 3), 2)) > 5
    assert 1.5 < found(audit_callable(permanent_bits(2000, clears=True), (0, 3), 2)) < 2


def test_a_client_that_puts_the_truth_first_is_found() -> None:
    assert found(audit_callable(listed_subset(1000, shuffled=False), (0, 3), 1)) > 1.5
    assert 0.7 < found(audit_callable(listed_subset(1000, shuffled=True), (0, 3), 1)) < 1


def leaking(how: str) -> Callable[[int], object]:
    rng = random.Random(SEED)

    def perturb(x: int) -> object:
        noise = rng.randrange(1000)
        leaked = (rng.random() < 0.9) == bool(x)
        return {
            "bytes": bytes([noise % 256, leaked]),
            "length": bytes(1 + leaked),
            "text": f"{noise} {'yes' if leaked else 'no'}",
            "number": 1000.0 * leaked + noise,
            "set": [noise, 1000 + leaked] if noise % 2 else [1000 + leaked, noise],
            "order": sorted([noise, noise + 1], reverse=leaked),
            "array": np.array([[noise, 0], [0, leaked]]),
            "nested": (b"no", [np.int64(leaked)], {noise: leaked}.keys()),
            "odd": {"leaked": leaked},
        }[how]

    return perturb


KINDS = ["bytes", "length", "text", "number", "set", "order", "array", "nested", "odd"]


@for_each("how", KINDS)
def test_outputs_of_every_kind_are_looked_at(how: str) -> None:
    """A bit that is right nine times out of ten has an epsilon of log(9) = 2.2."""
    audit = audit_callable(leaking(how), (0, 1), 1.5, 6000)
    assert 1.6 < found(audit) < np.log(9)


def test_outputs_that_are_all_the_same_reveal_nothing() -> None:
    assert found(audit_callable(lambda _: b"hello", (0, 1), 0, 1000)) == 0


def test_every_pair_of_inputs_is_compared() -> None:
    audit = audit_callable(device(oue(4, 1000)), range(4), 1, 2000, title="mine")
    assert [finding.subject for finding in audit.findings][:2] == ["0 or 1", "0 or 2"]
    assert len(audit.findings) == 6
    assert str(audit) == "mine: all 6 claims hold as far as they were checked."


def test_what_cannot_be_audited_is_refused() -> None:
    for inputs, epsilon, samples in (((0,), 1, 1000), ((0, 1), -1, 1000), ((0, 1), 1, 50)):
        with pytest.raises(DiscretionError, match="must be"):
            audit_callable(device(oue(4, 1000)), inputs, epsilon, samples)


def test_the_bounds_are_clopper_and_pearsons() -> None:
    for k in (0, 1, 7, 50):
        known = stats.binomtest(k, 50).proportion_ci(0.99, method="exact")
        assert at_least(k, 50, 0.005) == pytest.approx(known.low)
        assert at_most(k, 50, 0.005) == pytest.approx(known.high)


def test_a_tight_mechanism_is_accused_no_more_often_than_stated() -> None:
    """The event is judged on samples that did not choose it: here the chance may be 10 %."""
    alpha, runs, accused = 0.1, 200, 0
    tight, rng = grr(3, 1000), np.random.default_rng(SEED)
    own, other = float(tight.inclusion.own), float(tight.inclusion.other)
    for _ in range(runs):
        laws = [own, other, other], [other, other, own]
        one, last = (rng.choice(3, 200, p=law).tolist() for law in laws)
        accused += lower_bound({"output": one + last}, alpha).epsilon > 1
    assert stats.binomtest(accused, runs, alpha, "greater").pvalue > ALPHA
    assert accused < runs * alpha
