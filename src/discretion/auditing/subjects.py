"""What is audited: the laws that a plan lets owners choose, and those of all mechanisms."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from discretion.auditing.measure import farthest
from discretion.auditing.outputs import Views
from discretion.budget import epsilon
from discretion.budget.grade import grade_of
from discretion.device.device import perturb
from discretion.mechanism import (
    CODED,
    MECHANISMS,
    NUMBERS,
    OPEN,
    OPTIMAL,
    Bloom,
    Coding,
    Hashed,
    Law,
    Places,
    Sensitive,
    Shares,
    Table,
    Variant,
    law,
    matrix_law,
    number_law,
)
from discretion.mechanism.halfspace import signs
from discretion.mechanism.histogram import digits
from discretion.plan import Family, Plan
from discretion.plan.optimal import optimal_weights
from discretion.randomness import system
from discretion.schema import Attribute, Bundle, Categorical, Text
from discretion.schema.text import FINGERPRINTS

FEW = 6  # levels of a menu up to which all are looked at
SHOWN = 5  # of a longer one

SIZES = (2, 5, 16)
GRIDS = (2, 6, 41)
LEVELS = (250, 1000, 4000)
CODINGS = {
    "bloom": (Coding(5, 1, 5), Coding(6, 2, 8)),
    "rappor": (Coding(6, 2, 8, 2, (750, 500)),),
    "she": tuple(digits(size) for size in SIZES),
}
SKETCHES = {
    "orr": Coding(FINGERPRINTS, 1, 4, 4),
    "hcms": Coding(FINGERPRINTS, 1, 16, 8),
    "cms": Coding(FINGERPRINTS, 1, 16, 8),
    "orappor": Coding(FINGERPRINTS, 2, 8, 4, (750, 500)),
}
STATED: Mapping[str, tuple[Variant, ...]] = {
    "idldp": (Shares((500, 1000, 1000)), Shares((400, 600, 800, 1000, 1000, 1000))),
    "uldp": (Sensitive(2, (0,)), Sensitive(5, (1, 3))),
    "metric": (
        Places(((0,), (500,), (1000,), (3000,))),
        Places(((0, 0), (500, 500), (1000, 0), (0, 2000))),
    ),
}
PATTERNS = (4, 8)  # of two and of three signs
TEXTS = ("one", "another")


@dataclass(frozen=True, slots=True)
class Subject:
    """A law at a level, and how a device answers two inputs that are far apart."""

    name: str
    level: int
    law: Law
    codes: tuple[int, int]  # of the two inputs
    ask: Callable[[int], bytes]  # of 0 or 1: which of them
    variant: Variant | None = None  # of local privacy

    @property
    def claim(self) -> float:
        """The epsilon that is promised about the two inputs."""
        allowed = 1000 if self.variant is None else self.variant.allowed(*self.codes)
        return self.level * allowed / 1_000_000

    def views(self, answers: list[bytes]) -> Views:
        """Return ways to look at answers: as they are, and by what the functions make of them."""
        if not isinstance(self.law, Hashed):
            return {"answer": answers}
        return {"answer": answers, "cell": [self._cells(self.law, y) for y in answers]}

    def _cells(self, law: Hashed, answer: bytes) -> tuple[bool, bool]:
        """Return whether each of the two inputs lies in the cell that is told."""
        function, cell = divmod(int.from_bytes(answer, "little"), law.hashing.cells)
        one, other = (law.hashing.cell(function, code) == cell for code in self.codes)
        return one, other


def subjects_of(plan: Plan) -> Iterator[Subject]:
    """Yield every attribute and bundle of a plan, in all ranges, at the levels looked at."""
    for name in plan.names:
        for level in levels(plan.questions[name].menu):
            for place in range(max(1, len(plan.questions[name].ranges))):
                yield subject_of(plan, name, level, place)


def subject_of(plan: Plan, name: str, level: int, place: int = 0) -> Subject:
    """Return an attribute or a bundle of a plan at a level, in one of its ranges."""
    grade = grade_of(level, place)
    within = f", range {place}" if place else ""
    title = f"{name} ({plan.questions[name].mechanism}), level {epsilon(level)}{within}"
    codes, asked = _codes(plan, name, place), _asked(plan, name, place, grade)
    return Subject(
        title, level, plan.questions[name].law(grade), codes, asked, plan.questions[name].variant
    )


def registered() -> Iterator[Subject]:
    """Yield all mechanisms, for a few sizes and levels."""
    for level in LEVELS:
        for name in MECHANISMS:
            yield from (_drawing(name, law(name, size, level), level) for size in SIZES)
        for name, codings in CODINGS.items():
            yield from (_drawing(name, CODED[name](coding, level), level) for coding in codings)
        for name, coding in SKETCHES.items():
            yield _drawing(name, OPEN[name](coding, level), level)
        for name, stated in STATED.items():
            yield from (_varied(name, variant, level) for variant in stated)
        for name in NUMBERS:
            yield from (_drawing(name, number_law(name, size, level), level) for size in GRIDS)
        yield _drawing(OPTIMAL, Table(GRIDS[-1], optimal_weights(level)), level)
        yield from (_drawing("duchi, bundled", signs(size, level), level) for size in PATTERNS)


def levels(menu: Sequence[int]) -> list[int]:
    """Return all levels of a short menu; of a long one the first, the last and some between."""
    if len(menu) <= FEW:
        return list(menu)
    return [menu[i * (len(menu) - 1) // (SHOWN - 1)] for i in range(SHOWN)]


def far_values(plan: Plan, name: str, place: int = 0) -> tuple[object, object]:
    """Return two values of an attribute or a bundle that its law tells apart best."""
    question = plan.questions[name].within(place)
    if isinstance(question, Bundle):
        ends = [_ends(part) for part in question.parts]
        return tuple(low for low, _ in ends), tuple(high for _, high in ends)
    if variant := plan.questions[name].variant:
        one, other = variant.farthest()
        return question.labels[one], question.labels[other]
    if plan.questions[name].family is Family.WORDS:
        _, one, other = farthest(plan.questions[name].coding)
        return question.labels[one], question.labels[other]
    return _ends(question)


def _ends(attribute: Attribute) -> tuple[object, object]:
    if isinstance(attribute, Categorical):
        return attribute.labels[0], attribute.labels[-1]
    if isinstance(attribute, Text):
        return TEXTS
    points = attribute.points()  # type: ignore[attr-defined]
    return points[0], points[-1]


def _codes(plan: Plan, name: str, place: int) -> tuple[int, int]:
    question = plan.questions[name].within(place)
    one, other = (
        question.encode(question.answer(value), system()) for value in far_values(plan, name, place)
    )
    return one, other


def _asked(plan: Plan, name: str, place: int, grade: int) -> Callable[[int], bytes]:
    """Return the device's answers: its own code, and the system's randomness."""
    question, width = plan.questions[name].within(place), plan.questions[name].n_bytes
    answers = [question.answer(value) for value in far_values(plan, name, place)]
    source = system()

    def ask(which: int) -> bytes:
        return perturb(plan, name, answers[which], grade, source).to_bytes(width, "little")

    return ask


def _drawing(name: str, own: Law, level: int) -> Subject:
    codes = farthest(own.coding)[1:] if isinstance(own, Bloom) else (0, own.size - 1)
    values = "texts" if own.size == FINGERPRINTS else f"{own.size} values"
    title = f"{name}, {values}, level {epsilon(level)}"
    return Subject(title, level, own, codes, partial(_drawn, own, codes))


def _varied(name: str, variant: Variant, level: int) -> Subject:
    own, codes = matrix_law(variant, level), variant.farthest()
    title = f"{name}, {own.size} values, level {epsilon(level)}"
    return Subject(title, level, own, codes, partial(_drawn, own, codes), variant)


def _drawn(own: Law, codes: tuple[int, int], which: int) -> bytes:
    return own.perturb(codes[which], system()).to_bytes(own.width, "little")
