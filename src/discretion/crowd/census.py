"""A generated census with correlated attributes, for demonstrations and tests: nobody is in it."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.crowd.allocation import generator
from discretion.errors import RecordError
from discretion.plan import Plan

AGES = ("16-29", "30-44", "45-64", "65+")
EDUCATION = ("school", "vocational", "bachelor", "master")
WORK = ("employed", "self-employed", "seeking", "retired", "student")
TRAVEL = ("car", "bus", "train", "bike", "walk")


def census_plan(allocation: str = "disclosed") -> Plan:
    """Return a plan that asks for the census: two per shared attribute on average.

    Parameters
    ----------
    allocation
        ``secret`` makes the same plan with levels that reports do not state.

    Returns
    -------
    A plan of five attributes with labels or bins.

    Examples
    --------
    >>> import discretion as ds
    >>> ds.census_plan().names
    ('age', 'education', 'work', 'travel', 'income')
    """
    labels = {"age": AGES, "education": EDUCATION, "work": WORK, "travel": TRAVEL}
    named = [{"name": k, "kind": "categorical", "values": v} for k, v in labels.items()]
    income = {"name": "income", "kind": "numeric", "range": [0, 150_000], "step": 100}
    bins = [0, 20_000, 40_000, 60_000, 80_000, 150_000]
    return Plan.of(
        {
            "name": "census",
            "attributes": [*named, {**income, "bins": bins}],
            "budget": {"average": 2, "least": 0.25, "most": 6},
            "allocation": allocation,
        }
    )


def census(owners: int, seed: int | None = None) -> pa.Table:
    """Return records of people who do not exist, to try things with.

    Parameters
    ----------
    owners
        How many.
    seed
        The same one repeats the records.

    Returns
    -------
    Age, education, work, travel to work, and yearly income, a row per person.

    Examples
    --------
    >>> import discretion as ds
    >>> ds.census(2, seed=1).to_pylist()[0]["travel"]
    'bike'
    """
    if not (isinstance(owners, int | np.integer) and owners >= 0):  # type: ignore[redundant-expr]
        raise RecordError("owners", "must be a whole number from 0 up", owners)
    rng = generator(seed)
    age = rng.choice(len(AGES), owners, p=(0.24, 0.26, 0.32, 0.18))
    education = _draw(rng, _EDUCATION_BY_AGE[age])
    work = _draw(rng, _WORK_BY_AGE[age])
    travel = _draw(rng, _TRAVEL_BY_WORK[work])
    centre = 18_000 + 7_000 * education + 6_000 * np.minimum(age, 2) + _PAY_BY_WORK[work]
    income = np.clip(centre * np.exp(0.35 * rng.standard_normal(owners)), 0, 149_999)
    return pa.table(
        {
            "age": np.array(AGES)[age],
            "education": np.array(EDUCATION)[education],
            "work": np.array(WORK)[work],
            "travel": np.array(TRAVEL)[travel],
            "income": income.round(-2),
        }
    )


def _draw(
    rng: np.random.Generator, probabilities: npt.NDArray[np.float64]
) -> npt.NDArray[np.int64]:
    """Draw one code per row, each row with its own probabilities."""
    return (rng.random((len(probabilities), 1)) > probabilities.cumsum(axis=1)[:, :-1]).sum(axis=1)


_EDUCATION_BY_AGE = np.array(
    [
        (0.40, 0.24, 0.26, 0.10),
        (0.18, 0.30, 0.32, 0.20),
        (0.26, 0.40, 0.20, 0.14),
        (0.42, 0.38, 0.12, 0.08),
    ]
)
_WORK_BY_AGE = np.array(
    [
        (0.46, 0.04, 0.08, 0.00, 0.42),
        (0.78, 0.12, 0.06, 0.00, 0.04),
        (0.72, 0.14, 0.05, 0.08, 0.01),
        (0.08, 0.05, 0.00, 0.87, 0.00),
    ]
)
_TRAVEL_BY_WORK = np.array(
    [
        (0.50, 0.14, 0.18, 0.12, 0.06),
        (0.62, 0.06, 0.08, 0.12, 0.12),
        (0.24, 0.36, 0.10, 0.16, 0.14),
        (0.42, 0.26, 0.06, 0.08, 0.18),
        (0.10, 0.30, 0.24, 0.26, 0.10),
    ]
)
_PAY_BY_WORK = np.array([14_000, 16_000, -6_000, 2_000, -10_000])
