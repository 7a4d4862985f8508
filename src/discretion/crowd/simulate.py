"""A crowd of owners: true records in, a table of reports out."""

import numpy as np
import pyarrow as pa

from discretion.crowd.allocation import allocate
from discretion.crowd.records import MISSING, Codes, code_columns, codes_of
from discretion.crowd.shapes import draw
from discretion.crowd.sharing import shared
from discretion.errors import RecordError
from discretion.plan import Plan
from discretion.report.message import ID_BYTES
from discretion.table import ReportTable
from discretion.table.columns import fixed_column
from discretion.table.expansion import Levels
from discretion.table.frame import to_arrow


def simulate(
    plan: Plan,
    frame: object,
    *,
    budgets: object = "even",
    share: object = "all",
    seed: int | None = None,
) -> ReportTable:
    """Return the reports that a crowd with these records would send.

    ``budgets``: "even", "dirichlet", "levels", or a frame with a column of epsilons per attribute
    (null: not shared). ``share``: "all", a number m, a pair (low, high), or a probability. A null
    in ``frame`` means that the owner lacks the attribute. Owners who share too little for the plan
    send nothing. The table is marked as simulated.

    Who shares all attributes of a bundle reports the bundle: the first of the plan that her other
    bundles leave whole. In a frame of epsilons it has a column of its own, such as ``a+b``, and is
    reported where that is not null and the owner has all its attributes.
    """
    rng = np.random.default_rng(seed)
    records = to_arrow(frame)
    if records.num_rows == 0:
        raise RecordError("records", "there must be at least one", 0)
    codes = code_columns(plan, records, rng)
    sharing = shared(codes != MISSING, share, plan.share_least, rng)
    levels = allocate(plan, sharing, budgets, rng)
    taking_part = (levels > 0).any(axis=1)
    return _reports(plan, codes[taking_part], levels[taking_part], rng)


def _reports(plan: Plan, codes: Codes, levels: Levels, rng: np.random.Generator) -> ReportTable:
    n = len(codes)
    ids = np.frombuffer(rng.bytes(n * ID_BYTES), np.uint8).reshape(n, ID_BYTES)
    columns: dict[str, pa.Array] = {
        "id": fixed_column(ids),
        "round": pa.array(np.zeros(n, np.int32)),
    }
    for j, name in enumerate(plan.names):
        level, shares = levels[:, j], levels[:, j] > 0
        y = np.zeros((n, plan.width(name)), np.uint8)
        if shares.any():
            menu, which = np.unique(level[shares], return_inverse=True)
            laws = [plan.law(name, int(v)) for v in menu]
            y[shares] = draw(laws, which, codes_of(plan, name, codes, shares), rng)
        if not plan.secret:
            columns[f"{name}.level"] = pa.array(level.astype(np.int32), mask=~shares)
        columns[f"{name}.y"] = fixed_column(y, shares)
    return ReportTable(plan, pa.table(columns), simulated=True)
