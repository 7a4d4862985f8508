"""The names of the package can be called, however often and in whatever order they are used."""

import discretion as ds
from tests.cases import for_each


@for_each("name", [name for name in ds.__all__ if not name.startswith("_")])
def test_every_name_can_be_called_time_and_again(name: str) -> None:
    assert callable(getattr(ds, name))
    assert callable(getattr(ds, name))


def test_type_checkers_know_every_name_that_can_be_had() -> None:
    assert set(dir(ds)) == set(ds.__all__)
