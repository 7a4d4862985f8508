"""Compiling a kernel: into a cache where one can be written, else anew in every process."""

import logging
import multiprocessing
from collections.abc import Callable
from functools import cache
from typing import Any

from numba import njit

UNKEPT = (
    "discretion: no cache for compiled code is writable, so every process compiles its own, which "
    "takes some seconds; NUMBA_CACHE_DIR may name a folder for one"
)
_NO_PLACE = "no locator available"  # how numba says that neither the source's folder nor home is


def cached(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return numba's ``njit`` with these options, and with a cache if there is a place for one."""

    def compiled(function: Callable[..., Any]) -> Any:
        try:
            return njit(cache=True, **options)(function)
        except RuntimeError as error:
            if _NO_PLACE not in str(error):
                raise
        _announce()
        return njit(**options)(function)

    return compiled


@cache
def _announce() -> None:
    """Say once that nothing is kept; workers leave it to the process that started them."""
    if multiprocessing.parent_process() is None:
        logging.getLogger("discretion").warning(UNKEPT)
