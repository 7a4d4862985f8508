"""Means and quantiles of numbers in bins: bounds that hold wherever in the bins the numbers lie."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest

import discretion as ds
from discretion.errors import EstimateError
from discretion.numbers.binned import BinnedEstimate
from discretion.plan import Plan
from tests.plans import WORK, author

EDGES = [0, 10, 20, 40, 80]
HOURS = {"name": "hours", "kind": "numeric", "range": [0, 80], "step": 1, "bins": EDGES}
HOURS |= {"applies": {"work": ["employed", "own shop"]}}
BORN = {"name": "born", "kind": "date", "range": ["1950-01-01", "2000-01-01"]}
BORN |= {"bins": ["1950-01-01", "1970-01-01", "2000-01-01"]}
PLAN = Plan.of(author(attributes=[WORK, HOURS, BORN]))
SHARES = np.array([0.1, 0.3, 0.4, 0.2])  # of bins, among those to whom it applies
LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)
SEED = 25
PLACES = ("first", "last", "even")
Numbers = npt.NDArray[np.int64]


def placed(place: str, bins: Numbers, rng: np.random.Generator) -> Numbers:
    """Return whole numbers in these bins: all at an end of them, or anywhere."""
    low, high = np.array(EDGES)[bins], np.array(EDGES)[bins + 1]
    ends = {"first": low, "last": high - 1}
    return ends[place] if place in ends else rng.integers(low, high)


def crowd(n: int, place: str, seed: int) -> tuple[ds.ReportTable, npt.NDArray[np.float64]]:
    """Return reports at unequal budgets, a tenth of them without hours; and the true values."""
    rng = np.random.default_rng(seed)
    applies, lacks = rng.random(n) < 0.6, rng.random(n) < 0.1
    bins = rng.choice(4, n, p=SHARES)
    hours = placed(place, bins, rng)
    true = placed(place, rng.choice(4, 10**5, p=SHARES), rng)
    columns = {
        "work": np.where(applies, "employed", "retired"),
        "hours": pa.array(hours, mask=lacks),
    }
    columns["born"] = pa.array(rng.integers(-7000, 10_000, n).astype("int32")).cast(pa.date32())
    reports = ds.simulate(PLAN, pa.table(columns), budgets="dirichlet", seed=seed)
    return reports, np.append(true.mean(), np.quantile(true, LEVELS, method="inverted_cdf"))


def test_without_noise_the_bounds_are_those_of_the_bins() -> None:
    known = np.array([0.1, 0.3, 0.4, 0.2])
    found = BinnedEstimate(
        "hours", np.array(EDGES, float), known, known, np.zeros((4, 4)), LEVELS, 9, "mle", 1.0
    )
    low, high = found.interval().T
    assert low == pytest.approx([known @ EDGES[:-1], 0, 10, 20, 20, 40])
    assert high == pytest.approx([known @ EDGES[1:], 10, 20, 40, 40, 80])
    assert found.value == pytest.approx([0.5 + 4.5 + 12 + 12, 10, 15, 25, 37.5, 60])
    rng = np.random.default_rng(SEED)
    for _ in range(50):  # any place in the bins
        ends = rng.uniform(EDGES[:-1], EDGES[1:])
        draws = np.repeat(ends, (known * 1000).astype(int))
        true = np.append(draws.mean(), np.quantile(draws, LEVELS, method="inverted_cdf"))
        assert ((low <= true) & (true <= high)).all()


@pytest.mark.parametrize("place", PLACES)
def test_it_is_about_those_to_whom_the_question_applies(place: str) -> None:
    reports, true = crowd(6_000, place, SEED)
    found = ds.binned(reports, "hours", LEVELS)
    low, high = found.interval(0.9999).T
    assert ((low <= true) & (true <= high)).all(), (low, true, high)
    assert ((low <= found.value) & (found.value <= high)).all()
    assert found.applies == pytest.approx(0.6, abs=0.1)
    assert "to whom it applies" in str(found)
    among = ds.frequencies(reports, "hours", applicable=True)
    assert found.shares == pytest.approx(among.value)
    document = found.document()
    assert [row["level"] for row in document["quantiles"]] == [*LEVELS]
    assert document["mean"]["low"] < document["mean"]["value"] < document["mean"]["high"]


def test_dates_are_dates_and_what_has_no_bins_is_refused() -> None:
    reports, _ = crowd(2_000, "even", SEED)
    frame = ds.binned(reports, "born").to_frame()
    assert pa.types.is_date(frame.schema.field("value").type)
    assert frame["what"].to_pylist()[:2] == ["mean", "0.25 quantile"]
    with pytest.raises(EstimateError, match="'work' must be a number in bins"):
        ds.binned(reports, "work")
    with pytest.raises(EstimateError, match="levels must lie between 0 and 1"):
        ds.binned(reports, "hours", [1.5])


@pytest.mark.slow
@pytest.mark.parametrize("method", ["weighted", "mle"])
@pytest.mark.parametrize("place", PLACES)
def test_intervals_cover_wherever_the_numbers_lie(method: str, place: str) -> None:
    runs, covered = 150, np.zeros(1 + len(LEVELS))
    for seed in range(runs):
        reports, true = crowd(2_000, place, seed)
        low, high = ds.binned(reports, "hours", LEVELS, method).interval().T
        covered += (low <= true) & (true <= high)
    print(f"seeds 0 to {runs - 1}, {method}, {place}: covered {covered / runs}")
    assert (covered / runs > 0.95 - 4 * np.sqrt(0.95 * 0.05 / runs)).all()
