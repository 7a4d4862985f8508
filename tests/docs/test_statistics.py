"""The reference of statistics is what the registry says."""

from tests.docs.statistics import OPERATE, PAGE, operate, page


def test_the_reference_of_statistics_is_what_the_registry_says() -> None:
    """To write it anew: python -m tests.docs.statistics."""
    assert PAGE.read_text(encoding="utf-8") == page()
    assert OPERATE.read_text(encoding="utf-8") == operate()
