"""Compiled inner loops: arrays in, arrays out. Nothing here knows what a plan or a report is.

``cached`` makes a kernel of a function: compiled into a cache where one can be written, else anew
in every process.
"""

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
KERNELS: list[Any] = []  # all that are called from Python, in the order of their modules
_NO_PLACE = "no locator available"  # how numba says that neither the source's folder nor home is


def cached(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return numba's ``njit`` with these options, and with a cache if there is a place for one.

    A function whose name begins with an underscore is a part of other kernels.
    """

    def registered(function: Callable[..., Any]) -> Any:
        kernel = _compiled(function, options)
        if not function.__name__.startswith("_"):
            KERNELS.append(kernel)
        return kernel

    return registered


def _compiled(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    try:
        return njit(cache=True, **options)(function)
    except RuntimeError as error:
        if _NO_PLACE not in str(error):
            raise
    _announce()
    return njit(**options)(function)


@cache
def _announce() -> None:
    """Say once that nothing is kept; workers leave it to the process that started them."""
    if multiprocessing.parent_process() is None:
        logging.getLogger("discretion").warning(UNKEPT)
