"""Some of the reports: those with the smallest ids, which are random."""

from functools import partial

import numpy as np
import pyarrow as pa

from discretion.table.columns import matrix
from discretion.table.folder import ReportFolder
from discretion.table.reports import ReportTable


def sampled(reports: ReportTable | ReportFolder, count: int) -> ReportTable:
    """Return so many of the reports, or all if these are fewer, in the order of their ids."""
    merge = partial(_smaller, count)
    return reports.fold(reports.plan.names, partial(_smallest, count), merge, ids=True)


def _smallest(count: int, reports: ReportTable) -> ReportTable:
    ids = matrix(reports.data["id"].combine_chunks())
    order = np.argsort(np.ascontiguousarray(ids[:, :8]).view(np.uint64)[:, 0], kind="stable")
    return ReportTable(reports.plan, reports.data.take(order[:count]), reports.simulated)


def _smaller(count: int, one: ReportTable, other: ReportTable) -> ReportTable:
    both = pa.concat_tables([one.data, other.data])
    return _smallest(count, ReportTable(one.plan, both, one.simulated))
