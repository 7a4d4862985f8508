"""One BLAS thread for as long as an estimator runs.

Products and factorisations here are small and many. BLAS starts and joins its threads for each of
them: where cores are busy, the threads wait for each other, and a table takes several times as
long. BLAS may also divide a sum by how many threads it has, so that results would differ in their
last digits from machine to machine. Work that is worth it runs on several threads at a higher
level: shards of the reports, in ``LocalEngine``.

OpenBLAS has one setting per process. So the first of several calls at a time, from whichever
threads, sets it, and the last one restores what was there: if each restored what it had found, one
that began during another would leave the limit in place for good. For the same reason the thread
that set it does not keep control of it, without which threadpoolctl would ignore the other.
"""

from contextlib import ContextDecorator
from functools import cache
from importlib import import_module
from threading import Lock
from types import TracebackType
from typing import Any

from threadpoolctl import OpenBLASController, ThreadpoolController


class SingleThread(ContextDecorator):
    """Keeps products of matrices on the thread that asks for them while any thread is inside."""

    def __init__(self) -> None:
        self._lock, self._inside = Lock(), 0
        self._limit: Any = None  # that is in force

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                limit = _blas().limit(limits=1)
                OpenBLASController.clear_controlling_thread()
                taken = all(library["num_threads"] == 1 for library in _blas().info())
                self._limit = limit if taken else None  # else another thread holds them

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside and self._limit is not None:
                self._limit.restore_original_limits()
                OpenBLASController.clear_controlling_thread()


single_threaded = SingleThread()


@cache
def _blas() -> ThreadpoolController:
    """Find the libraries that this process has, NumPy's and SciPy's among them."""
    for library in ("numpy", "scipy.linalg"):
        import_module(library)
    return ThreadpoolController().select(user_api="blas")
