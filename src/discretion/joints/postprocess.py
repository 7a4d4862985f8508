"""Post-processing steps of joint tables: each maps an estimate onto valid frequencies."""

from dataclasses import replace
from typing import TypeVar

from discretion.errors import EstimateError
from discretion.estimate import FrequencyEstimate
from discretion.estimate.spread import Deviations, Later, Spread
from discretion.joints.result import JointEstimate
from discretion.labels.consistency import LINEAR, SINGLE, STEPS, centred, check_steps, norm

Estimate = TypeVar("Estimate", FrequencyEstimate, JointEstimate)


def postprocess(estimate: Estimate, *steps: str) -> Estimate:
    """Return the estimate after post-processing steps, in their order, and with their names.

    All steps but ``norm`` bias the values. Standard errors and intervals therefore remain those of
    the estimate that was given, and intervals are as long as it takes to hold the new value; means,
    sums and tests are better made of the estimate that was given.

    Parameters
    ----------
    estimate
        Frequencies or a joint table.
    steps
        ``norm``: a constant is added so that the values sum to one. ``norm-sub``: the nearest
        frequencies, which are not negative and sum to one. ``norm-gls``: the nearest ones in the
        metric of the covariance. ``norm-mul``: what is negative is zero, and the rest is scaled.
        ``base-pos``: what is negative is zero. ``base-cut``: what may be noise is zero. ``power``:
        shrunk to the power law that fits best; ``"power", "norm-sub"`` is known as PowerNS.
        Formulas: ``discretion.labels.consistency``.

    Returns
    -------
    An estimate of the same kind.

    Examples
    --------
    >>> import discretion as ds
    >>> reports = ds.simulate(ds.census_plan(), ds.census(10_000, seed=1), seed=1)
    >>> linear = ds.frequencies(reports, "travel", method="weighted")
    >>> round(float(ds.postprocess(linear, "norm-sub").value.sum()), 6)
    1.0
    """
    if not isinstance(estimate, FrequencyEstimate | JointEstimate):
        kind = type(estimate).__name__
        raise EstimateError(f"steps are for frequencies and joint tables, got {kind}")
    check_steps((*estimate.steps, *steps))
    for step in steps:
        if isinstance(estimate, JointEstimate):
            estimate = _cells(estimate, step)
        else:
            estimate = _frequencies(estimate, step)
    return estimate


def _frequencies(estimate: FrequencyEstimate, step: str) -> FrequencyEstimate:
    if not estimate.summing and step not in SINGLE:
        rule = f"{step} makes frequencies sum to one, and these need not"
        raise EstimateError(f"{rule}: {', '.join(SINGLE)} do not")
    whole, steps = estimate.spread, (*estimate.steps, step)
    value = STEPS[step](estimate.value, whole, estimate.n)
    if step not in LINEAR:
        return replace(estimate, value=value, steps=steps, unprocessed=estimate.given)
    spread: Spread = Later(lambda: centred(whole.covariance), lambda: whole.shift)
    unprocessed = None if estimate.unprocessed is None else norm(estimate.unprocessed)
    return replace(estimate, value=value, steps=steps, unprocessed=unprocessed, spread=spread)


def _cells(estimate: JointEstimate, step: str) -> JointEstimate:
    shape, root = estimate.value.shape, estimate.root.reshape(len(estimate.root), -1)
    found = STEPS[step](estimate.value.ravel(), Deviations(root), estimate.n)
    value, steps = found.reshape(shape), (*estimate.steps, step)
    if step not in LINEAR:
        return replace(estimate, value=value, steps=steps)
    centre, own = norm(estimate.centre.ravel()), root - root.mean(axis=1, keepdims=True)
    return replace(
        estimate,
        value=value,
        steps=steps,
        centre=centre.reshape(shape),
        root=own.reshape(estimate.root.shape),
    )
