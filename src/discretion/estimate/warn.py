"""Warnings of estimators name the line that asked for the estimate, however deep they arise."""

import sys
import warnings

OURS = ("discretion", "contextlib")  # the latter: functions that are decorated by a context


def warn(message: str, category: type[Warning]) -> None:
    """Warn at the line of the caller's own code that called into this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _is_ours(frame.f_back.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level + 1)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in OURS
