"""A model's file gives the model back bit for bit, and anything else is refused with a reason."""

import io
import json
import struct
import tracemalloc
import zlib
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipFile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discretion.errors import DiscretionError, EstimateError, NoSuchFile
from discretion.synthesis.file import FORMAT, TOLERANCE, check, load, save
from discretion.synthesis.model import Clique, Column, Model, Table
from discretion.synthesis.rows import synthetic
from tests.unit.synthesis.models import town


def assert_same(one: Model, other: Model) -> None:
    for a, b in zip(one.columns, other.columns, strict=True):
        assert (a.name, a.labels, a.values) == (b.name, b.labels, b.values)
        assert [type(value) for value in a.values] == [type(value) for value in b.values]
        assert (a.spread is None) == (b.spread is None)
        assert a.spread is None or b.spread is None or a.spread.tobytes() == b.spread.tobytes()
    for c, d in zip(one.cliques, other.cliques, strict=True):
        assert (c.axes, c.parent, c.separator) == (d.axes, d.parent, d.separator)
        assert c.table.shape == d.table.shape
        assert c.table.tobytes() == d.table.tobytes()


def lone(column: Column, *probabilities: float) -> Model:
    return Model((column,), (Clique((0,), np.array(probabilities), None, ()),))


def test_a_model_comes_back_bit_for_bit_and_deals_the_same_rows(tmp_path: Path) -> None:
    model, path = town(), tmp_path / "town.model"
    save(model, path)
    assert_same(model, load(path))
    assert synthetic(load(path), 500, 1) == synthetic(model, 500, 1)
    assert [file.name for file in tmp_path.iterdir()] == ["town.model"]
    save(model, str(path))  # over the one that is there


@given(
    st.lists(st.one_of(st.integers(-(2**62), 2**62), st.floats(-1e300, 1e300)), unique=True),
    st.lists(st.text(), min_size=1, unique=True),
)
def test_any_values_and_names_come_back(numbers: list[int | float], words: list[str]) -> None:
    texts = [word.encode("utf-8", "replace").decode() for word in words]
    values = tuple(numbers or [0])
    labels = tuple(f"{i} {texts[i % len(texts)]}" for i in range(len(values)))
    model = lone(Column(texts[0], labels, values), *np.full(len(values), 1 / len(values)))
    with TemporaryDirectory() as folder:
        save(model, Path(folder) / "m")
        assert_same(model, load(Path(folder) / "m"))


def rewritten(path: Path, **changes: Any) -> None:
    """Change fields of the header."""
    with np.load(path) as arrays:
        entries = dict(arrays)
    header = {**json.loads(entries["header"].tobytes()), **changes}
    entries["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    with path.open("wb") as file:
        np.savez(file, **entries)


def test_a_newer_format_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "m"
    save(town(), path)
    rewritten(path, format=FORMAT + 1, columns="something else")
    with pytest.raises(EstimateError, match=r"m: format 2 needs a newer version; this one reads 1"):
        load(path)


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "another archive"},
        {"format": "one"},
        {"format": 0},
        {"columns": None},
        {"columns": [{"name": "a"}]},
        {"cliques": [{"axes": [0.5], "parent": None, "separator": []}]},
        {"cliques": 3},
    ],
)
def test_a_header_that_says_something_else_is_refused(
    changes: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "m"
    save(town(), path)
    rewritten(path, **changes)
    with pytest.raises(EstimateError, match="must be a whole file of a model"):
        load(path)


def test_files_of_other_kinds_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "m"
    with pytest.raises(NoSuchFile, match="no such file"):
        load(path)
    with pytest.raises(EstimateError, match="cannot be read"):
        load(tmp_path)
    save(town(), path)
    whole = path.read_bytes()
    array, archive, pickled = io.BytesIO(), io.BytesIO(), io.BytesIO()
    np.save(array, np.ones(3))
    np.savez(archive, other=np.ones(3))
    np.savez(pickled, header=np.array([{}], object))
    wrong = [b"", b"name,value\n", whole[:-30], whole[:100], whole[: len(whole) // 2]]
    for content in [*wrong, *(file.getvalue() for file in (array, archive, pickled))]:
        path.write_bytes(content)
        with pytest.raises(EstimateError, match="must be a whole file of a model"):
            load(path)


BOMB = 1 << 25  # bytes that it unfolds to
SMALL = 1 << 22  # bytes that a refusal may take


def members(path: Path) -> dict[str, bytes]:
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def written(path: Path, members: dict[str, bytes], method: int = ZIP_DEFLATED) -> None:
    with ZipFile(path, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def npy(shape: tuple[int, ...], dtype: str = "<f8", content: bytes = b"") -> bytes:
    """An array whose header announces a shape, whatever follows."""
    own = io.BytesIO()
    head = {"shape": shape, "descr": dtype, "fortran_order": False}
    np.lib.format.write_array_header_1_0(own, head)
    return own.getvalue() + content


def announcing(path: Path, name: str, size: int) -> None:
    """Change the size that the archive states for one of its members, in both of its headers."""
    whole = bytearray(path.read_bytes())
    with ZipFile(path) as archive:
        member = archive.getinfo(name)
    struct.pack_into("<I", whole, member.header_offset + 22, size)
    place = whole.rindex(name.encode()) - 46
    assert whole[place : place + 4] == b"PK\x01\x02"
    struct.pack_into("<I", whole, place + 24, size)
    path.write_bytes(whole)


def peak_of_refusal(path: Path, message: str) -> int:
    """Return how many bytes it took to refuse a file."""
    tracemalloc.start()
    try:
        with pytest.raises(EstimateError, match=message):
            load(path)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


WHOLE = "must be a whole file of a model"
BOMBS = {
    "a table that is larger than its attributes": (
        "table.4.npy",
        npy((BOMB // 8,), content=bytes(BOMB)),
        r"clique 4: the table must be float64 of shape \(2,\), got \(4194304,\)",
    ),
    "a spread that is larger than its column": (
        "spread.2.npy",
        npy((3, BOMB // 24), content=bytes(BOMB // 24 * 24)),
        "'age': must have a value for each category, or a spread",
    ),
    "a header that is too long": (
        "header.npy",
        npy((BOMB,), "|u1", b" " * BOMB),
        "the header may take 16,777,216 bytes, got 33,554,432",
    ),
    "bytes behind a table": ("table.4.npy", npy((2,), content=bytes(BOMB)), WHOLE),
    "a shape without its bytes": ("table.4.npy", npy((1 << 40,)), WHOLE),
    "a shape beyond all numbers": ("table.4.npy", npy((1 << 80,)), WHOLE),
    "a shape below zero": ("table.4.npy", npy((-2,)), WHOLE),
    "entries that are large themselves": (
        "table.4.npy",
        npy((2,), f"|V{BOMB // 2}", bytes(BOMB)),
        WHOLE,
    ),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_a_file_that_announces_too_much_is_refused_before_it_is_unfolded(
    kind: str, tmp_path: Path
) -> None:
    name, content, message = BOMBS[kind]
    path = tmp_path / "m"
    save(town(), path)
    written(path, {**members(path), name: content})
    assert path.stat().st_size < BOMB / 200
    assert peak_of_refusal(path, message) < SMALL


@pytest.mark.parametrize("stated", [0, 100, 144, 1 << 20, (1 << 32) - 2])
def test_a_file_that_lies_about_a_size_is_refused_and_read_no_further(
    stated: int, tmp_path: Path
) -> None:
    """The archive states another size than the array has; the array states what a model needs."""
    path = tmp_path / "m"
    save(town(), path)
    bomb = npy((2,), content=np.array([0.3, 0.7]).tobytes() + bytes(BOMB))
    written(path, {**members(path), "table.4.npy": bomb})
    announcing(path, "table.4.npy", stated)
    assert peak_of_refusal(path, WHOLE) < SMALL


def test_of_a_bomb_that_lies_about_everything_no_more_is_read_than_it_states(
    tmp_path: Path,
) -> None:
    """Size and checksum are those of the array that the bomb begins with, so that loads."""
    path, model = tmp_path / "m", town()
    save(model, path)
    own = members(path)
    written(path, {**own, "table.4.npy": own["table.4.npy"] + bytes(BOMB)})
    announcing(path, "table.4.npy", len(own["table.4.npy"]))
    whole = bytearray(path.read_bytes())
    place = whole.rindex(b"table.4.npy") - 46
    struct.pack_into("<I", whole, place + 16, zlib.crc32(own["table.4.npy"]))
    path.write_bytes(whole)
    tracemalloc.start()
    assert_same(model, load(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < SMALL


@pytest.mark.parametrize("method", [ZIP_BZIP2, ZIP_LZMA])
def test_other_compressions_are_refused(method: int, tmp_path: Path) -> None:
    path = tmp_path / "m"
    save(town(), path)
    written(path, members(path), method)
    with pytest.raises(EstimateError, match=WHOLE):
        load(path)


def test_a_model_that_could_not_be_read_again_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discretion.synthesis.file.MOST_CELLS", 100)
    with pytest.raises(EstimateError, match=r"a model may have 100 cells in all, got 1\d\d"):
        save(town(), tmp_path / "m")
    monkeypatch.setattr("discretion.synthesis.file.MOST_CELLS", 1000)
    monkeypatch.setattr("discretion.synthesis.file.MOST_TEXT", 100)
    with pytest.raises(EstimateError, match="names and values may take 100 bytes, got"):
        save(town(), tmp_path / "m")
    assert not any(tmp_path.iterdir())


def test_tables_keep_their_order_in_memory_and_may_be_changed(tmp_path: Path) -> None:
    turned = clique_changed(1, table=np.asfortranarray(town().cliques[1].table))
    save(turned, tmp_path / "m")
    found = load(tmp_path / "m")
    assert_same(turned, found)
    assert found.cliques[1].table.flags.f_contiguous
    assert found.cliques[1].table.flags.writeable


def test_damaged_bytes_never_load_as_another_model(tmp_path: Path) -> None:
    path, model = tmp_path / "m", town()
    save(model, path)
    whole = path.read_bytes()
    for place in np.random.default_rng(1).integers(0, len(whole), 200):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            found = load(path)
        except EstimateError:
            continue
        assert_same(model, found)  # as when a date was hit


def clique_changed(place: int, **changes: Any) -> Model:
    model = town()
    cliques = list(model.cliques)
    cliques[place] = replace(cliques[place], **changes)
    return replace(model, cliques=tuple(cliques))


def shifted(table: Table, by: float) -> Table:
    """Move mass from the last to the first category of the first axis."""
    moved = table.copy()
    moved[0] *= 1 + by / table[0].sum()
    moved[-1] *= 1 - by / table[-1].sum()
    return moved


def tilted(by: float) -> Model:
    return clique_changed(1, table=shifted(town().cliques[1].table, by))


def column_changed(**changes: Any) -> Model:
    model = town()
    columns = list(model.columns)
    columns[2] = replace(columns[2], **changes)
    return replace(model, columns=tuple(columns))


TOO_FEW = np.full((3, 30), 1 / 40)
BAD = {
    "must have attributes and cliques": Model((), ()),
    "different names": column_changed(name="sex"),
    "clique 4: probabilities must not be neg": clique_changed(4, table=np.array([-0.5, 1.5])),
    "clique 4: probabilities must not": clique_changed(4, table=np.array([np.nan, 1])),
    "clique 4: probabilities must sum to one, got 0.9": clique_changed(
        4, table=np.array([0.4, 0.5])
    ),
    "clique 4: the table must be float64 of shape": clique_changed(4, table=np.full(3, 1 / 3)),
    "clique 4: the table must be float64": clique_changed(4, table=np.array([1, 0])),
    "clique 4: axes must be different attributes": clique_changed(4, axes=(6,)),
    r"clique 4: axes must .* got \(-1,\)": clique_changed(4, axes=(-1,)),
    r"clique 4: axes must .* got \(5, 5\)": clique_changed(4, axes=(5, 5)),
    "clique 4: the parent must come before it, got 4": clique_changed(4, parent=4),
    "clique 4: the parent must come before it, got -1": clique_changed(4, parent=-1),
    "clique 4: the parent must come before it, got None": clique_changed(4, parent=None),
    "clique 0: the parent must": clique_changed(0, parent=0),
    "clique 3: the separator must be": clique_changed(3, separator=(2,)),
    "clique 3: the separator must .* parent has too": clique_changed(3, parent=0),
    "clique 1: it must agree with its parent": tilted(4 * TOLERANCE),
    "no clique has 'pet'": replace(town(), cliques=town().cliques[:-1]),
    "'age': values must be different labels": column_changed(values=(1,) * 30),
    "'age': values must .* or numbers": column_changed(values=(*range(29), "x")),
    "'age': the name must be text": column_changed(labels=("a", "a", "b")),
    "'age': must have a value for each category": column_changed(spread=None),
    "'age': must have .* or a spread": column_changed(spread=np.full((3, 29), 1 / 29)),
    "'age': the probabilities within a category must sum to one": column_changed(spread=TOO_FEW),
    "'age': the probabilities of values must not be negative": column_changed(spread=-TOO_FEW),
}


@pytest.mark.parametrize("message", BAD)
def test_tables_that_are_no_model_are_neither_written_nor_read(
    message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m"
    with pytest.raises(EstimateError, match=message):
        save(BAD[message], path)
    assert not path.exists()
    with monkeypatch.context() as unchecked:
        unchecked.setattr("discretion.synthesis.file.check", lambda _: None)
        save(BAD[message], path)
    with pytest.raises(EstimateError, match=rf"m: .*{message}"):
        load(path)


def test_rounding_is_no_disagreement() -> None:
    check(tilted(TOLERANCE / 2))


def test_a_folder_that_is_not_there_is_said_clearly(tmp_path: Path) -> None:
    with pytest.raises(DiscretionError, match="cannot be written"):
        save(town(), tmp_path / "nowhere" / "m")
