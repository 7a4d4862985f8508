"""Published ways to find texts that nobody listed, as studies.

Texts are so many symbols of so many bits, padded with zeros. Supports are drawn from their law, by
an oracle with the best variance there is, whatever the authors took. Each method is told to list 32
texts, and none tests what it lists.

PEM        Wang, Li and Jha 2021: groups of owners report prefixes that grow by a step of bits; the
           best 32 go on
TreeHist   Bassily, Nissim, Stemmer and Thakurta 2017: a group for each bit at half of epsilon, and
           all owners report the whole text at the other half. The authors' threshold, in counts, is
           replaced by the best 32, as for PEM
PrivTrie   Wang et al. 2018: a trie by symbols, in which nodes go on that are clearly there (three
           standard errors), from owners of a group for each depth: theirs move owners from nodes
           that are settled to others
SFP        Apple 2017: a fragment of two symbols at a random place with a hash of eight bits of the
           whole text at half of epsilon, and the whole text at the other half. The best 20 of each
           place whose hashes agree are joined (mended: hashes and fragments are told apart)
A-RAPPOR   Fanti, Pihur and Erlingsson 2016: two fragments of two symbols and the whole text at a
           third of epsilon each. Pairs of fragments that are clearly there (a tail of .01 over all
           pairs) make a graph, and its cliques are candidates

CCE is in ``chains``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import exp

import numpy as np
import numpy.typing as npt
from scipy.stats import norm

TOP = 32
CLEAR = 3.0  # standard errors
FRAGMENT, HASH_BITS, EACH = 2, 8, 20
RAPPOR_ERROR = 0.01
MOST_TRIED = 1 << 18
OWN = 0.5  # of the best oracle
PRIME = (1 << 31) - 1

Counts = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Shares = npt.NDArray[np.float64]
Found = tuple[Words, Shares]  # texts that are listed, and their shares


@dataclass(frozen=True)
class Texts:
    """The code of each text: symbols of some bits each, the first one highest."""

    codes: Words
    symbols: int
    bits: int  # of a symbol

    @property
    def length(self) -> int:
        return self.symbols * self.bits

    def prefixes(self, length: int) -> Words:
        return self.codes >> np.uint64(self.length - length)

    def fragments(self, place: int, symbols: int) -> Words:
        """Return the symbols from a place on."""
        below = np.uint64(self.length - (place + symbols) * self.bits)
        return (self.codes >> below) & np.uint64((1 << symbols * self.bits) - 1)


def pem(texts: Texts, counts: Counts, epsilon: float, rng: np.random.Generator, step: int) -> Found:
    """Return what PEM lists, with prefixes that grow by so many bits."""
    first = step + TOP.bit_length() - 1
    lengths = [min(own, texts.length) for own in range(first, texts.length + step, step)]
    return _grown(texts, lengths, split(rng, counts, len(lengths)), epsilon, rng)


def treehist(texts: Texts, counts: Counts, epsilon: float, rng: np.random.Generator) -> Found:
    """Return what TreeHist lists."""
    lengths = range(1, texts.length + 1)
    groups = split(rng, counts, texts.length)
    found, _ = _grown(texts, lengths, groups, epsilon / 2, rng)
    return found, oracle(rng, texts.codes, counts, found, epsilon / 2)


def privtrie(texts: Texts, counts: Counts, epsilon: float, rng: np.random.Generator) -> Found:
    """Return what a trie by symbols lists."""
    lengths = range(texts.bits, texts.length + 1, texts.bits)
    groups = split(rng, counts, texts.symbols)
    return _grown(texts, lengths, groups, epsilon, rng, clear=CLEAR)


def _grown(
    texts: Texts,
    lengths: Sequence[int],
    groups: Iterator[Counts],
    epsilon: float,
    rng: np.random.Generator,
    clear: float | None = None,
) -> Found:
    """Return the best prefixes of the last length, each step from those of the one before."""
    found, shares, before = np.zeros(1, np.uint64), np.zeros(0), 0
    for length, told in zip(lengths, groups, strict=True):
        grown = np.uint64(length - before)
        tried = ((found[:, None] << grown) | np.arange(1 << int(grown), dtype=np.uint64)).ravel()
        shares = oracle(rng, texts.prefixes(length), told, tried, epsilon)
        kept = np.argsort(-shares)[: TOP if clear is None else MOST_TRIED]
        if clear is not None:
            kept = kept[shares[kept] >= clear * error_of(int(told.sum()), epsilon)]
        found, shares, before = tried[kept], shares[kept], length
    return found[:TOP], shares[:TOP]


def sfp(texts: Texts, counts: Counts, epsilon: float, rng: np.random.Generator) -> Found:
    """Return what fragments with a hash of the whole text lead to."""
    places = range(0, texts.symbols, FRAGMENT)
    size = 1 << FRAGMENT * texts.bits
    hashes = hashed(texts.codes, rng, HASH_BITS)
    best: list[dict[int, list[int]]] = []
    for place, told in zip(places, split(rng, counts, len(places)), strict=True):
        cells = hashes * np.uint64(size) + texts.fragments(place, FRAGMENT)
        every = np.arange(size << HASH_BITS, dtype=np.uint64)
        shares = oracle(rng, cells, told, every, epsilon / 2)
        by_hash: dict[int, list[int]] = {}
        for cell in np.argsort(-shares)[:EACH].tolist():
            by_hash.setdefault(cell // size, []).append(cell % size)
        best.append(by_hash)
    common = set.intersection(*map(set, best))
    tried = [parts for own in sorted(common) for parts in product(*(each[own] for each in best))]
    return _listed(texts, tried, counts, epsilon / 2, rng)


def a_rappor(texts: Texts, counts: Counts, epsilon: float, rng: np.random.Generator) -> Found:
    """Return what pairs of fragments lead to."""
    places = [*range(0, texts.symbols, FRAGMENT)]
    pairs = [*combinations(range(len(places)), 2)]
    size = 1 << FRAGMENT * texts.bits
    joined: Mapping[tuple[int, int], set[tuple[int, int]]] = {}
    for (a, b), told in zip(pairs, split(rng, counts, len(pairs)), strict=True):
        cells = texts.fragments(places[a], FRAGMENT) * np.uint64(size)
        cells = cells + texts.fragments(places[b], FRAGMENT)
        # both at a third of epsilon: the noise of a pair is the product of that of its parts
        n, known = int(told.sum()), np.unique(cells)
        error = error_of(1, epsilon / 3) ** 2 / n**0.5
        held = np.bincount(np.searchsorted(known, cells), told, len(known)) / n
        limit = norm.isf(RAPPOR_ERROR / size**2) * error
        seen = known[held + error * rng.standard_normal(len(known)) >= limit]
        false = rng.poisson(RAPPOR_ERROR)  # of pairs that nobody has
        made = rng.integers(0, size**2, false).astype(np.uint64)
        both = np.concatenate([seen, made]).tolist()
        joined = {**joined, (a, b): {(cell // size, cell % size) for cell in both}}
    cliques: list[tuple[int, ...]] = [(part,) for part in {left for left, _ in joined[0, 1]}]
    for place in range(1, len(places)):
        cliques = [
            (*own, part)
            for own in cliques
            for part in {right for left, right in joined[0, place] if left == own[0]}
            if all((own[at], part) in joined[at, place] for at in range(place))
        ]
    return _listed(texts, cliques, counts, epsilon / 3, rng)


def _listed(
    texts: Texts,
    tried: Sequence[tuple[int, ...]],
    counts: Counts,
    epsilon: float,
    rng: np.random.Generator,
) -> Found:
    """Return the best of candidates, by what all owners report of the whole text."""
    wide, codes = np.uint64(FRAGMENT * texts.bits), np.zeros(len(tried), np.uint64)
    for parts in np.array(tried, np.uint64).T:
        codes = codes << wide | parts
    shares = oracle(rng, texts.codes, counts, codes, epsilon)
    best = np.argsort(-shares)[:TOP]
    return codes[best], shares[best]


def hashed(codes: Words, rng: np.random.Generator, bits: int) -> Words:
    """Return a hash of so many bits of each text, by a function that is drawn."""
    a, b = (int(each) for each in rng.integers(1, PRIME, 2))
    low, high = codes & np.uint64(0xFFFFFFFF), codes >> np.uint64(32)
    mixed = (low % np.uint64(PRIME) * np.uint64(a) + high * np.uint64(b)) % np.uint64(PRIME)
    return mixed >> np.uint64(31 - bits)


def split(rng: np.random.Generator, counts: Counts, groups: int) -> Iterator[Counts]:
    """Yield the texts of the owners of each group."""
    rest = counts
    for left in range(groups, 0, -1):
        own = rng.binomial(rest, 1 / left)
        yield own
        rest = rest - own


def error_of(n: int, epsilon: float) -> float:
    """Return the standard error of the share of a text that nobody says."""
    other = 1 / (exp(epsilon) + 1)
    return float((other * (1 - other) / max(n, 1)) ** 0.5 / (OWN - other))


def oracle(
    rng: np.random.Generator, known: Words, counts: Counts, tried: Words, epsilon: float
) -> Shares:
    """Draw the estimate of each text: one in two of its own reports, and few of the others."""
    other, n = 1 / (exp(epsilon) + 1), int(counts.sum())
    different, which = np.unique(known, return_inverse=True)
    held = np.bincount(which, counts).astype(np.int64)
    at = np.minimum(np.searchsorted(different, tried), len(different) - 1)
    hers = np.where(different[at] == tried, held[at], 0)
    rest = (n - hers) * other + rng.standard_normal(len(tried)) * np.sqrt(
        (n - hers) * other * (1 - other)
    )
    return np.asarray(((rest + rng.binomial(hers, OWN)) / n - other) / (OWN - other))
