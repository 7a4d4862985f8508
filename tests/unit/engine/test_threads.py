"""Estimators run on one BLAS thread; whoever set more has them back, whichever call ends last."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
from threadpoolctl import OpenBLASController, threadpool_info, threadpool_limits

from discretion.engine import single_threaded
from discretion.joints import joint, methods
from discretion.joints.methods import Answer
from discretion.joints.table_evidence import TableEvidence
from tests.unit.joints.crowds import crowd, dependent, plan_of

SET = 3  # threads that a user has set


def blas_threads() -> set[int]:
    return {own["num_threads"] for own in threadpool_info() if own["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def user_setting() -> Iterator[None]:
    """Set the number of threads as an environment variable would: no thread controls it."""
    np.ones((2, 2)) @ np.ones((2, 2))
    with threadpool_limits(SET, "blas"):
        OpenBLASController.clear_controlling_thread()
        yield
        assert blas_threads() == {SET}


def test_one_thread_inside_and_what_was_set_afterwards() -> None:
    with single_threaded:
        assert blas_threads() == {1}
        with single_threaded:
            assert blas_threads() == {1}
        assert blas_threads() == {1}
    assert blas_threads() == {SET}


def test_an_error_restores_too() -> None:
    @single_threaded
    def fail() -> None:
        assert blas_threads() == {1}
        raise ArithmeticError

    with pytest.raises(ArithmeticError):
        fail()
    assert blas_threads() == {SET}


def test_calls_that_overlap_restore_when_the_last_one_ends() -> None:
    """The first to begin ends first: if each restored what it found, the limit would stay."""
    both, one_left = Barrier(2), Barrier(2)

    def first() -> None:
        with single_threaded:
            both.wait(10)
        one_left.wait(10)

    def second() -> set[int]:
        with single_threaded:
            both.wait(10)
            one_left.wait(10)
            return blas_threads()

    with ThreadPoolExecutor(2) as threads:
        done, inside = threads.submit(first), threads.submit(second)
        done.result()
        assert inside.result() == {1}
    assert blas_threads() == {SET}


def test_a_limit_that_another_thread_holds_is_left_alone() -> None:
    def other() -> set[int]:
        with single_threaded:
            return blas_threads()

    with threadpool_limits(2, "blas"), ThreadPoolExecutor(1) as threads:
        assert threads.submit(other).result() == {2}
        assert blas_threads() == {2}


def test_a_joint_table_is_estimated_on_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, tensor = [], methods.METHODS["tensor"]

    def watched(evidence: TableEvidence) -> Answer:
        seen.append(blas_threads())
        return tensor(evidence)

    monkeypatch.setitem(methods.METHODS, "tensor", watched)
    joint(crowd(plan_of((2, 3)), dependent((2, 3)), 200, 1), ("a", "b"), "tensor")
    assert seen == [{1}]
