"""Columns in one piece."""

import pyarrow as pa
import pytest

from discretion.table.columns import whole


def test_a_column_of_one_piece_is_not_copied() -> None:
    piece = pa.array([1.5, None, 2.5])
    found = whole(pa.chunked_array([piece]))
    assert found.buffers()[1].address == piece.buffers()[1].address


@pytest.mark.parametrize("pieces", [[], [[]], [[1], [2, 3]], [[1, None], [], [3]]])
def test_pieces_are_put_together_in_order(pieces: list[list[int | None]]) -> None:
    found = whole(pa.chunked_array(pieces, pa.int64()))
    assert found.to_pylist() == [entry for piece in pieces for entry in piece]
