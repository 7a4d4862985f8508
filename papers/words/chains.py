"""CCE (Kim, Kim, Shin, Baek and Shin 2020), as a study: one n-gram of a text and its hash.

A device appends a hash of 20 bits to its text, and reports one n-gram of both, at a place that is
drawn among those on the circle, with the whole of epsilon. N-grams of neighbouring places share
half of their symbols. The best 64 of each place are linked where they agree; circles of links whose
hash is that of their text are candidates, and the median of the shares of its n-grams is that of a
text. The paper estimates it by robust regression and takes n-grams above a threshold.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from papers.words.published import TOP, Counts, Found, Texts, Words, hashed, oracle, split

GRAM_BITS, HASH_BITS, EACH = 20, 20, 64
MOST_CHAINS = 1 << 20
Symbols = npt.NDArray[np.uint64]
Gram = tuple[int, ...]
Best = dict[Gram, float]  # n-grams of one place, and their shares


def cce(texts: Texts, counts: Counts, epsilon: float, rng: np.random.Generator) -> Found:
    """Return what circles of n-grams lead to."""
    salt = int(rng.integers(1 << 31))
    packed = _packed(texts.codes, texts, salt)
    wide = GRAM_BITS // texts.bits
    step, total = wide // 2, packed.shape[1]
    places = range(0, total, step)
    best = [
        _best(packed, [(place + i) % total for i in range(wide)], texts.bits, told, epsilon, rng)
        for place, told in zip(places, split(rng, counts, len(places)), strict=True)
    ]
    found = {}
    for circle in _circles(best, wide - step):
        symbols = [own for gram in circle for own in gram[:step]]
        code = _joined(symbols[: texts.symbols], texts.bits)
        shown = _packed(np.array([code], np.uint64), texts, salt)[0]
        if shown.tolist() == symbols:
            grams = zip(best, circle, strict=True)
            found[code] = float(np.median([own[gram] for own, gram in grams]))
    top = sorted(found, key=lambda code: -found[code])[:TOP]
    return np.array(top, np.uint64), np.array([found[code] for code in top])


def _packed(codes: Words, texts: Texts, salt: int) -> Symbols:
    """Return the symbols (texts, places) of texts and of their hashes."""
    hashes, more = (
        hashed(codes, np.random.default_rng(salt), HASH_BITS),
        -(-HASH_BITS // texts.bits),
    )
    parts = [_symbols(codes, texts.symbols, texts.bits), _symbols(hashes, more, texts.bits)]
    return np.concatenate(parts, axis=1)


def _symbols(codes: Words, many: int, bits: int) -> Symbols:
    below = np.array([(many - 1 - place) * bits for place in range(many)], np.uint64)
    return codes[:, None] >> below & np.uint64((1 << bits) - 1)


def _joined(symbols: Iterable[int], bits: int) -> int:
    code = 0
    for own in symbols:
        code = code << bits | own
    return code


def _best(
    packed: Symbols,
    places: Sequence[int],
    bits: int,
    told: Counts,
    epsilon: float,
    rng: np.random.Generator,
) -> Best:
    """Return the n-grams with the largest shares at some places."""
    cells = np.zeros(len(packed), np.uint64)
    for place in places:
        cells = cells << np.uint64(bits) | packed[:, place]
    every = np.arange(1 << bits * len(places), dtype=np.uint64)
    shares = oracle(rng, cells, told, every, epsilon)
    top = np.argsort(-shares)[:EACH]
    grams = _symbols(top.astype(np.uint64), len(places), bits).tolist()
    return dict(zip(map(tuple, grams), shares[top].tolist(), strict=True))


def _circles(best: Sequence[Best], shared: int) -> list[list[Gram]]:
    """Return n-grams of all places, each of which ends as the next one begins."""
    circles = [[gram] for gram in best[0]]
    for own in best[1:]:
        begins = defaultdict(list)
        for gram in own:
            begins[gram[:shared]].append(gram)
        circles = [[*c, gram] for c in circles for gram in begins[c[-1][-shared:]]][:MOST_CHAINS]
    return [circle for circle in circles if circle[-1][-shared:] == circle[0][:shared]]
