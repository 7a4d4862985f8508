"""The exact part of an audit: the law against its level, and the sampler against the law."""

from collections.abc import Iterator
from functools import cache
from math import inf

from discretion.auditing.exponential import loss, within
from discretion.auditing.finding import Finding, Part
from discretion.auditing.measure import Measure, enumerated, is_small, kept, structured, twin
from discretion.auditing.sampler import drawn
from discretion.mechanism import Law


def examine(subject: str, law: Law, level: int) -> Iterator[Finding]:
    """Compare a law, and what its sampler draws, with the level that is promised."""
    yield _law(subject, law, level)
    yield _draws(subject, law, level)


@cache
def measured(law: Law) -> tuple[Measure | None, str]:
    """Return how far inputs are told apart, and in words over what; None if it is not known."""
    if is_small(law):
        outputs = sum(1 for _ in law.outputs())
        return enumerated(law), f"all {law.size:,} inputs and {outputs:,} outputs"
    found, few = structured(law), twin(law)
    if found is None or not is_small(few):
        return None, "too many outputs to list, of a shape that is not known"
    listed, formula = enumerated(few), structured(few)
    if formula is None or listed.ratio != formula.ratio or not listed.whole:
        return None, f"the structure is not what listing {few.size} inputs finds"
    return found, f"by structure, which equals listing for {few.size} inputs"


def _law(subject: str, law: Law, level: int) -> Finding:
    found, how = measured(kept(law))
    if found is None:
        return Finding(Part.LAW, subject, level / 1000, inf, False, how)
    wrong = _wrong(found, law, level)
    said = f"{wrong} ({how})" if wrong else how
    return Finding(Part.LAW, subject, level / 1000, loss(found.ratio), not wrong, said)


def _wrong(found: Measure, law: Law, level: int) -> str | None:
    """Return what is wrong with a law of a level, in words."""
    if found.ratio is None:
        return "an output is possible for one input and impossible for another"
    if not within(found.ratio, level):
        return "the largest ratio is above e to the level"
    if not found.whole:
        return "the probabilities do not sum to one"
    if found.ratio != law.ratio:
        return "the law states another ratio"
    return None


def _draws(subject: str, law: Law, level: int) -> Finding:
    found = drawn(law)
    if found is None:
        how = "the sampler makes too many choices to walk through"
        return Finding(Part.DRAWS, subject, level / 1000, inf, False, how)
    how = f"every choice for {len(found.codes)} of {law.size:,} inputs"
    if found.law != law:
        how = f"every choice with the same coins and {found.law.size} inputs"
    wrong = None if found.same else "what is drawn is not the law"
    if found.ratio is None:
        wrong = "what is drawn for one input is never drawn for another"
    leaked = loss(law.ratio if wrong is None else found.ratio)
    said = f"{wrong} ({how})" if wrong else how
    return Finding(Part.DRAWS, subject, level / 1000, leaked, wrong is None, said)
