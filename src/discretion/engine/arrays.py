"""Array code: what runs as it stands on NumPy's arrays and on those of an accelerator.

Such code asks an array for its namespace (the array API standard), assigns to no part of an array,
and takes whatever changes from pass to pass as an array. An engine may trace work that is marked as
array code and compile it for its devices; any other engine calls it like other work.
"""

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_MARKED: set[Callable[..., Any]] = set()


def namespace(array: Any) -> Any:
    """Return the module that works on an array: ``numpy``, or ``jax.numpy``."""
    return array.__array_namespace__()


def array_code(function: Function) -> Function:
    """Mark a function as array code; ``partial`` of it is array code too."""
    _MARKED.add(function)
    return function


def is_array_code(work: Callable[..., Any]) -> bool:
    """Whether some work, or what it is ``partial`` of, is marked."""
    return getattr(work, "func", work) in _MARKED
