"""Coded reports in bulk agree with the law that reads them one at a time."""

import numpy as np

from discretion.crowd import simulate
from discretion.crowd.shapes import draw
from discretion.errors import Refusal
from discretion.mechanism import Encoding, Law
from discretion.mechanism.bloom import bloom
from discretion.mechanism.encoding import codewords
from discretion.mechanism.histogram import quantised_bits, she
from discretion.plan import Family, Plan
from discretion.table import ReportTable
from discretion.table.coded import (
    bit_positions,
    codeword_bits,
    cohorts_of,
    count_codewords,
    reported_bits,
)
from discretion.table.columns import Bytes
from discretion.table.validation import admitted
from tests.cases import for_each
from tests.plans import MODE, author

ENCODINGS = [
    Encoding(5, 2, 8),
    Encoding(5, 2, 13, 4),
    Encoding(5, 3, 64, 3),
    Encoding(5, 2, 70, 64, (750, 500)),
    Encoding(5, 1, 3, 5, (750, 500)),
    quantised_bits(5),
    quantised_bits(6),
    Encoding(5, 1, 5, depth=2),
]


def law_of(encoding: Encoding, level: int) -> Law:
    return (bloom if encoding.depth == 1 else she)(encoding, level)


def drawn(encoding: Encoding, seed: int, n: int = 300) -> tuple[Bytes, list[int]]:
    laws = [law_of(encoding, level) for level in (500, 3000)]
    rng = np.random.default_rng(seed)
    y = draw(laws, rng.integers(0, 2, n), rng.integers(0, encoding.size, n), rng)
    return y, [int.from_bytes(row.tobytes(), "little") for row in y]


@for_each("encoding", ENCODINGS)
def test_reported_bits_and_cohorts_are_those_of_the_integer(encoding: Encoding) -> None:
    y, integers = drawn(encoding, 1)
    base, above = 1 << encoding.depth, encoding.bits * encoding.depth
    for reported, cohort, whole in zip(
        reported_bits(encoding, y), cohorts_of(encoding, y), integers, strict=True
    ):
        assert sum(digit * base**i for i, digit in enumerate(reported.tolist())) == whole % (
            1 << above
        )
        assert cohort == whole >> above
        assert law_of(encoding, 500).form.admits(whole)
    form = law_of(encoding, 500).form
    assert admitted([form], np.zeros(len(y), np.int64), y).all()
    assert len(set(cohorts_of(encoding, y).tolist())) == min(encoding.cohorts, 64) or len(y) < 1000


@for_each("encoding", ENCODINGS)
def test_what_is_possible_is_what_the_law_says(encoding: Encoding) -> None:
    law, rng = law_of(encoding, 500), np.random.default_rng(2)
    y = rng.integers(0, 256, (500, law.n_bytes), np.uint8)
    y[::2, -1] &= 3
    expected = [law.form.admits(int.from_bytes(row.tobytes(), "little")) for row in y]
    assert admitted([law.form], np.zeros(len(y), np.int64), y).tolist() == expected
    assert any(expected)


@for_each("encoding", ENCODINGS)
def test_counts_are_those_of_each_level_and_cohort(encoding: Encoding) -> None:
    y, _ = drawn(encoding, 3)
    levels = np.random.default_rng(4).choice(np.array([500, 2000, 3000], np.int32), len(y))
    used, n, counts = count_codewords(encoding, y, levels)
    assert used.tolist() == [500, 2000, 3000]
    bits, cohorts = reported_bits(encoding, y), cohorts_of(encoding, y)
    for i, level in enumerate(used):
        for cohort in range(encoding.cohorts):
            mine = (levels == level) & (cohorts == cohort)
            assert n[i, cohort] == mine.sum()
            assert counts[i, cohort].tolist() == bits[mine].sum(axis=0).tolist()


@for_each("encoding", ENCODINGS)
def test_words_as_arrays_are_the_words(encoding: Encoding) -> None:
    table, positions = codeword_bits(encoding), bit_positions(encoding)
    for cohort, own in enumerate(codewords(encoding)):
        for code, codeword in enumerate(own):
            assert sum(1 << int(i) for i in np.flatnonzero(table[cohort, code])) == codeword
            assert sum(1 << int(i) for i in positions[cohort, code]) == codeword


MECHANISM = {"rappor": {"hashes": 2, "bits": 14, "cohorts": 3}}
PLAN = Plan.of(
    author(
        attributes=[
            {**MODE, "mechanism": MECHANISM},
            {**MODE, "name": "other", "mechanism": MECHANISM},
            {**MODE, "name": "plain", "mechanism": "bloom"},
        ]
    )
)


def crowd(n: int) -> ReportTable:
    values = np.random.default_rng(5).choice(MODE["values"], (3, n))
    frame = dict(zip(("mode", "other", "plain"), values, strict=True))
    return simulate(PLAN, frame, budgets="dirichlet", share=0.7, seed=6)


def test_simulated_owners_have_one_cohort_as_devices_have() -> None:
    reports = crowd(2000)
    encoding = PLAN.questions["mode"].law(1000, Family.CODEWORDS).encoding
    (_, one), (_, other) = reports.columns("mode"), reports.columns("other")
    both = np.asarray(reports.data["mode.y"].is_valid()) & np.asarray(
        reports.data["other.y"].is_valid()
    )
    mine, theirs = cohorts_of(encoding, one)[both], cohorts_of(encoding, other)[both]
    assert (mine == theirs).all()
    assert np.bincount(mine).min() > both.sum() / 3 * 0.8


def test_rows_that_no_device_sends_are_refused_and_the_others_kept() -> None:
    reports = crowd(50)
    frame = reports.to_frame("pandas")
    row = int(np.flatnonzero(frame["mode.y"].notna())[0])
    frame.at[row, "mode.y"] = b"\x00\xc0"  # a fourth cohort
    read = ReportTable.from_frame(PLAN, frame)
    assert [(r.row, r.reason) for r in read.refused] == [(row, Refusal.IMPOSSIBLE_OUTPUT)]
    assert len(read) == len(reports) - 1


def test_a_table_survives_a_file(tmp_path: object) -> None:
    reports, path = crowd(50), f"{tmp_path}/reports.parquet"
    reports.write(path)
    assert ReportTable.read(path, PLAN).data.equals(reports.data)
