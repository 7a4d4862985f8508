"""The exact part of an audit: the law against its level, and the sampler against the law."""

from collections.abc import Iterator
from functools import cache
from math import inf

from discretion.auditing.exponential import loss, within
from discretion.auditing.finding import Finding, Part
from discretion.auditing.measure import Measure, enumerated, is_small, structured
from discretion.auditing.sampler import drawn
from discretion.auditing.twins import twin
from discretion.auditing.variants import Apart, rows_of, worst_pair
from discretion.mechanism import Law, Variant

MILLION = 1_000_000


def examine(
    subject: str, law: Law, level: int, variant: Variant | None = None, first: int | None = None
) -> Iterator[Finding]:
    """Compare a law, and what its sampler draws, with the promised level.

    Under a variant of local privacy, compare each pair of inputs with what the variant allows. Of
    a law in two stages, also compare one report alone with its part of the level.
    """
    if variant is not None:
        yield from _of_variant(subject, law, level, variant)
        return
    yield _law(subject, law, level)
    if first is not None:
        yield _alone(subject, law, level * first)
    yield _draws(subject, law, level)


@cache
def measured(law: Law) -> tuple[Measure | None, str]:
    """Return the measure of a law, and a description of what it covers; None if it is not known."""
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


def _of_variant(subject: str, law: Law, level: int, variant: Variant) -> Iterator[Finding]:
    rows = rows_of(law)
    found = worst_pair(rows, variant, level)
    whole = all(sum(row.values()) == 1 for row in rows.values())
    wrong = found.wrong or ("" if whole else "the probabilities do not sum to one")
    how = f"all {law.size:,} inputs and {len(rows[0]):,} outputs"
    yield _paired(Part.LAW, subject, found, wrong, how)
    sampled = drawn(law)
    if sampled is None:
        how = "the sampler makes too many choices to enumerate"
        yield Finding(Part.DRAWS, subject, found.claim, inf, False, how)
        return
    found = worst_pair(sampled.rows, variant, level)
    wrong = "" if sampled.same else "what is drawn is not the law"
    how = f"every choice for {len(sampled.codes)} of {law.size:,} inputs"
    yield _paired(Part.DRAWS, subject, found, found.wrong or wrong, how)


def _paired(part: Part, subject: str, found: Apart, wrong: str, how: str) -> Finding:
    one, other = found.codes
    said = f"inputs {one} and {other}, which have the least room of {how}"
    said = f"{wrong} ({said})" if wrong else said
    return Finding(part, subject, found.claim, loss(found.ratio), not wrong, said)


def _law(subject: str, law: Law, level: int) -> Finding:
    found, how = measured(law.permanent)
    if found is None:
        return Finding(Part.LAW, subject, level / 1000, inf, False, how)
    wrong = _wrong(found, law, level)
    said = f"{wrong} ({how})" if wrong else how
    return Finding(Part.LAW, subject, level / 1000, loss(found.ratio), not wrong, said)


def _alone(subject: str, law: Law, level: int) -> Finding:
    """Compare one report of a law in two stages with a level, in millionths."""
    found, how = measured(law)
    claim, alone = level / MILLION, f"{subject}, one report alone"
    if found is None or found.ratio is None:
        return Finding(Part.LAW, alone, claim, inf, False, how)
    passes = found.whole and within(found.ratio, level, MILLION)
    said = how if passes else f"one report spends more than its part of the level ({how})"
    return Finding(Part.LAW, alone, claim, loss(found.ratio), passes, said)


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
        how = "the sampler makes too many choices to enumerate"
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
