"""Discretion: statistics about a crowd in which every person decides how much truth leaves her.

Names are loaded when they are first used, so that ``discretion.device`` imports where nothing but
Python is installed.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discretion.aggregate import Aggregate
    from discretion.auditing import Audit, audit, audit_budgets, audit_callable
    from discretion.budget import Budget
    from discretion.calibration import Calibration, calibrate
    from discretion.candidates import PooledEstimate, focus, pool
    from discretion.comparisons import (
        Adjusted,
        DifferenceEstimate,
        adjust,
        compare,
        fits,
    )
    from discretion.crowd import census, census_plan, simulate
    from discretion.design import (
        Advice,
        Comparison,
        MeanAdvice,
        Needed,
        advise,
        advise_means,
        compare_mechanisms,
        needed,
    )
    from discretion.device import Device, State, UploadClient
    from discretion.discovery import DiscoveryEstimate, discover
    from discretion.errors import (
        AllocationWarning,
        CalibrationWarning,
        DependenceWarning,
        DiscretionError,
        InteractionWarning,
    )
    from discretion.estimate import FrequencyEstimate
    from discretion.estimate.show import plot_frequencies
    from discretion.groups import (
        Crosstab,
        GroupMeans,
        GroupQuantiles,
        RatioEstimate,
        frequencies,
        mean,
        quantiles,
    )
    from discretion.joints import JointEstimate, joint, postprocess
    from discretion.labels import frequency_limit, top
    from discretion.numbers import (
        CurveEstimate,
        ExtremeEstimate,
        HistogramEstimate,
        NumberEstimate,
        binned,
        histogram,
        maximum,
        mean_limit,
        minimum,
        sum,
        variance,
    )
    from discretion.order import LinearRanges, RangesEstimate, cdf, ranges
    from discretion.plan import Plan
    from discretion.plan.public_text import public_code
    from discretion.report import Report
    from discretion.robustness import margin, screen
    from discretion.sets import means
    from discretion.synthesis import Dependence, Model, Publication, Quality, dependence, publish
    from discretion.table import ReportFolder, ReportTable
    from discretion.trends import SeriesEstimate, change, series

__version__ = "0.1.0"

__all__ = [
    "Adjusted",
    "Advice",
    "Aggregate",
    "AllocationWarning",
    "Audit",
    "Budget",
    "Calibration",
    "CalibrationWarning",
    "Comparison",
    "Crosstab",
    "CurveEstimate",
    "Dependence",
    "DependenceWarning",
    "Device",
    "DifferenceEstimate",
    "DiscoveryEstimate",
    "DiscretionError",
    "ExtremeEstimate",
    "FrequencyEstimate",
    "GroupMeans",
    "GroupQuantiles",
    "HistogramEstimate",
    "InteractionWarning",
    "JointEstimate",
    "LinearRanges",
    "MeanAdvice",
    "Model",
    "Needed",
    "NumberEstimate",
    "Plan",
    "PooledEstimate",
    "Publication",
    "Quality",
    "RangesEstimate",
    "RatioEstimate",
    "Report",
    "ReportFolder",
    "ReportTable",
    "SeriesEstimate",
    "State",
    "UploadClient",
    "__version__",
    "adjust",
    "advise",
    "advise_means",
    "audit",
    "audit_budgets",
    "audit_callable",
    "binned",
    "calibrate",
    "cdf",
    "census",
    "census_plan",
    "change",
    "compare",
    "compare_mechanisms",
    "dependence",
    "discover",
    "fits",
    "focus",
    "frequencies",
    "frequency_limit",
    "histogram",
    "joint",
    "margin",
    "maximum",
    "mean",
    "mean_limit",
    "means",
    "minimum",
    "needed",
    "plot_frequencies",
    "pool",
    "postprocess",
    "public_code",
    "publish",
    "quantiles",
    "ranges",
    "screen",
    "series",
    "simulate",
    "sum",
    "top",
    "variance",
]

_HOMES = {  # by module, what is no statistic of the registry
    "aggregate": "Aggregate",
    "auditing": "Audit audit audit_budgets audit_callable",
    "budget": "Budget",
    "candidates": "PooledEstimate focus pool",
    "calibration": "Calibration calibrate",
    "comparisons": "Adjusted DifferenceEstimate adjust",
    "crowd": "census census_plan simulate",
    "design": "Advice Comparison MeanAdvice Needed advise advise_means compare_mechanisms needed",
    "device": "Device State UploadClient",
    "errors": "AllocationWarning CalibrationWarning DependenceWarning DiscretionError "
    "InteractionWarning",
    "estimate": "FrequencyEstimate",
    "estimate.show": "plot_frequencies",
    "groups": "Crosstab GroupMeans GroupQuantiles RatioEstimate",
    "joints": "JointEstimate postprocess",
    "labels": "frequency_limit top",
    "numbers": "CurveEstimate ExtremeEstimate HistogramEstimate NumberEstimate mean_limit sum",
    "order": "LinearRanges RangesEstimate",
    "discovery": "DiscoveryEstimate",
    "plan": "Plan",
    "plan.public_text": "public_code",
    "report": "Report",
    "robustness": "margin",
    "synthesis": "Dependence Model Publication Quality dependence publish",
    "table": "ReportFolder ReportTable",
    "trends": "SeriesEstimate change series",
}


def _places() -> dict[str, str]:
    """Return where each public name is to be had: its module and its name there."""
    from discretion.statistics import STATISTICS

    found = {
        name: f"discretion.{home}:{name}"
        for home, names in _HOMES.items()
        for name in names.split()
    }
    return found | {each.function_name: each.location for each in STATISTICS.values()}


def __getattr__(name: str) -> Any:
    from discretion.extras import needed
    from discretion.statistics.option import load

    places = _places()
    if name not in places:
        raise AttributeError(f"module 'discretion' has no attribute {name!r}")
    with needed(f"discretion.{name}"):
        return load(places[name])


def __dir__() -> list[str]:
    return sorted(["__version__", *_places()])
