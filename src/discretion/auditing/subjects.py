"""What is audited: the laws that a plan lets owners choose, and those of all mechanisms."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from discretion.auditing.measure import farthest
from discretion.auditing.outputs import Views
from discretion.budget import epsilon
from discretion.budget.level import stratum_of
from discretion.mechanism import (
    CODED,
    DISCOVERED,
    MECHANISMS,
    NUMBERS,
    OPEN,
    OPTIMAL,
    ORDERED,
    SAMPLED,
    SETS,
    STAGED,
    TEXT_SETS,
    Encoding,
    Hashed,
    HashedCover,
    Law,
    Places,
    SampledBits,
    Sensitive,
    Shares,
    Table,
    Tree,
    Variant,
    law,
    matrix_law,
    number_law,
    set_law,
    staged_law,
)
from discretion.mechanism.halfspace import signs
from discretion.mechanism.histogram import quantised_bits
from discretion.plan import Plan, Question
from discretion.plan.optimal import optimal_weights
from discretion.plan.stages import plain_stages
from discretion.randomness import system
from discretion.schema.item_set import packed
from discretion.schema.text import FINGERPRINTS

FEW = 6  # levels of a menu up to which all are audited
SHOWN = 5  # of a longer one

SIZES = (2, 5, 16)
GRIDS = (2, 6, 41)
LEVELS = (250, 1000, 4000)
ENCODINGS = {
    "bloom": (Encoding(5, 1, 5), Encoding(6, 2, 8)),
    "rappor": (Encoding(6, 2, 8, 2, (750, 500)),),
    "she": tuple(quantised_bits(size) for size in SIZES),
}
FEW_BITS = (
    SampledBits(5, 1, 5, reported=2),
    SampledBits(16, 1, 16),
    SampledBits(3, 1, 3, reported=3),
)
SKETCHES = {
    "orr": Encoding(FINGERPRINTS, 1, 4, 4),
    "hcms": Encoding(FINGERPRINTS, 1, 16, 8),
    "cms": Encoding(FINGERPRINTS, 1, 16, 8),
    "orappor": Encoding(FINGERPRINTS, 2, 8, 4, (750, 500)),
}
STATED: Mapping[str, tuple[Variant, ...]] = {
    "idldp": (Shares((500, 1000, 1000)), Shares((400, 600, 800, 1000, 1000, 1000))),
    "uldp": (Sensitive(2, (0,)), Sensitive(5, (1, 3))),
    "metric": (
        Places(((0,), (500,), (1000,), (3000,))),
        Places(((0, 0), (500, 500), (1000, 0), (0, 2000))),
    ),
}
GROUPS = (8, 22, 36), (22, 36, 48, 60)
TREES = Tree(6, 2, 3), Tree(41, 3, 3), Tree(1000, 2, 10)
LISTS = (3, 1), (5, 2), (300, 16)  # items, and how many are reported at most
HASHED = (Encoding(FINGERPRINTS, 1, 16, 2), 1), (Encoding(FINGERPRINTS, 1, 1024, 64), 16)
PATTERNS = (4, 8)  # of two and of three signs


@dataclass(frozen=True, slots=True)
class Subject:
    """A law at a level, and how a device answers two inputs that are far apart."""

    name: str
    level: int
    law: Law
    codes: tuple[int, int]  # of the two inputs
    ask: Callable[[int], bytes]  # of 0 or 1: which of them
    variant: Variant | None = None  # of local privacy
    first: int | None = None  # thousandths of the level that one report alone may spend

    @property
    def claim(self) -> float:
        """The epsilon that is promised about the two inputs."""
        allowed = 1000 if self.variant is None else self.variant.allowed(*self.codes)
        return self.level * allowed / 1_000_000

    @property
    def claimed(self) -> tuple[str, Law, int, Variant | None, int | None]:
        """What the exact part of an audit compares."""
        return self.name, self.law, self.level, self.variant, self.first

    def views(self, answers: list[bytes]) -> Views:
        """Return views of the answers: as they are, and by the buckets of their hash functions."""
        if not isinstance(self.law, Hashed):
            return {"answer": answers}
        return {"answer": answers, "cell": [self._in_bucket(self.law, y) for y in answers]}

    def _in_bucket(self, law: Hashed, answer: bytes) -> tuple[bool, bool]:
        """Return whether each of the two inputs hashes to the reported bucket."""
        function, bucket = divmod(int.from_bytes(answer, "little"), law.hashing.n_buckets)
        one, other = (law.hashing.bucket(function, code) == bucket for code in self.codes)
        return one, other


def subjects_of(plan: Plan) -> Iterator[Subject]:
    """Yield every question of a plan, in all ranges, at the audited levels."""
    for question in plan.questions.values():
        for level in levels(question.menu):
            for range_index in range(max(1, len(question.ranges))):
                yield subject_of(question, level, range_index)


def subject_of(question: Question, level: int, range_index: int = 0) -> Subject:
    """Return a question at a level, in one of its ranges, as a device answers it."""
    stratum = stratum_of(level, range_index)
    within = f", range {range_index}" if range_index else ""
    title = f"{question.name} ({question.mechanism}), level {epsilon(level)}{within}"
    asked, source = question.within(range_index), system()
    answers = [asked.answer(value) for value in far_values(question, range_index)]
    one, other = (asked.encode(answer, source) for answer in answers)

    def ask(which: int) -> bytes:
        y = question.perturb(answers[which], stratum, source)
        return y.to_bytes(question.n_bytes, "little")

    codes, first = (one, other), question.parameters.first
    return Subject(title, level, question.law(stratum), codes, ask, question.variant, first)


def registered() -> Iterator[Subject]:
    """Yield all mechanisms, for a few sizes and levels."""
    for level in LEVELS:
        for name in MECHANISMS:
            yield from (_drawing(name, law(name, size, level), level) for size in SIZES)
        for name, few in SAMPLED.items():
            yield from (_drawing(name, few(own, level), level) for own in FEW_BITS)
        for name in STAGED:
            yield from (_staged(name, size, level) for size in SIZES)
        for name, encodings in ENCODINGS.items():
            for encoding in encodings:
                yield _drawing(name, CODED[name](encoding, level), level, farthest(encoding)[1:])
        for name, encoding in SKETCHES.items():
            yield _drawing(name, OPEN[name](encoding, level), level, farthest(encoding)[1:])
        for name, stated in STATED.items():
            yield from (_varied(name, variant, level) for variant in stated)
        for name in NUMBERS:
            yield from (_drawing(name, number_law(name, size, level), level) for size in GRIDS)
        for name in ORDERED:
            yield from (_drawing(name, ORDERED[name](tree, level), level) for tree in TREES)
        for name, made in TEXT_SETS.items():
            yield from (_texts(name, made(own, length, level), level) for own, length in HASHED)
        for name in SETS:
            yield from (_listed(name, items, length, level) for items, length in LISTS)
        for name, found in DISCOVERED.items():
            yield from (_drawing(name, found(groups, level), level) for groups in GROUPS)
        yield _drawing(OPTIMAL, Table(GRIDS[-1], optimal_weights(level)), level)
        yield from (_drawing("duchi, bundled", signs(size, level), level) for size in PATTERNS)


def levels(menu: Sequence[int]) -> list[int]:
    """Return all levels of a short menu; of a long one the first, the last and some between."""
    if len(menu) <= FEW:
        return list(menu)
    return [menu[i * (len(menu) - 1) // (SHOWN - 1)] for i in range(SHOWN)]


def far_values(question: Question, range_index: int = 0) -> tuple[object, object]:
    """Return two values that the law of a question distinguishes best."""
    codes = _far_codes(question)
    if codes is None:
        return question.within(range_index).ends
    one, other = (question.labels[code] for code in codes)
    return one, other


def _far_codes(question: Question) -> tuple[int, int] | None:
    """Return the codes of labels that differ most; None where those at the ends do."""
    if question.variant:
        return question.variant.farthest()
    encoding = question.parameters.encoding
    return farthest(encoding)[1:] if encoding and question.labels else None


def _drawing(name: str, own: Law, level: int, far: tuple[int, int] | None = None) -> Subject:
    codes = far or (0, own.size - 1)
    values = "texts" if own.size == FINGERPRINTS else f"{own.size} values"
    title = f"{name}, {values}, level {epsilon(level)}"
    return Subject(title, level, own, codes, partial(_drawn, own, codes))


def _staged(name: str, size: int, level: int) -> Subject:
    stages = plain_stages(name)
    return replace(_drawing(name, staged_law(name, size, level, stages), level), first=stages.first)


def _listed(name: str, items: int, length: int, level: int) -> Subject:
    own, codes = set_law(name, items, length, level), (0, (1 << length) - 1)
    title = f"{name}, {length} of {items} items, level {epsilon(level)}"
    return Subject(title, level, own, codes, partial(_drawn, own, codes))


def _texts(name: str, own: HashedCover, level: int) -> Subject:
    length, cells = own.cover.length, own.cover.items
    codes = 0, packed(range(length))
    title = f"{name}, {length} texts in {cells} cells, level {epsilon(level)}"
    return Subject(title, level, own, codes, partial(_drawn, own, codes))


def _varied(name: str, variant: Variant, level: int) -> Subject:
    own, codes = matrix_law(variant, level), variant.farthest()
    title = f"{name}, {own.size} values, level {epsilon(level)}"
    return Subject(title, level, own, codes, partial(_drawn, own, codes), variant)


def _drawn(own: Law, codes: tuple[int, int], which: int) -> bytes:
    return own.perturb(codes[which], system()).to_bytes(own.n_bytes, "little")
