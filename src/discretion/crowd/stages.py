"""Stages over rounds: what owners keep, and what every round sends of it.

A device draws a function, or the codes whose bits it reports, once; its response to an answer when
that, or one that shares its response, is first given; and what a round sends in every round.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from discretion.crowd.shapes import Batch, Codes, draw, send_bucket, send_choice
from discretion.kernel.count import index_rows
from discretion.kernel.draw import fresh_state, send_bits
from discretion.mechanism import BitFlip, Bloom, Law, StagedChoice, StagedHashed, StagedUnary
from discretion.plan import Question
from discretion.randomness import ONE
from discretion.table.columns import Bytes, Levels
from discretion.table.columns import codes as integers


@dataclass(frozen=True, slots=True)
class Stage:
    """How a shape is answered again."""

    send: (
        Callable[[Sequence[Any], Batch], None] | None
    )  # from the response in ``y``; None: as it is
    once: Callable[[Any, Bytes], Codes] | None = None  # what was drawn once, as reports show it
    alike: Callable[[Any, Codes, Codes], Codes] | None = None  # names of responses; None: codes


def lasts(question: Question) -> bool:
    """Whether more is kept than a report: what a second stage sends, or a function of its own."""
    return question.parameters.staged or question.parameters.apart


def send_rounds(
    question: Question,
    strata: Levels,
    codes: Codes,
    first: Bytes,
    rng: np.random.Generator,
    *,
    repeats: bool,
) -> Iterator[Bytes]:
    """Yield what each round sends (n, bytes) of the codes of owners (rounds, n).

    What a device draws once is that of ``first``, reports of the same owners. ``repeats``: whether
    an owner keeps her response to an answer, or draws it in every round.
    """
    which = np.empty(len(strata), np.int64)
    laws = [question.law(stratum) for stratum in index_rows(strata, which).tolist()]
    stage = STAGES[type(laws[0])]
    permanent = [law.permanent for law in laws]
    once = None if stage.once is None else stage.once(laws[0], first)
    names = codes
    if stage.alike is not None and once is not None:
        names = np.array([stage.alike(laws[0], once, each) for each in codes])
    kept: list[Bytes] = []
    for t, own in enumerate(codes):
        y = draw(permanent, which, own, rng, once)
        for before in range(t) if repeats else ():  # all rounds that share a name share a response
            same = names[before] == names[t]
            y[same] = kept[before][same]
        kept.append(y)
        batch = Batch(which, own, once, y.copy(), rng, fresh_state(rng))
        if stage.send is not None:
            stage.send(laws, batch)
        yield batch.y


def _cohort(law: Bloom, y: Bytes) -> Codes:
    return integers(y[:, law.encoding.bits >> 3 :]) >> (law.encoding.bits & 7)


def _function(law: StagedHashed, y: Bytes) -> Codes:
    return integers(y) // law.hashing.n_buckets


def _sampled(law: BitFlip, y: Bytes) -> Codes:
    """Return the codes of each owner (n, reported), rising."""
    bits = np.unpackbits(y, axis=1, count=law.size, bitorder="little")
    return np.nonzero(bits)[1].reshape(len(y), law.reported)


def _bucket(law: StagedHashed, functions: Codes, codes: Codes) -> Codes:
    return np.asarray(law.hashing.bucket(functions, codes))  # type: ignore[arg-type]


def _named(law: BitFlip, sampled: Codes, codes: Codes) -> Codes:
    """Return the code, or the number of codes where it is none of those of its owner."""
    return np.where((sampled == codes[:, None]).any(axis=1), codes, law.size)


def _send_bits(laws: Sequence[StagedUnary], batch: Batch) -> None:
    coins = np.array([(law.again, ONE - law.again) for law in laws], np.uint64)
    send_bits(coins, batch.which, laws[0].size, *batch.out)


def _send_word(laws: Sequence[Bloom], batch: Batch) -> None:
    coins = np.array([law.instant for law in laws], np.uint64)
    send_bits(coins, batch.which, laws[0].encoding.bits, *batch.out)


STAGES: Mapping[type[Law], Stage] = MappingProxyType(
    {
        StagedChoice: Stage(send_choice),
        StagedUnary: Stage(_send_bits),
        StagedHashed: Stage(send_bucket, _function, _bucket),
        Bloom: Stage(_send_word, _cohort),
        BitFlip: Stage(None, _sampled, _named),
    }
)
