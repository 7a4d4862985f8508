"""A kernel is compiled also where no cache can be written, and one line says so."""

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from discretion import kernel as module
from discretion.kernel import UNKEPT, cached

SOURCE = "def doubled(x):\n    return 2 * x\n"


@pytest.fixture(autouse=True)
def silent() -> Iterator[None]:
    """Each test is a process that has said nothing yet."""
    module._announce.cache_clear()
    yield
    module._announce.cache_clear()


def homeless() -> Callable[[int], int]:
    """Return a function for which numba finds no folder: its source is in no file."""
    found: dict[str, Any] = {}
    exec(compile(SOURCE, "<nowhere>", "exec"), found)
    doubled: Callable[[int], int] = found["doubled"]
    return doubled


def test_a_kernel_without_a_place_for_a_cache_works(caplog: pytest.LogCaptureFixture) -> None:
    kernel = cached(nogil=True)(homeless())
    assert kernel(21) == 42
    assert kernel.stats.cache_path is None
    assert [record.message for record in caplog.records] == [UNKEPT]


def test_it_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(3):
        cached()(homeless())
    assert len(caplog.records) == 1
    assert caplog.records[0].levelno == logging.WARNING


def test_a_worker_leaves_it_to_the_process_that_started_it(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("multiprocessing.parent_process", object)
    cached()(homeless())
    assert not caplog.records


def test_another_error_of_the_compiler_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> Callable[..., Any]:
        raise RuntimeError("something else")

    monkeypatch.setattr(module, "njit", broken)
    with pytest.raises(RuntimeError, match="something else"):
        cached()(homeless())
