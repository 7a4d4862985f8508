"""Some of the reports: the same ones of a table and of its folder."""

from pathlib import Path

import pytest

from discretion.table.folder import sampled
from tests.builders import crowd, survey
from tests.folders import in_folder


@pytest.mark.parametrize("count", [1, 40, 200, 500])
def test_those_with_the_smallest_ids_are_taken_in_their_order(count: int, tmp_path: Path) -> None:
    table = crowd(survey(), 200, seed=3)
    some = sampled(table, count)
    ids = sorted(table.data["id"].to_pylist(), key=lambda own: int.from_bytes(own[:8], "little"))
    assert some.data["id"].to_pylist() == ids[:count]
    again = sampled(in_folder(table, tmp_path, shard=30), count)
    assert again.simulated
    assert again.data.select(["id", "mode.y"]) == some.data.select(["id", "mode.y"])
