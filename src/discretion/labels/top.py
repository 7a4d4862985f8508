"""The most frequent of very many texts or items, the most frequent one first."""

from collections.abc import Sequence

import numpy as np

from discretion.aggregate import Aggregate
from discretion.errors import EstimateError
from discretion.estimate import FrequencyEstimate
from discretion.estimate.spread import Known, Spread
from discretion.labels.frequencies import frequencies
from discretion.table import Reports
from discretion.table.frame import as_its_caller
from discretion.texts import Apart


@as_its_caller
def top(
    data: Reports | Aggregate,
    attribute: str,
    candidates: Sequence[str] | None = None,
    count: int = 100,
) -> FrequencyEstimate:
    """Return the most frequent of very many candidates, or items, the most frequent one first.

    Parameters
    ----------
    data
        Reports, or an aggregate of them.
    attribute
        A text, or a set: then the share of owners with each item.
    candidates
        The texts that are looked for; of a set all items are.
    count
        How many are returned.

    Returns
    -------
    Their shares. The intervals are those of candidates chosen beforehand. The largest of many
    estimates are likely to be too large: for intervals that hold for all candidates at once, ask
    for a confidence of 1 - 0.05 / len(candidates).

    Examples
    --------
    >>> import discretion as ds
    >>> word = {"name": "word", "kind": "text"}
    >>> plan = ds.Plan.of({"name": "words", "attributes": [word], "budget": {"levels": [2, 4]}})
    >>> people = {"word": ["hello"] * 3000 + ["goodbye"] * 1000}
    >>> reports = ds.simulate(plan, people, budgets="levels", seed=1)
    >>> ds.top(reports, "word", ["hello", "goodbye", "neither"], 1).labels
    ('hello',)
    """
    if type(count) is not int or count < 1:
        raise EstimateError(f"count must be a whole number from 1, got {count!r}")
    found = frequencies(data, attribute, "weighted", candidates=candidates)
    order = np.argsort(-found.value, kind="stable")[:count]
    variance, f = found.spread.variance[order], np.clip(found.value[order], 0, 1)
    spread: Spread = Apart(variance, f, found.n) if found.summing else Known(np.diag(variance))
    return found.chosen(order, spread)
