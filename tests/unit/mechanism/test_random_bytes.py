"""How many random bytes a report takes: the stated mean against what a device reads."""

import random
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from discretion.mechanism import CODED, MECHANISMS, Choice, CodedLaw, SupportLaw, law
from discretion.plan.encodings import plain_encoding
from discretion.randomness import ByteSource
from tests.cases import for_each

DRAWS, SLACK, SEED = 4_000, 6, 20240517  # reports, and standard errors between mean and mean


@dataclass
class Meter:
    """Random bytes, counted."""

    source: random.Random = field(default_factory=lambda: random.Random(SEED))
    taken: int = 0

    def read(self, count: int) -> bytes:
        self.taken += count
        return self.source.randbytes(count)


def law_of(name: str, size: int, level: int) -> SupportLaw | CodedLaw:
    return (
        law(name, size, level)
        if name in MECHANISMS
        else CODED[name](plain_encoding(name, size), level)
    )


@for_each("name", [*MECHANISMS, *CODED])
@for_each("size, level", [(2, 500), (7, 250), (21, 1000), (300, 3000)])
def test_a_device_reads_so_many_bytes_on_average(name: str, size: int, level: int) -> None:
    own, meter = law_of(name, size, level), Meter()
    source, read = ByteSource(meter.read), []
    for i in range(DRAWS if size < 100 else DRAWS // 10):
        before = meter.taken
        own.perturb(i % size, source)
        read.append(meter.taken - before)
    allowed = SLACK * float(np.std(read)) / len(read) ** 0.5
    assert abs(float(np.mean(read)) - float(own.random_bytes)) <= allowed


def test_what_is_read_is_known_exactly() -> None:
    """A coin of eight bytes, and, a quarter of the time, one of three codes: a byte, 4/3 times."""
    assert Choice(4, 3 << 62).random_bytes == 8 + Fraction(1, 4) * Fraction(4, 3)
    assert MECHANISMS["oue"](1000, 250).random_bytes == 8000
