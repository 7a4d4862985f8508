"""The longest possible report: anything longer is refused before it is parsed."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from discretion.plan import Plan
from discretion.report.message import ID_BYTES, LAST_ROUND, Answer, Report


@lru_cache(maxsize=8)
def longest(plan: Plan) -> int:
    """Return the bytes of the longest report of a plan; no valid one has more.

    Each attribute is reported alone or in one bundle, whichever takes more bytes for each of its
    attributes. The bound is reached unless bundles overlap, or the policy keeps all levels from
    having their most digits together.
    """
    sizes = {name: _size(plan, name) for name in plan.names}
    shares: dict[str, Fraction] = dict.fromkeys(plan.attributes, Fraction(0))
    for name, size in sizes.items():
        parts = plan.questions[name].parts
        for part in parts:
            shares[part] = max(shares[part], Fraction(size, len(parts)))
    answers = int(sum(shares.values()))
    if plan.sample is not None:
        answers = min(answers, sum(sorted(sizes.values())[-plan.sample :]))
    return len(_report(plan, {})) + answers - 1  # the first answer has no comma


def _size(plan: Plan, name: str) -> int:
    """Return the bytes of the longest answer, with the comma before it."""
    level = None if plan.secret else plan.questions[name].menu[-1]
    ranges = plan.questions[name].ranges
    answer = Answer(level, bytes(plan.questions[name].n_bytes), len(ranges) - 1 if ranges else None)
    return len(_report(plan, {name: answer})) - len(_report(plan, {})) + 1


def _report(plan: Plan, answers: Mapping[str, Answer]) -> bytes:
    return Report(plan.id, LAST_ROUND, "0" * 2 * ID_BYTES, answers).to_bytes()
