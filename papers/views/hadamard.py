"""Hadamard marginals (InpHT): one coefficient of the record per owner, by randomised response."""

from collections.abc import Sequence
from math import tanh

import numpy as np

from discretion.estimate.noise import simplex
from papers.views.people import Array, Codes, Pair


def hadamard(
    codes: Codes,
    sizes: Sequence[int],
    epsilon: float,
    pairs: Sequence[Pair],
    rng: np.random.Generator,
) -> dict[Pair, Array]:
    """Return the tables of some pairs; domains are filled up to powers of two.

    Each owner draws one of the coefficients of at most two attributes and reports its sign with the
    whole epsilon. Only the owners who drew one of the pairs' are looked at.
    """
    padded = [1 << (size - 1).bit_length() for size in sizes]
    singles = sum(own - 1 for own in padded)
    count = singles + sum((a - 1) * (b - 1) for i, a in enumerate(padded) for b in padded[i + 1 :])
    owners = rng.permutation(len(codes))
    each, used, tables = len(codes) // count, 0, {}
    gain, alone = tanh(epsilon / 2), dict[tuple[int, int], float]()

    def mean(signs: Array) -> float:
        kept = np.where(rng.random(len(signs)) < (1 + gain) / 2, signs, -signs)
        return float(kept.mean()) / gain if len(kept) else 0.0

    for one, other in pairs:
        shape = padded[one], padded[other]
        found = np.zeros(shape)
        found[0, 0] = 1.0
        for i, j in np.ndindex(shape):
            keys = [(a, own) for a, own in ((one, i), (other, j)) if own]
            if not keys or (len(keys) == 1 and keys[0] in alone):
                found[i, j] = alone.get(keys[0], 0.0) if keys else 1.0
                continue
            rows = owners[used : used + each]
            used += each
            found[i, j] = mean(_sign(codes[rows, one], i) * _sign(codes[rows, other], j))
            if len(keys) == 1:
                alone[keys[0]] = float(found[i, j])
        walsh = [_sign(np.arange(n)[:, None], np.arange(n)) for n in shape]
        table = walsh[0] @ found @ walsh[1].T / found.size
        kept = table[: sizes[one], : sizes[other]]
        tables[one, other] = simplex(kept.ravel()).reshape(kept.shape)
    return tables


def _sign(codes: Codes, character: int | Codes) -> Array:
    """Return 1 or -1: the parity of the bits that code and character have in common."""
    return 1.0 - 2.0 * (np.bitwise_count(codes & character) & 1)
