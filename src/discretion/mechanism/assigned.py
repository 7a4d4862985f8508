"""Assigned: a hashed law whose function comes with the credential, not from the device.

Law      P(c | x) = keep / ONE if c is the bucket of x, else (ONE - keep) / ONE / (n_buckets - 1)
Report   y = f * n_buckets + c, with the one f that the credential has
Privacy  that of the hashed law, whatever f is and whoever chose it
Proof    docs/proofs/hashing.md, section 5
"""

import hashlib
import hmac
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING

from discretion.mechanism.form import Form
from discretion.mechanism.shape import OneStage
from discretion.randomness import ByteSource, Source

if TYPE_CHECKING:
    from discretion.mechanism.hashed import Hashed


@dataclass(frozen=True, slots=True)
class Assigned(OneStage):
    """A hashed law, given its function."""

    hashed: "Hashed"
    function: int

    @property
    def size(self) -> int:
        return self.hashed.size

    @property
    def n_bytes(self) -> int:
        return self.hashed.n_bytes

    @property
    def form(self) -> Form:
        return Form(
            self.hashed.hashing.n_buckets, first=self.function * self.hashed.hashing.n_buckets
        )

    @property
    def ratio(self) -> Fraction:
        return self.hashed.ratio

    def perturb(self, code: int, source: Source) -> int:
        return self.hashed.say(code, self.function, source)

    def probability(self, y: int, code: int) -> Fraction:
        if not self.form.admits(y):
            return Fraction(0)
        return self.hashed.probability(y, code) * self.hashed.hashing.functions


def assigned(law: "Hashed", credential: str, plan: str, name: str) -> Assigned:
    """Return the law of the device with this credential, for an attribute of a plan.

    The function is a uniform draw from bytes that are keyed hashes: without the credential nobody
    can distinguish it from a random one, and the owner cannot change it. It is the same in all
    rounds, as the answer is.
    """
    blocks = count()

    def read(size: int) -> bytes:
        message = f"function:{plan}:{name}:{next(blocks)}".encode()
        return hmac.digest(credential.encode(), message, hashlib.sha256)[:size]

    return Assigned(law, ByteSource(read).below(law.hashing.functions))
