"""Making a prefix code of public texts: an author does it once, and the plan states what comes out.

Symbols are the characters, the end and the escape. A context is what went before, up to two
characters. Counts of a context are smoothed by those of the shorter one; contexts that save too
little are left out, so that the shorter one stands for them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from heapq import heapify, heappop, heappush
from math import log2
from unicodedata import is_normalized, normalize

from discretion.errors import EstimateError
from discretion.schema.prefix_code import (
    LONGEST,
    MOST_ALPHABET,
    MOST_CONTEXT,
    START,
    HuffmanCode,
)

END, ESCAPE = -2, -1  # from the end of the list of symbols
OFTEN = 2  # different texts that have a character of the alphabet
PRIOR, FINE = 30, 1000  # what the shorter context weighs, in symbols; and weights of one symbol
SAVED = 48  # bits, in the public texts, without which a context is not worth its place
MOST_KEPT = 512  # contexts

Weights = dict[str, list[int]]  # of each symbol, by context


def public_code(texts: Iterable[str]) -> HuffmanCode:
    """Return a prefix code by which texts like these have few bits.

    Parameters
    ----------
    texts
        Public texts, never what owners said: the code stands in the plan. One that occurs k times
        counts 1 + log2(k) times, so that a few frequent ones do not make all others long.

    Returns
    -------
    The code; a plan states its ``document``.

    Examples
    --------
    >>> import discretion as ds
    >>> code = ds.public_code(["apple", "maple", "pear", "peach"] * 3)
    >>> code.alphabet
    'aelp'
    >>> list(code.document)
    ['alphabet', 'contexts']
    """
    counts = Counter(normalize("NFC", text) for text in texts)
    occurring = Counter(character for text in counts for character in set(text))
    usual = [(n, c) for c, n in occurring.items() if n >= OFTEN and _is_plain(c)]
    alphabet = "".join(sorted(c for _, c in sorted(usual, reverse=True)[:MOST_ALPHABET]))
    if not alphabet:
        raise EstimateError("a code needs public texts that have some characters in common")
    return HuffmanCode(alphabet, _contexts(_counted(counts, alphabet), len(alphabet) + 2))


def _is_plain(character: str) -> bool:
    return character.isprintable() and is_normalized("NFC", character)


def _counted(counts: Mapping[str, int], alphabet: str) -> dict[str, Counter[int]]:
    """Return how often each symbol follows each context."""
    symbols = {character: symbol for symbol, character in enumerate(alphabet)}
    found: dict[str, Counter[int]] = defaultdict(Counter)
    for text, count in counts.items():
        weight, seen = round(FINE * (1 + log2(count))), START
        for character in (*text, ""):
            symbol = symbols.get(character, len(alphabet) + 1) if character else len(alphabet)
            for first in range(len(seen) + 1):
                found[seen[first:]][symbol] += weight
            seen = (seen + character)[-MOST_CONTEXT:]
    return {context: own for context, own in found.items() if set(context) <= {*alphabet, START}}


def _contexts(counts: Mapping[str, Mapping[int, int]], size: int) -> dict[str, str]:
    """Return the lengths of symbols by context, of those that save enough."""
    kept: dict[str, str] = {}
    weights: Weights = {}
    saved: dict[str, float] = {}
    for context in sorted(counts, key=lambda context: (len(context), context)):
        own = counts[context]
        parent = context[1:]
        if context:
            above = weights[parent]
            prior = [PRIOR * FINE * each // sum(above) + 1 for each in above]
        else:
            prior = [FINE] * size
        weights[context] = [own.get(symbol, 0) + prior[symbol] for symbol in range(size)]
        lengths = huffman(weights[context])
        without = kept[_nearest(parent, kept)] if context else lengths
        gains = (n * (int(without[s], 16) - int(lengths[s], 16)) for s, n in own.items())
        saved[context] = sum(gains) / FINE
        if not context or saved[context] >= SAVED:
            kept[context] = lengths
    best = sorted(kept, key=lambda context: (bool(context), -saved[context], context))
    return {context: kept[context] for context in best[:MOST_KEPT]}


def _nearest(context: str, kept: Mapping[str, str]) -> str:
    while context not in kept:
        context = context[1:]
    return context


def huffman(weights: list[int]) -> str:
    """Return the lengths of a Huffman code as hexadecimal digits, none above ``LONGEST``.

    Where some would be, rare symbols count more, until none is.
    """
    while True:
        lengths = _lengths(weights)
        if max(lengths) <= LONGEST:
            return "".join(f"{length:x}" for length in lengths)
        weights = [weight // 2 + 1 for weight in weights]


def _lengths(weights: list[int]) -> list[int]:
    heap: list[tuple[int, int, tuple[int, ...]]] = [
        (weight, symbol, (symbol,)) for symbol, weight in enumerate(weights)
    ]
    heapify(heap)
    lengths, made = [0] * len(weights), len(weights)
    while len(heap) > 1:
        (one, _, left), (other, _, right) = heappop(heap), heappop(heap)
        for symbol in (*left, *right):
            lengths[symbol] += 1
        heappush(heap, (one + other, made, (*left, *right)))
        made += 1
    return lengths
