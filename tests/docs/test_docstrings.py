"""Every public function says what goes in and what comes out, with an example that runs."""

import doctest
import inspect
import re
from collections.abc import Callable
from typing import Any

import matplotlib
import pytest

import discretion as ds
from tests.cases import for_each

FUNCTIONS = {name: getattr(ds, name) for name in ds.__all__ if name[0].islower()}
PUBLIC = [*FUNCTIONS.values(), ds.Plan.from_frame]
SECTION = re.compile(r"^(\w+)\n-+\n(.*?)(?=^\w+\n-+\n|\Z)", re.MULTILINE | re.DOTALL)


def sections(function: Callable[..., Any]) -> dict[str, str]:
    return dict(SECTION.findall(inspect.getdoc(function) or ""))


@for_each("function", PUBLIC)
def test_every_parameter_is_described(function: Callable[..., Any]) -> None:
    found = sections(function)
    assert {"Parameters", "Returns", "Examples"} <= set(found), function
    heads = re.findall(r"^(\S.*)$", found["Parameters"], re.MULTILINE)
    described = [name for head in heads for name in head.split(", ")]
    assert sorted(described) == sorted(inspect.signature(function).parameters), function


@for_each("function", PUBLIC)
def test_every_example_runs(function: Callable[..., Any]) -> None:
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(verbose=False)
    with matplotlib.rc_context({"backend": "agg"}):
        found = [runner.run(each, clear_globs=False) for each in finder.find(function, globs={})]
    assert sum(each.attempted for each in found) > 1, function
    assert not any(each.failed for each in found), function


def test_a_wrong_example_is_noticed() -> None:
    def wrong() -> None:
        """Do nothing.

        >>> 1 + 1
        3
        """

    with pytest.raises(AssertionError):
        test_every_example_runs.__wrapped__(wrong)  # type: ignore[attr-defined]
