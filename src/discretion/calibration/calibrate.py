"""``calibrate``: weights by which respondents who selected themselves have known margins."""

import json
from itertools import product

import numpy as np

from discretion.calibration.calibrated import (
    Respondents,
    known_errors,
    stacked,
    warn_if_few,
)
from discretion.calibration.calibration import METHODS, Calibration, reports_of
from discretion.calibration.margins import read_margins
from discretion.calibration.raking import Raked
from discretion.errors import EstimateError
from discretion.estimate.estimate import check_choice
from discretion.estimate.noise import Vector
from discretion.estimate.weighting import Weighting
from discretion.joints.methods import Answer
from discretion.render.formats import listed
from discretion.table import Reports
from discretion.table.frame import as_its_caller


@as_its_caller
def calibrate(reports: Reports, margins: object, method: str = "auto") -> Calibration:
    """Return weights by which the respondents have known margins.

    That assumes that who responds depends on these attributes alone (in raking: by a factor for
    each margin), and that budgets do not depend on values. Nothing repairs levels by which an owner
    has disclosed her value.

    Parameters
    ----------
    reports
        The same reports that are weighted afterwards.
    margins
        By attribute, the share (or total) of each label in the population. Several margins are
        raked; the key of a margin of all attributes at once joins their names, ``"age+work"``, and
        its mappings are nested: post-stratification. A margin with errors of its own is
        ``{"shares": {...}, "stderr": {...}}``, or has ``covariance``, rows in the order of the
        plan's labels.
    method
        ``auto``, or ``stratified``, which does not assume that budgets do not depend on values; it
        is costly.

    Returns
    -------
    Weights to pass to ``frequencies``, ``joint``, ``mean`` and ``sum``.

    Examples
    --------
    >>> import discretion as ds
    >>> reports = ds.simulate(ds.census_plan(), ds.census(10_000, seed=1), seed=1)
    >>> age = {"16-29": 0.3, "30-44": 0.25, "45-64": 0.25, "65+": 0.2}
    >>> weights = ds.calibrate(reports, {"age": age})
    >>> ds.frequencies(reports, "travel", weights=weights)["bike"]
    bike: 0.1381 (stderr 0.006876, 95 % interval 0.1247 to 0.1516)
    """
    reports = reports_of(reports)
    check_choice("method", method, ("auto", *METHODS))
    known = read_margins(reports.plan, margins)
    names = tuple(dict.fromkeys(name for margin in known for name in margin.attributes))
    found = Respondents.of(reports, names, METHODS["weighted" if method == "auto" else method])
    shape, shares = found.shape(names), found.pilot(names)
    moments = Answer(
        found.folded(found.moments.value, names).sum(axis=-1),
        found.folded(found.moments.root, names).sum(axis=-1),
    )
    warn_if_few(known, names, shape, moments)
    targets = np.concatenate([margin.shares for margin in known])
    raked = Raked.of(shares, stacked(known, names, shape), targets)
    away = known_errors(known), -(raked.weights * moments.root) @ raked.margins.T
    labels = [reports.plan.questions[name].attribute.labels for name in names]
    return Calibration(
        reports.plan,
        known,
        tuple(product(*labels)),
        shares,
        raked,
        raked.weights * (np.concatenate(away) @ raked.solved @ raked.margins),
        _weighting(names, raked, shares, found.n),
        found.n,
        found.method,
    )


def _weighting(names: tuple[str, ...], raked: Raked, shares: Vector, n: int) -> Weighting:
    """Return the weights in short: their mean square over their squared mean is the effect."""
    effect, some = float(raked.weights @ raked.p), raked.weights[shares > 0]
    return Weighting(names, effect, n / effect, float(some.min()), float(some.max()))


def calibrate_json(reports: Reports, margins: str) -> Calibration:
    """Return the weights for margins that are written as JSON, in an address or a command."""
    try:
        stated = json.loads(margins, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise EstimateError(f"margins must be JSON: {error}") from None
    return calibrate(reports, stated)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        raise EstimateError(f"margins must not repeat a name: {listed([key for key, _ in pairs])}")
    return dict(pairs)
