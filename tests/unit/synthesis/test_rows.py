"""Synthetic rows: each is a draw from the model, and together they keep to its tables."""

import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, chisquare

from discretion.errors import DiscretionError, EstimateError
from discretion.synthesis.model import Clique, Column, Model, Table
from discretion.synthesis.rows import CHUNK, batches, schema, synthetic, write
from tests.significance import ALPHA
from tests.unit.synthesis.models import AGES, RATES, joint, labelled, town

ROWS = 100_000
FEWEST = 5  # expected counts below this are pooled: the chi-square law needs them that large
MIB = 1 << 20


def categories(model: Model, rows: pa.Table) -> npt.NDArray[np.int64]:
    """The category of each row in each column, shape (rows, columns)."""
    found = []
    for column in model.columns:
        known = {value: int(column.probabilities(value).argmax()) for value in column.values}
        found.append([known[value] for value in rows[column.name].to_pylist()])
    return np.array(found).T


def counted(codes: npt.NDArray[np.int64], shape: tuple[int, ...]) -> Table:
    counts = np.zeros(shape)
    np.add.at(counts, tuple(codes.T), 1)
    return counts


def fit(counts: Table, law: Table) -> float:
    expected = counts.sum() * law
    rare = expected < FEWEST
    pooled = [np.append(table[~rare], table[rare].sum()) for table in (counts, expected)]
    return float(chisquare(*pooled).pvalue)


def shared_parent() -> Model:
    """Two children of one separator, each with a probability of its own given that."""
    columns = tuple(labelled(name, "x", "y") for name in "abc")
    left, right = np.array([[0.2, 0.3], [0.3, 0.2]]), np.array([[0.1, 0.4], [0.35, 0.15]])
    root = Clique((0,), np.array([0.5, 0.5]), None, ())
    return Model(columns, (root, Clique((0, 1), left, 0, (0,)), Clique((0, 2), right, 0, (0,))))


@pytest.mark.parametrize("chunk", [1, 7])
def test_each_row_is_a_draw_from_the_model_and_another_model_would_be_noticed(chunk: int) -> None:
    """Chunks are independent, so the last rows of many chunks are an honest sample."""
    model, runs = town(), 3_000
    last = [batch.slice(chunk - 1) for batch in batches(model, runs * chunk, 51, chunk)]
    counts = counted(categories(model, pa.Table.from_batches(last)), model.shape)
    assert counts.sum() == runs
    assert not counts[joint(model) == 0].any()
    assert fit(counts, joint(model)) > ALPHA
    pets = (*model.cliques[:-1], replace(model.cliques[-1], table=np.array([0.45, 0.55])))
    wrong = joint(replace(model, cliques=pets))
    assert fit(counts, wrong) < ALPHA


def test_children_of_one_separator_are_independent_given_it() -> None:
    model, chunk = shared_parent(), 16
    one = [batch.slice(3, 1) for batch in batches(model, 4_000 * chunk, 52, chunk)]
    counts = counted(categories(model, pa.Table.from_batches(one)), model.shape)
    for given_parent in counts:
        assert chi2_contingency(given_parent).pvalue > ALPHA


def test_tables_scatter_much_less_than_those_of_independent_draws() -> None:
    model = town()
    codes = categories(model, synthetic(model, ROWS, 53))
    rng = np.random.default_rng(53)
    for clique in model.cliques:
        counts, law = counted(codes[:, clique.axes], clique.table.shape), clique.table
        sd = np.sqrt(ROWS * law * (1 - law))
        some = sd > 0
        off = (counts - ROWS * law)[some] / sd[some]
        draws = rng.multinomial(ROWS, law.ravel()).reshape(law.shape)
        assert not counts[~some].any()
        assert abs(off).max() < 0.25
        assert abs((draws - ROWS * law)[some] / sd[some]).max() > 0.25


def test_a_root_keeps_to_its_table_within_one_row() -> None:
    model = town()
    counts = counted(categories(model, synthetic(model, 12_345, 54))[:, [1, 0]], (3, 2))
    assert (abs(counts - 12_345 * model.cliques[0].table) < 1).all()


def test_numbers_come_back_on_their_grid_as_their_bins_spread_them() -> None:
    model = town()
    rows, column = synthetic(model, ROWS, 55), model.columns[2]
    assert set(rows["rate"].to_pylist()) <= set(RATES)
    assert column.spread is not None
    years = counted(rows["age"].to_numpy()[:, None] - AGES[0], (30,))
    law = model.marginal(["age"]) @ column.spread
    assert not years[law == 0].any()
    assert abs(years - ROWS * law).max() < 3  # a rounding of the bin, and one within it


def test_columns_have_plain_types_in_the_order_of_the_model() -> None:
    model = town()
    text, kinds = pa.string(), schema(model)
    assert synthetic(model, 10, 1).schema == kinds
    assert kinds.names == list(model.names)
    assert kinds.types == [text, text, pa.int64(), pa.float64(), text, text]
    whole = Column("n", ("a", "b"), (1.0, 2.0))
    lone = Model((whole,), (Clique((0,), np.array([0.5, 0.5]), None, ()),))
    assert synthetic(lone, 2, 1)["n"].to_pylist() in ([1, 2], [2, 1])
    assert schema(lone).types == [pa.int64()]


@settings(max_examples=25)
@given(st.integers(1, 400), st.integers(10, 150), st.integers(0, 2**40))
def test_a_seed_gives_the_same_rows_in_chunks_of_the_size_asked_for(
    rows: int, chunk: int, seed: int
) -> None:
    one, same = (list(batches(town(), rows, seed, chunk)) for _ in range(2))
    assert one == same
    sizes = [batch.num_rows for batch in one]
    assert sum(sizes) == rows
    assert sizes[:-1] == [chunk] * (len(sizes) - 1)
    assert 0 < sizes[-1] <= chunk


def test_another_seed_and_none_give_other_rows() -> None:
    model = town()
    seeds = (1, 2, None, None)
    tables = [synthetic(model, 200, seed) for seed in seeds]
    assert all(a != b for i, a in enumerate(tables) for b in tables[:i])
    assert synthetic(model, 200, 1) == tables[0]


def test_two_streams_at_once_do_not_disturb_each_other() -> None:
    model = town()
    pairs = list(zip(batches(model, 90, 1, 20), batches(model, 90, 2, 20), strict=True))
    assert [one for one, _ in pairs] == list(batches(model, 90, 1, 20))


def test_a_stream_of_any_length_needs_the_memory_of_a_chunk() -> None:
    stream = batches(town(), 10**12, 1, 10_000)
    next(stream)
    tracemalloc.start()
    arrow = pa.total_allocated_bytes()
    try:
        for batch in islice(stream, 50):
            assert batch.num_rows == 10_000
            assert pa.total_allocated_bytes() - arrow < 2 * MIB
        assert tracemalloc.get_traced_memory()[1] < 2 * MIB
    finally:
        tracemalloc.stop()
    assert next(batches(town(), 10**12, 1)).num_rows == CHUNK


def test_what_only_one_of_two_tables_allows_is_left_out() -> None:
    """Tables may differ by rounding: a parent's tiny probability of what its child never has."""
    tiny = 9e-7
    columns = (labelled("a", "x", "y"), labelled("b", "x", "y"))
    root = Clique((0,), np.array([1 - tiny, tiny]), None, ())
    model = Model(columns, (root, Clique((0, 1), np.array([[0.5, 0.5], [0, 0]]), 0, (0,))))
    assert set(synthetic(model, 3_000_000, 1)["a"].unique().to_pylist()) == {"x"}


def test_a_category_without_values_is_left_out() -> None:
    column = Column("n", ("low", "high"), (1, 2), np.array([[0.5, 0.5], [0, 0]]))
    lone = Clique((0,), np.array([1 - 5e-7, 5e-7]), None, ())
    assert synthetic(Model((column,), (lone,)), 3_000_000, 1).num_rows == 3_000_000


@pytest.mark.parametrize(
    "changed, message",
    [
        ({"rows": 0}, "rows must be at least 1, got 0"),
        ({"rows": 1.5}, "rows must be a whole number, got 1.5"),
        ({"rows": 5, "seed": -1}, "seed must be at least 0, got -1"),
        ({"rows": 5, "chunk": 0}, "chunk must be at least 1, got 0"),
        ({"rows": 5, "chunk": 1 << 40}, "chunk must be at most"),
    ],
)
def test_arguments_are_checked_before_the_first_batch(
    changed: dict[str, int], message: str
) -> None:
    with pytest.raises(DiscretionError, match=message):
        batches(town(), **changed)


def test_a_model_that_is_none_has_no_rows() -> None:
    model = town()
    with pytest.raises(EstimateError, match="clique 4: probabilities must sum to one"):
        batches(replace(model, cliques=(*model.cliques[:-1], _heavy(model.cliques[-1]))), 5)


def _heavy(clique: Clique) -> Clique:
    return replace(clique, table=2 * clique.table)


READERS = {
    "rows.parquet": pq.read_table,
    "rows.csv": csv.read_csv,
    "rows.arrow": feather.read_table,
    "rows.feather": feather.read_table,
}


@pytest.mark.parametrize("name", READERS)
def test_files_hold_the_rows(name: str, tmp_path: Path) -> None:
    model = town()
    assert write(batches(model, 1_000, 3, 300), tmp_path / name) == 1_000
    read = READERS[name](tmp_path / name)
    assert read.schema.equals(schema(model))
    assert read == pa.Table.from_batches(batches(model, 1_000, 3, 300))
    assert [path.name for path in tmp_path.iterdir()] == [name]


def _interrupted(error: BaseException) -> Iterator[pa.RecordBatch]:
    yield from batches(town(), 100, 3)
    raise error


@pytest.mark.parametrize("name", READERS)
def test_an_interrupted_run_leaves_no_file_and_keeps_the_one_before(
    name: str, tmp_path: Path
) -> None:
    with pytest.raises(KeyboardInterrupt):
        write(_interrupted(KeyboardInterrupt()), tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    write(batches(town(), 10, 4), tmp_path / name)
    before = (tmp_path / name).read_bytes()
    with pytest.raises(DiscretionError, match="cannot be written"):
        write(_interrupted(OSError(28, "No space left on device")), tmp_path / name)
    assert (tmp_path / name).read_bytes() == before


def test_what_cannot_be_written_is_said_clearly(tmp_path: Path) -> None:
    rows = list(batches(town(), 10, 4))
    with pytest.raises(
        DiscretionError, match=r"rows\.xlsx: must end in \.parquet, \.csv, \.arrow or \.feather"
    ):
        write(rows, tmp_path / "rows.xlsx")
    with pytest.raises(DiscretionError, match="cannot be written"):
        write(rows, tmp_path / "nowhere" / "rows.csv")
    with pytest.raises(DiscretionError, match="no rows"):
        write([], tmp_path / "rows.csv")
    assert list(tmp_path.iterdir()) == []
