"""A crowd of owners: true records in, a table of reports out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.budget.level import RANGE
from discretion.crowd.allocation import allocate, generator
from discretion.crowd.entries import Ragged
from discretion.crowd.misfits import Misfits
from discretion.crowd.ranges import range_indices, within_ranges
from discretion.crowd.records import (
    Codes,
    Rows,
    code_columns,
    codes_of,
    entry_columns,
    exact_numbers,
)
from discretion.crowd.shapes import draw
from discretion.crowd.sharing import sampled
from discretion.crowd.views import view_levels
from discretion.errors import RecordError
from discretion.kernel.count import index_rows
from discretion.kernel.numbers import MISSING
from discretion.plan import Plan
from discretion.report import ID_BYTES
from discretion.table import ReportTable
from discretion.table.columns import Bytes, Levels, LevelsByName, Mask, fixed_column
from discretion.table.frame import library_of, to_arrow
from discretion.table.validation import types_of


def simulate(
    plan: Plan,
    frame: object,
    *,
    budgets: object = "even",
    share: object = "all",
    ranges: object = "whole",
    seed: int | np.random.SeedSequence | None = None,
    strict: bool = False,
) -> ReportTable:
    """Return the reports that a crowd with these records would send.

    Owners who share too little for the plan send nothing. Who shares all attributes of a bundle
    reports the bundle: the first of the plan that her other bundles leave whole. Under a plan with
    views each owner reports the first view of her order that lies inside what she shares. The table
    is marked as simulated.

    Values that do not fit become what devices make of them, and ``changed`` of the table counts
    them by attribute: unknown labels, numbers outside the range or outside that of their owner, and
    text in place of a number, which is missing.

    Parameters
    ----------
    plan
        What is asked.
    frame
        The records: pandas, polars or Arrow, a mapping of columns or a list of rows. A null means
        that the owner lacks the attribute.
    budgets
        ``even``, ``dirichlet``, ``levels``, or a frame with a column of epsilons per attribute
        (null: not shared). A bundle has a column of its own, such as ``a+b``, and is reported where
        that is not null and the owner has all its attributes.
    share
        ``all``, a number m, a pair (low, high), or a probability; under a plan with ``sample`` each
        owner draws what she shares.
    ranges
        ``whole``, ``menu`` (any of the plan's, at random), or a frame with a column of indices on
        the menu per attribute (0: whole). Of a set or a map they are the lengths on its menu.
    seed
        The same one repeats the reports.
    strict
        Refuses values that do not fit.

    Returns
    -------
    A table of reports.

    Examples
    --------
    >>> import discretion as ds
    >>> people = {"pet": ["cat", "dog", "dog", None]}
    >>> pet = {"name": "pet", "kind": "categorical", "values": ["cat", "dog"]}
    >>> plan = ds.Plan.of({"name": "pets", "attributes": [pet], "budget": {"levels": [1, 4]}})
    >>> ds.simulate(plan, people, budgets="levels", seed=1)
    <3 simulated reports of plan 'pets': pet>
    """
    rng = generator(seed)
    records = to_arrow(frame)
    if records.num_rows == 0:
        raise RecordError("records", "there must be at least one", 0)
    misfits = None if strict else Misfits()
    codes = code_columns(plan, records, rng, misfits)
    entries = entry_columns(plan, records, rng, misfits)
    menus = [name for name in plan.attributes if plan.questions[name].written_ranges]
    numbers = {name: exact_numbers(plan, records, name) for name in menus}
    table = simulate_codes(
        plan,
        codes,
        rng,
        budgets=budgets,
        share=share,
        ranges=ranges,
        numbers=numbers,
        entries=entries,
    )
    counts = Counter(misfits.counts if misfits else {})
    changed = dict(counts + Counter(table.changed))
    return replace(table, changed=changed, frames=library_of(frame))


def simulate_codes(
    plan: Plan,
    codes: Codes,
    rng: np.random.Generator,
    *,
    budgets: object = "even",
    share: object = "all",
    ranges: object = "whole",
    numbers: Mapping[str, npt.NDArray[np.float64]] = MappingProxyType({}),
    entries: Mapping[str, Ragged] = MappingProxyType({}),
) -> ReportTable:
    """Return the reports of owners whose records are codes (n, attributes), as ``simulate`` does.

    They lack an attribute where the code is ``MISSING``. ``numbers`` are what codes of a number
    were before they were rounded, to count those outside the range of their owner. ``entries`` are
    the symbols of sets and maps, whose codes are the rows where these stand.
    """
    present = codes != MISSING
    if plan.share.weights and isinstance(budgets, str):
        levels = view_levels(plan, present, share, budgets, rng)
    else:
        levels = allocate(plan, sampled(plan, present, share, rng), budgets, rng)
    indices = range_indices(plan, len(codes), ranges, rng)
    part = _rows(np.any(levels > 0, axis=1))
    chosen = {name: places[part] for name, places in indices.items()}
    exact = {name: column[part] for name, column in numbers.items()}
    return _reports(plan, codes[part], levels[part], chosen, exact, entries, rng)


def simulate_in_parts(
    plan: Plan,
    frames: Iterable[object],
    *,
    budgets: object = "even",
    share: object = "all",
    ranges: object = "whole",
    seed: int | None = None,
    strict: bool = False,
) -> Iterator[ReportTable]:
    """Yield the reports of a crowd whose records come in parts, part by part: see ``simulate``.

    The same seed and the same parts give the same reports.
    """
    entropy = np.random.SeedSequence(seed).entropy
    for index, frame in enumerate(frames):
        own = np.random.SeedSequence(entropy, spawn_key=(index,))
        yield simulate(
            plan, frame, budgets=budgets, share=share, ranges=ranges, seed=own, strict=strict
        )


def _reports(
    plan: Plan,
    codes: Codes,
    levels: LevelsByName,
    indices: Mapping[str, Codes],
    numbers: Mapping[str, npt.NDArray[np.float64]],
    entries: Mapping[str, Ragged],
    rng: np.random.Generator,
) -> ReportTable:
    n = len(codes)
    ids = rng.integers(0, 1 << 64, (n, ID_BYTES // 8), np.uint64).view(np.uint8)
    columns: dict[str, pa.Array] = {
        "id": fixed_column(ids),
        "round": pa.array(np.zeros(n, np.int32)),
    }
    outside: dict[str, int] = {}
    cohorts = rng.integers(0, plan.cohorts, n) if plan.cohorts > 1 else np.zeros(n, np.int64)
    for j, name in enumerate(plan.names):
        level = levels[:, j].astype(np.int32)
        rows = _rows(level > 0)
        shares = None if isinstance(rows, slice) else level > 0
        own, strata = codes_of(plan, name, codes, rows, rng), level[rows]
        if name in indices:
            chosen = indices[name].astype(np.int32)
            columns[f"{name}.range"] = _integers(chosen, shares)
            if name not in entries:
                exact = numbers[name][rows] if name in numbers else None
                own, outside[name] = within_ranges(plan, name, own, chosen[rows], exact)
            strata = strata + np.int32(RANGE) * chosen[rows]
        if not plan.secret:
            columns[f"{name}.level"] = _integers(level, shares)
        drawn = _drawn(plan, name, strata, own, cohorts[rows], rng, entries.get(name))
        columns[f"{name}.y"] = fixed_column(
            _placed(drawn, rows, n, plan.questions[name].n_bytes), shares
        )
    data = pa.table(columns).select([*types_of(plan)])
    return ReportTable(plan, data, simulated=True, changed=outside)


def _rows(mask: Mask) -> Rows:
    """Return the rows of a mask: as a slice, which copies nothing, where these are all."""
    return slice(None) if mask.all() else np.flatnonzero(mask)


def _integers(entries: Levels, shares: Mask | None) -> pa.Array:
    """Return a column of integers, null where an owner does not share; None: all of them do."""
    return pa.array(entries, mask=None if shares is None else ~shares)


def _drawn(
    plan: Plan,
    name: str,
    strata: Levels,
    codes: Codes,
    cohorts: Codes,
    rng: np.random.Generator,
    entries: Ragged | None,
) -> Bytes:
    """Draw reports, in the cohorts of owners where these are not of the attribute alone."""
    if not len(strata):
        return np.zeros((0, 0), np.uint8)
    which = np.empty(len(strata), np.int64)
    used = index_rows(strata, which)
    question = plan.questions[name]
    laws = [question.law(stratum) for stratum in used.tolist()]
    shared = laws[0].cohorts > 1 and not question.parameters.apart
    return draw(laws, which, codes, rng, cohorts if shared else None, entries)


def _placed(drawn: Bytes, rows: Rows, n: int, width: int) -> Bytes:
    """Return bytes (n, width) with what was drawn in its rows: as it is, where it fills them."""
    if drawn.shape == (n, width):
        return drawn
    y = np.zeros((n, width), np.uint8)
    y[rows, : drawn.shape[1]] = drawn
    return y
