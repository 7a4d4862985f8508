"""Cases that are too short to be a test each: one test tries all, and names the one that fails."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

Test = Callable[..., None]


def for_each(names: str, cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Call a test with every case, as ``pytest.mark.parametrize`` would, but in a loop.

    A test costs pytest some milliseconds, whatever it does. Fixtures are those of all cases, so the
    test must leave them as they were.
    """
    listed, wanted = list(cases), [name.strip() for name in names.split(",")]

    def looped(test: Test) -> Test:
        @wraps(test)
        def run(**fixtures: object) -> None:
            for case in listed:
                values = [case] if len(wanted) == 1 else case
                try:
                    test(**dict(zip(wanted, values, strict=True)), **fixtures)
                except BaseException as error:
                    error.add_note(f"The case: {names} = {case!r:.500}")
                    raise

        signature = inspect.signature(test)
        kept = [own for name, own in signature.parameters.items() if name not in wanted]
        assert len(kept) + len(wanted) == len(signature.parameters)
        run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return run

    return looped
