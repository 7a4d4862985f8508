"""What a mechanism's law does not say about itself: when to use it, and its variance as a formula.

``e`` is e^epsilon, ``h`` its root, ``k`` the number of values. A report about labels has, times the
number of reports, the variance a + b f - f^2 at a value of frequency f, brought to sum one; one
about a number z on [-1, 1] has a + b z^2. A test compares the formulas with the laws.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import exp

from discretion.mechanism import Subset, Unary, Window, law, number_law
from discretion.mechanism.hashed import best_buckets, best_rows, bits_of
from discretion.mechanism.hashing import rows_at_most
from discretion.mechanism.histogram import DEPTH
from discretion.mechanism.hybrid import SMALL
from discretion.plan.encodings import REPORTED
from discretion.randomness import ONE

STEPS = (1 << DEPTH) - 1  # of a digit

Formula = Callable[[int, float], tuple[float, float]]  # from k and epsilon to a and b


@dataclass(frozen=True, slots=True)
class Note:
    """What stands on a mechanism's page beside its law."""

    what: str  # a report, in a few words
    when: str
    variance: str
    formula: Formula | None = None  # of that text


def _grr(k: int, epsilon: float) -> tuple[float, float]:
    e = exp(epsilon)
    return (e + k - 1) / (e - 1) ** 2, (e + k - 1) / (e - 1)


def _sue(_: int, epsilon: float) -> tuple[float, float]:
    h = exp(epsilon / 2)
    return h / (h - 1) ** 2, 1.0


def _oue(_: int, epsilon: float) -> tuple[float, float]:
    e = exp(epsilon)
    return 4 * e / (e - 1) ** 2, 2.0


def _the(k: int, epsilon: float) -> tuple[float, float]:
    own = law("the", k, round(1000 * epsilon))
    assert isinstance(own, Unary)
    return _bits(own.true / ONE, own.false / ONE)


def _subset(k: int, epsilon: float) -> tuple[float, float]:
    own = law("subset", k, round(1000 * epsilon))
    assert isinstance(own, Subset)
    e, c = exp(epsilon), own.count
    d = c * e + k - c
    b = (k - 1) * (k - 2 * c) * d / ((k - 2) * c * (k - c) * (e - 1))
    return (k - 1) * d**2 / (k * c * (k - c) * (e - 1) ** 2) - b / k, b


def _cells(g: int, epsilon: float) -> tuple[float, float]:
    e = exp(epsilon)
    return (e + g - 1) ** 2 / ((g - 1) * (e - 1) ** 2), (g - 2) * (e + g - 1) / ((g - 1) * (e - 1))


def _two_cells(_: int, epsilon: float) -> tuple[float, float]:
    return _cells(2, epsilon)


def _olh(_: int, epsilon: float) -> tuple[float, float]:
    return _cells(best_buckets(round(1000 * epsilon)), epsilon)


def _hadamard(k: int, epsilon: float) -> tuple[float, float]:
    return _cells(1 << best_rows(round(1000 * epsilon), rows_at_most(bits_of(k))), epsilon)


def _duchi(_: int, epsilon: float) -> tuple[float, float]:
    e = exp(epsilon)
    return ((e + 1) / (e - 1)) ** 2, -1.0


def _window(w: float, epsilon: float) -> tuple[float, float]:
    e = exp(epsilon)
    g = (e - 1) * w / (e * w + 1)
    return w**2 / (3 * g) + (1 - g) * (1 + w) ** 2 / (3 * g**2), 1 / g - 1


def _width(mechanism: str, k: int, epsilon: float) -> float:
    own = number_law(mechanism, k, round(1000 * epsilon))
    assert isinstance(own, Window)
    return own.span / (own.n_outputs - own.span)


def _pm(_: int, epsilon: float) -> tuple[float, float]:
    h = exp(epsilon / 2)
    return (h + 3) / (3 * (h - 1) ** 2), 1 / (h - 1)


def _hm(_: int, epsilon: float) -> tuple[float, float]:
    e, h = exp(epsilon), exp(epsilon / 2)
    if epsilon <= SMALL / 1000:
        return _duchi(0, epsilon)
    return (h + 3) / (3 * h * (h - 1)) + ((e + 1) / (e - 1)) ** 2 / h, 0.0


def _sw(k: int, epsilon: float) -> tuple[float, float]:
    return _window(_width("sw", k, epsilon), epsilon)


def _best_window(k: int, epsilon: float) -> tuple[float, float]:
    return _window(_width("window", k, epsilon), epsilon)


def _rappor(_: int, epsilon: float) -> tuple[float, float]:
    h = exp(epsilon / 2)
    return _bits((3 * h + 2) / (4 * (h + 1)), (2 * h + 3) / (4 * (h + 1)))


def _lgrr(k: int, epsilon: float) -> tuple[float, float]:
    return _grr(k, epsilon / 2)


def _losue(_: int, epsilon: float) -> tuple[float, float]:
    return _oue(0, epsilon / 2)


def _loloha(_: int, epsilon: float) -> tuple[float, float]:
    return _two_cells(0, epsilon / 2)


def _dbitflip(k: int, epsilon: float) -> tuple[float, float]:
    h = exp(epsilon / 2)
    s, m = REPORTED / k, (h - 1) / (h + 1)
    v, c = s * (1 - s * m**2) / 4, s * (1 - s) * m**2 / (4 * (k - 1))
    return (v + c) / (s * m) ** 2, 1 - 4 * c / (s * m) ** 2


def _she(_: int, epsilon: float) -> tuple[float, float]:
    h, q = exp(epsilon / 2), exp(-epsilon / (2 * STEPS))
    m = q * (1 - 1 / h) / (STEPS * (1 - q**2))
    m2 = sum((2 * d - 1) * q**d for d in range(1, STEPS + 1)) / (STEPS**2 * (1 + q))
    return (m2 - m**2) / (1 - 2 * m) ** 2, 1.0


def _bits(p: float, q: float) -> tuple[float, float]:
    return q * (1 - q) / (p - q) ** 2, (1 - 2 * q) / (p - q)


CELLS = "a = (e + g - 1)^2 / ((g - 1)(e - 1)^2),   b = (g - 2)(e + g - 1) / ((g - 1)(e - 1))"
TWO = "a = ((e + 1) / (e - 1))^2,   b = 0"
TIGHT = """\
sum over y of (R_y / (k c_y)) |G^-1 e_y|^2  -  1 / k
G(x, y) = e^(-b(x, y));   c = G^-1 1;   R_y the sum of row y of G;   e_y a one at y, and zeros"""
SUE = "a = h / (h - 1)^2,   b = 1"
DUCHI = "a = ((e + 1) / (e - 1))^2,   b = -1"
WINDOW = """\
a = w^2 / (3 g) + (1 - g)(1 + w)^2 / (3 g^2),   b = 1 / g - 1
w   width of the window, of the line
g = (e - 1) w / (e w + 1)"""

NOTES: Mapping[str, Note] = {
    "grr": Note(
        "one code",
        "Few values, or large budgets: there it is the best mechanism, and its reports are the "
        "shortest. With k far above e^epsilon it is useless, and a liar's report weighs most.",
        "a = (e + k - 1) / (e - 1)^2,   b = (e + k - 1) / (e - 1)",
        _grr,
    ),
    "sue": Note(
        "a bit for each code",
        "To compare with RAPPOR-like systems, which tell every bit with the same care.",
        SUE,
        _sue,
    ),
    "oue": Note(
        "a bit for each code",
        "Secret plans, where it is the one mechanism: a report does not tell its level. It is also "
        "the PMOUE of the PLDP paper. Elsewhere `subset` is as long and better.",
        "a = 4 e / (e - 1)^2,   b = 2",
        _oue,
    ),
    "the": Note(
        "a bit for each code",
        "To compare with histograms that have Laplace noise and a threshold. The bits spend less "
        "than the level, so every other unary encoding is better.",
        "a = q (1 - q) / (p - q)^2,   b = (1 - 2 q) / (p - q)\n"
        "p = 1 - e^(-(1 - t) epsilon / 2) / 2,   q = e^(-t epsilon / 2) / 2\n"
        "t   the threshold, from 0.51 to 0.99",
        _the,
    ),
    "subset": Note(
        "a set of codes",
        "The default. Where all values are equally frequent no mechanism does better; the price is "
        "a report with a bit for each value.",
        "a + b / k = (k - 1) d^2 / (k c (k - c)(e - 1)^2),   "
        "b = (k - 1)(k - 2 c) d / ((k - 2) c (k - c)(e - 1))\n"
        "c   how many codes a set has, about k / (e + 1)\n"
        "d = c e + k - c",
        _subset,
    ),
    "blh": Note(
        "a function and one of two cells",
        "To compare with random projections to bits. `hrr` says as much in a third of the bytes.",
        TWO,
        _two_cells,
    ),
    "olh": Note(
        "a function and one of e + 1 cells",
        "Many values and short reports: seven bytes for up to 32,749 values, with the variance of "
        "`oue`. Counting looks at every value for every report.",
        f"{CELLS}\ng   how many cells there are, about e + 1",
        _olh,
    ),
    "shist": Note(
        "a row of a matrix and a bit",
        "Another name of [`hrr`](hrr.md): a bit of a random projection whose columns are "
        "orthogonal.",
        TWO,
        _two_cells,
    ),
    "hrr": Note(
        "a coefficient of the Hadamard transform",
        "The shortest reports about many values at small budgets: two bytes for up to 32,768 "
        "values. Above epsilon 2 one bit is too little to say.",
        TWO,
        _two_cells,
    ),
    "hadamard": Note(
        "up to four coefficients together",
        "Many values and short reports: up to epsilon 3 as good as `olh`, and up to a thousand "
        "values shorter. With 16 cells at most, it falls behind above.",
        f"{CELLS}\ng   how many cells there are: 2, 4, 8 or 16",
        _hadamard,
    ),
    "bloom": Note(
        "bits, of which each code has a few",
        "To receive what LoPub's clients send. With one hash and a bit for each value it is `sue`; "
        "more hashes lose accuracy. The figures are those of one hash.",
        SUE,
        _sue,
    ),
    "rappor": Note(
        "the same, drawn anew in each round",
        "To receive what RAPPOR's clients send: an answer is kept, and told with more noise in "
        "each round. The level bounds all rounds together. The figures are those of one hash and "
        "one round.",
        "a = q (1 - q) / (p - q)^2,   b = (1 - 2 q) / (p - q)\n"
        "p = (3 h + 2) / (4 (h + 1)),   q = (2 h + 3) / (4 (h + 1))",
        _rappor,
    ),
    "lgrr": Note(
        "one code, drawn anew in each round",
        "To compare with longitudinal GRR: a code is kept, and sent by direct answers in each "
        "round. The level bounds all rounds together; half of it, unless a plan says otherwise, "
        "the first report alone. The figures are those of one round.",
        "a = (h + k - 1) / (h - 1)^2,   b = (h + k - 1) / (h - 1)",
        _lgrr,
    ),
    "losue": Note(
        "a bit for each code, drawn anew in each round",
        "To compare with longitudinal OSUE: bits of `oue` are kept, and sent by symmetric coins "
        "in each round. Its reports of one round are those of `oue` at the first level, and two "
        "histories that change in different rounds are told apart by every bit.",
        "a = 4 h / (h - 1)^2,   b = 2",
        _losue,
    ),
    "loloha": Note(
        "a kept function and a bucket, drawn anew in each round",
        "To compare with LOLOHA, here with two buckets: answers that share a bucket are one "
        "answer, so at most as many are charged as there are buckets. A device keeps its "
        "function, which links all of its reports.",
        "a = ((h + 1) / (h - 1))^2,   b = 0",
        _loloha,
    ),
    "dbitflip": Note(
        "the bits of a few codes, drawn once",
        "To receive what dBitFlip's clients send (`again: fresh`), or dBitFlipPM's (a memo): the "
        "bits of d codes, here of four. A device whose answer is none of its codes reports the "
        "same for all of these, so fewer bits hide more changes, and cost accuracy. Estimates by "
        "`mle`, the default, use which codes a report has; the linear one counts half for others "
        "and is less precise, as the figures are: with one bit of eight values twice the variance.",
        "a = (v + c) / (s m)^2,   b = 1 - 4 c / (s m)^2\n"
        "s = d / k,   m = (h - 1) / (h + 1)\n"
        "v = s (1 - s m^2) / 4,   c = s (1 - s) m^2 / (4 (k - 1))",
        _dbitflip,
    ),
    "she": Note(
        "a digit for each code",
        "To compare with histograms that have Laplace noise. Every digit could be drawn from a bit "
        "of `sue`, which is shorter and never less accurate.",
        "a = (n - m^2) / (1 - 2 m)^2,   b = 1\n"
        "m = q (1 - 1/h) / (s (1 - q^2)),   "
        "n = sum over d from 1 to s of (2 d - 1) q^d / (s^2 (1 + q))\n"
        "q = e^(-epsilon / (2 s)),   s = 15   the steps from zero to one\n"
        "As published, with nothing cut off, a = 8 / epsilon^2.",
        _she,
    ),
    "idldp": Note(
        "one code",
        "Where some values of an attribute are more delicate than others, and the plan may say "
        "which. Summed over all values, it is never worse than `grr` at the smallest level.",
        TIGHT + "\n"
        "b(x, y) = min(e(x), e(y), t), and e(x) = epsilon times the share of x\n"
        "t   from the smallest e(x) to its double: the best of 17 steps",
    ),
    "uldp": Note(
        "one code",
        "Where most values are harmless, and may be told openly, so that the few that are not can "
        "hide. Whoever is told openly is not protected at all.",
        "sensitive:  a + b f - f^2,   a = (e + s - 2) / (e - 1)^2,   b = (e + s - 3) / (e - 1)\n"
        "others:     b f - f^2,       b = (e + s - 1) / (e - 1)\n"
        "f   the frequency, 1 / k;   s   how many values are sensitive",
    ),
    "metric": Note(
        "one code",
        "Where near values are to be hidden from each other and far ones may be told apart: ages, "
        "grades, places. What it tells best is what lies far apart; single ones of few values are "
        "told better by `grr` at small levels.",
        TIGHT + "\nb(x, y) = epsilon d(x, y), d the distance over the scale",
    ),
    "hcms": Note(
        "a cohort, a row and a sign",
        "The default for texts: a few bytes with many cells, so that texts seldom share one.",
        "((e + 1) / (e - 1))^2",
    ),
    "cms": Note(
        "a cohort, and a bit for each cell",
        "Where a report may have 129 bytes: less than half of the error of `hcms` at epsilon 4.",
        "h / (h - 1)^2, with h the root of e",
    ),
    "orr": Note(
        "a cohort and a cell",
        "Where every byte counts. With few cells many texts share one: name the candidates "
        "together, so that they explain each other.",
        "q (1 - q) / (p - q)^2 at q = 1 / cells, p = e / (e + cells - 1), next to the best with "
        "cells = e + 1",
    ),
    "orappor": Note(
        "a cohort, and bits of which each text has a few",
        "To receive what RAPPOR's clients send about texts, in one stage or in two.",
        "that of `cms` with a smaller part of the budget for each bit of a word, over the bits",
    ),
    "duchi": Note(
        "one bit",
        "Means at small budgets, where nothing is better. It tells nothing about a distribution.",
        DUCHI,
        _duchi,
    ),
    "onebit": Note(
        "one bit",
        "Another name of [`duchi`](duchi.md), by which Ding et al. have it.",
        DUCHI,
        _duchi,
    ),
    "pm": Note(
        "a cell of a line",
        "To compare with the piecewise mechanism as published. `window` is better for means.",
        "a = (h + 3) / (3 (h - 1)^2),   b = 1 / (h - 1)",
        _pm,
    ),
    "sw": Note(
        "a cell of a line",
        "Quantiles and distributions: the window through which most information passes.",
        WINDOW,
        _sw,
    ),
    "window": Note(
        "a cell of a line",
        "The default: of all windows the one with the least variance where that is largest.",
        WINDOW,
        _best_window,
    ),
    "hm": Note(
        "a bit or a cell of a line",
        "To compare with the hybrid mechanism as published: its variance is the same for every "
        "number.",
        "a = (h + 3) / (3 h (h - 1)) + ((e + 1) / (e - 1))^2 / h,   b = 0   (above epsilon 0.61)",
        _hm,
    ),
    "laplace": Note(
        "a point of the grid",
        "To compare with the Laplace mechanism on a grid, and where near numbers should stay more "
        "alike than far ones. Reports are read by their likelihood only.",
        "none: a report is not decoded",
    ),
    "optimal": Note(
        "a column of a table",
        "Means, with the least worst case that a linear programme finds. The tables stand in the "
        "plan, which grows by some kilobytes for each level.",
        "no formula: it is what the programme minimises",
    ),
    "prefixes": Note(
        "a group, and parities of the first bits of a codeword",
        "Texts that nobody can list beforehand: `discover` finds those that were said, and "
        "`frequencies` has the share of any candidate. For candidates alone `hcms` is shorter.",
        "q (1 - q) / (p - q)^2 for a text that all groups report",
    ),
    "hierarchy": Note(
        "a depth of a tree, and a report about the interval there",
        "Ranges, quantiles and the cdf of numbers on fine grids, and of labels in order: `auto` "
        "takes it for more than 16 of these. Heaps and gaps stay where they are.",
        "that of ranges follows from the tree",
    ),
    "cover": Note(
        "a set of codes that meets the owner's, or misses it",
        "Any number of items of a list, such as baskets and multiple choice, and maps from keys to "
        "numbers. Each item is a yes or no with an exact channel of its own. Items that nobody "
        "lists are hashed into cells of a public cohort first, and these are reported: "
        "`items: text`.",
        "that of a share is P (1 - P) / (p - q)^2 with P = q + (p - q) f",
    ),
}
