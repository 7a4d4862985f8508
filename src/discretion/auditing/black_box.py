"""Anybody's mechanism, given as a callable: nothing is known of it but what it returns."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import isfinite
from typing import TypeVar

from discretion.auditing.distinguisher import ALPHA, SAMPLES, lower_bound
from discretion.auditing.finding import Audit, Finding, Part, joined
from discretion.auditing.outputs import Output
from discretion.errors import DiscretionError

T = TypeVar("T")

FEWEST = 100  # samples of an input


def audit_callable(
    perturb: Callable[[T], Output],
    inputs: Sequence[T],
    epsilon: float,
    samples: int = SAMPLES,
    *,
    title: str = "the callable",
) -> Audit:
    """Try to distinguish inputs by the outputs of a function, and bound its epsilon from below.

    That a function passes does not prove that it is sound. A sound mechanism is accused with a
    probability of at most one in a million over all pairs.

    Parameters
    ----------
    perturb
        The function. What it returns (bytes, text, a number, an array, or sequences of them) is
        compared as it is, order and length included.
    inputs
        What it is given.
    epsilon
        What is claimed about any two of the inputs.
    samples
        How many outputs of each input are drawn.
    title
        What the function is called in the result.

    Returns
    -------
    What was found, one row per pair; ``passes`` says whether the claim stands.

    Examples
    --------
    >>> import random
    >>> import discretion as ds
    >>> def keep_nearly_always(bit):
    ...     return bit if random.random() < 0.99 else 1 - bit
    >>> ds.audit_callable(keep_nearly_always, [0, 1], epsilon=1, samples=2000).passes
    False
    """
    check_inputs(inputs)
    check_samples(samples)
    if not isfinite(epsilon) or epsilon < 0:
        raise DiscretionError(f"epsilon must be a number from zero up, got {epsilon}")
    drawn = [[perturb(value) for _ in range(samples)] for value in inputs]
    pairs = list(combinations(range(len(inputs)), 2))
    findings = []
    for one, other in pairs:
        bound = lower_bound({"output": drawn[one] + drawn[other]}, ALPHA / len(pairs))
        subject = f"{inputs[one]!r} or {inputs[other]!r}"
        passes = bound.epsilon <= epsilon
        findings.append(Finding(Part.SAMPLES, subject, epsilon, bound.epsilon, passes, str(bound)))
    return joined(title, findings)


def check_inputs(inputs: Sequence[object]) -> None:
    """Refuse a single input: there is nothing to distinguish it from."""
    if len(inputs) < 2:
        raise DiscretionError(
            f"there must be at least two inputs to distinguish, got {len(inputs)}"
        )


def check_samples(samples: int) -> None:
    """Refuse so few samples that they could prove next to nothing."""
    if samples < FEWEST:
        raise DiscretionError(f"samples must be {FEWEST} or more, got {samples}")
