"""Texts that owners said and nobody listed, with a guarantee for all of them together.

A text is reported if the probability that so many reports would support it, were it nobody's, is at
most its level. No codeword begins with another, so by Kraft's inequality the levels add up to at
most the error over all texts that are tried. Which ones are tried depends on reports of other
owners alone than those that support them: docs/proofs/prefixes.md.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from discretion.aggregate import Aggregate
from discretion.discovery.null import Null
from discretion.discovery.reported import Reported, Texts
from discretion.discovery.result import Discovered, DiscoveryEstimate
from discretion.discovery.search import Search, Tried
from discretion.engine import single_threaded
from discretion.errors import EstimateError
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Vector
from discretion.family import of
from discretion.family.prefixes import Prefixes
from discretion.table import Reports
from discretion.table.frame import as_its_caller

ERROR = 0.05
LEAST_ERROR = 1e-6


@as_its_caller
@single_threaded
def discover(data: Reports, attribute: str, error: float = ERROR) -> DiscoveryEstimate:
    """Find texts that somebody said and nobody listed.

    Parameters
    ----------
    data
        The reports themselves, of one round: counts do not suffice.
    attribute
        A text that the plan asks with ``discover``.
    error
        The highest probability that any of the texts is a false discovery: one that nobody has.

    Returns
    -------
    The texts with their shares of all owners who report one, the most frequent one first. Intervals
    allow for a text being there only because enough reports support it.

    Examples
    --------
    >>> import discretion as ds
    >>> code = ds.public_code(["apple", "maple", "pear", "peach"] * 3).document
    >>> fruit = {"name": "fruit", "kind": "text", "discover": {"code": code, "bits": 36}}
    >>> groups = {"mechanism": {"prefixes": {"groups": [12, 24, 36]}}}
    >>> plan = ds.Plan.of({"name": "fruit", "attributes": [{**fruit, **groups}],
    ...                    "budget": {"levels": [2, 4]}})
    >>> said = {"fruit": ["apple", "pear", "ale", "pear"] * 1000}
    >>> reports = ds.simulate(plan, said, budgets="levels", seed=1)
    >>> ds.discover(reports, "fruit").texts
    ('pear', 'apple', 'ale')
    """
    if isinstance(error, bool) or not isinstance(error, float | int):
        raise EstimateError(f"error must be a number, got {error!r}")
    if not LEAST_ERROR <= error < 1:
        raise EstimateError(f"error must be from {LEAST_ERROR} to below 1, got {error}")
    family = of(data.plan.questions[attribute]).prefixed()
    reported = Reported.of(data, family)
    tried = Search(reported, error).texts()
    passed = sorted(_passed(reported, tried), key=_order)
    longer, stderr = _longer(reported)
    made = attribute, tuple(passed), error, reported.n, longer, stderr
    return DiscoveryEstimate(*made, plan=data.plan, legend=Legend.of(data.plan))


def shares_of(
    data: Reports | Aggregate, name: str, labels: Sequence[str]
) -> tuple[Vector, Vector, int]:
    """Return the share of each candidate, its variance, and how many reports there are."""
    family = of(data.plan.questions[name]).prefixed()
    attribute = family.attribute
    words = [attribute.codeword(label) for label in labels]
    if long := [label for label, word in zip(labels, words, strict=True) if word == _other(family)]:
        raise EstimateError(f"{long[0][:40]!r} has more bits than the plan's code allows")
    reported = Reported.of(data, family)
    codes = np.array([attribute.padded(word) for word in words], np.uint64)
    texts = Texts(list(labels), codes, np.array([word.length for word in words]))
    value, variance = np.zeros(len(labels)), np.zeros(len(labels))
    for i, support in enumerate(reported.supports(texts)):
        null = reported.null(words[i].length)
        value[i] = null.share(null.total(support))
        variance[i] = null.stderr(value[i]) ** 2
    return value, variance, reported.n


def _order(found: Discovered) -> tuple[float, str]:
    return -found.share, found.text


def _passed(reported: Reported, tried: Tried) -> Iterator[Discovered]:
    """Yield the texts whose supports have tails below their levels."""
    supports, lengths = reported.supports(tried.texts), tried.texts.lengths.tolist()
    levels = tried.levels.tolist()
    for text, bits, support, level in zip(
        tried.texts.texts, lengths, supports, levels, strict=True
    ):
        null = reported.null(bits)
        found = _discovered(null, text, bits, null.total(support), null.threshold(level))
        if found.tail <= level:
            yield found


def _discovered(null: Null, text: str, bits: int, total: float, limit: float) -> Discovered:
    share = null.share(total)
    tail, planted = null.tail(total), null.planted(limit)
    least, stderr = null.share(limit), null.stderr(share)
    return Discovered(text, share, stderr, least, bits, tail, planted, null)


def _other(family: Prefixes) -> tuple[int, int]:
    return family.attribute.prefix_code.other


def _longer(reported: Reported) -> tuple[float, float]:
    """Return the share of texts that are too long, and its standard error."""
    other = reported.family.attribute.prefix_code.other
    code = reported.family.attribute.padded(other)
    texts = Texts([""], np.array([code], np.uint64), np.array([other.length]))
    null = reported.null(other.length)
    share = null.share(null.total(reported.supports(texts)[0]))
    return share, null.stderr(share)
