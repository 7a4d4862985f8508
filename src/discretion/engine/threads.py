"""One BLAS thread for as long as an estimator runs.

Products and factorisations here are small and many. BLAS starts and joins its threads for each of
them: where cores are busy, the threads wait for each other, and a table takes several times as
long. BLAS may also divide a sum by how many threads it has, so that results would differ in their
last digits from machine to machine. Work that is worth it runs on several threads at a higher
level: shards of the reports, in ``LocalEngine``.

The setting belongs to the process and not to a thread. So the first of several calls at a time,
from whichever threads, sets it, and the last one puts back what was there: if each restored what
it had found, one that began during another would leave the limit in place for good.
"""

from contextlib import ContextDecorator
from functools import cache
from importlib import import_module
from threading import Lock
from types import TracebackType

from threadpoolctl import ThreadpoolController


class SingleThread(ContextDecorator):
    """Keeps products of matrices on the thread that asks for them, as long as someone is inside."""

    def __init__(self) -> None:
        self._lock, self._inside = Lock(), 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._limit = _libraries().limit(limits=1, user_api="blas")
            self._inside += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._limit.restore_original_limits()


single_threaded = SingleThread()


@cache
def _libraries() -> ThreadpoolController:
    """Find the libraries that this process has, NumPy's and SciPy's among them."""
    for library in ("numpy", "scipy.linalg"):
        import_module(library)
    return ThreadpoolController()
