"""Reading reports strictly, many at once: one pass over their bytes, by the tables of a grammar.

It accepts what ``discretion.report.read`` accepts and nothing else; it does not say why it refuses.
A report has one form only, so reading is comparing: what is not as it must be is refused at once.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit, uint64

from discretion.kernel import cached

Bytes = npt.NDArray[np.uint8]
Indices = npt.NDArray[np.int64]
Integers = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]
Integer = Any  # Python's and NumPy's are one in compiled code

ID_BYTES = 16
LARGEST = (1 << 31) - 1
QUOTE, BRACE, COMMA, MINUS, UNDERSCORE = (ord(c) for c in '"},-_')
ZERO, NINE, SMALL_A, SMALL_F, SMALL_Z, LARGE_A, LARGE_Z = (ord(c) for c in "09afzAZ")


class Grammar(NamedTuple):
    """What the reports of a plan may be, as arrays; ``_ends`` are where the parts of one end."""

    opening: Bytes  # up to the number of the round
    before_id: Bytes
    before_answers: Bytes
    before_range: Bytes
    before_y: Bytes
    heads: Bytes  # of the answers, up to the level, or up to y in a secret plan
    head_ends: Indices  # (names + 1,)
    secret: bool
    menu: Indices  # the levels of each name, rising
    menu_ends: Indices  # (names + 1,)
    ranges: Indices  # (names,): on the menu of ranges, 0 where there is none
    widths: Indices  # (names,): bytes of y
    branches: Indices  # (names,): the forms that the last byte of y tells apart; 1: it does not
    shifts: Indices  # by name, range, level and branch: y without so many low bits must be below
    limits: Indices  # this limit
    ones: Indices  # bits that y must have, or -1, in the same order
    limit_ends: Indices  # (names + 1,)
    parts: Indices  # the attributes of each name
    part_ends: Indices  # (names + 1,)
    attributes: int
    allowance: Indices  # by the number of shared attributes: what they may spend, or -1
    least: Indices  # by that number: the least of each
    share_least: int
    most_answers: int


class Columns(NamedTuple):
    """What was read, a row for each report; of refused ones, anything."""

    rounds: Integers  # (n,)
    ids: Bytes  # (n, 16)
    shared: npt.NDArray[np.bool_]  # (n, names)
    levels: Integers  # (n, names)
    ranges: Integers  # (n, names)
    ys: Bytes  # (n, sum of widths)


@cached()
def read_reports(
    data: Bytes, ends: Indices, grammar: Grammar, columns: Columns
) -> npt.NDArray[np.bool_]:
    """Fill the columns from reports that end at ``ends``; return which of them are valid."""
    n = len(ends) - 1
    accepted = np.zeros(n, np.bool_)
    seen = np.full(grammar.attributes, -1, np.int64)
    for i in range(n):
        accepted[i] = _read_one(data, ends[i], ends[i + 1], grammar, columns, i, seen)
    return accepted


@njit(inline="always")
def _read_one(
    data: Bytes, at: int, end: int, g: Grammar, columns: Columns, i: int, seen: Indices
) -> bool:
    at = _expect(data, at, end, g.opening, 0, len(g.opening))
    at, columns.rounds[i] = _number(data, at, end)
    at = _expect(data, at, end, g.before_id, 0, len(g.before_id))
    at = _hexadecimal(data, at, end, columns.ids[i])
    at = _expect(data, at, end, g.before_answers, 0, len(g.before_answers))
    if at < 0:
        return False
    answers, first = 0, 0
    for name in range(len(g.ranges)):
        columns.shared[i, name] = False
        columns.levels[i, name] = 0
        columns.ranges[i, name] = 0
        start = at
        if answers:
            start = at + 1 if at < end and data[at] == COMMA else -1
        inside = _expect(data, start, end, g.heads, g.head_ends[name], g.head_ends[name + 1])
        if inside >= 0:
            at = _answer(data, inside, end, g, columns, i, name, first)
            if at < 0:
                return False
            columns.shared[i, name] = True
            answers += 1
        first += g.widths[name]
    if at + 2 != end or data[at] != BRACE or data[at + 1] != BRACE:
        return False
    return answers <= g.most_answers and _keeps_policy(g, columns, i, seen)


@njit(inline="always")
def _answer(
    data: Bytes, at: int, end: int, g: Grammar, columns: Columns, i: int, name: int, first: int
) -> int:
    """Read an answer behind its head; return the position behind it, or -1."""
    first_level, last_level = g.menu_ends[name], g.menu_ends[name + 1]
    range_index: Integer = 0
    own: Integer = 0
    if not g.secret:
        at, level = _number(data, at, end)
        own = np.searchsorted(g.menu[first_level:last_level], level)
        if at < 0 or own == last_level - first_level or g.menu[first_level + own] != level:
            return -1
        columns.levels[i, name] = level
        if g.ranges[name]:
            at = _expect(data, at, end, g.before_range, 0, len(g.before_range))
            at, range_index = _number(data, at, end)
            if at < 0 or range_index >= g.ranges[name]:
                return -1
            columns.ranges[i, name] = range_index
        at = _expect(data, at, end, g.before_y, 0, len(g.before_y))
    y = columns.ys[i, first : first + g.widths[name]]
    at = _base64(data, at, end, y)
    if at < 0 or at + 2 > end or data[at] != QUOTE or data[at + 1] != BRACE:
        return -1
    rule = range_index * (last_level - first_level) + own
    rule = g.limit_ends[name] + rule * g.branches[name]
    return at + 2 if fits(y, rule, g.branches[name], g.shifts, g.limits, g.ones) else -1


@njit(inline="always")
def fits(
    y: Bytes, rule: int, branches: int, shifts: Indices, limits: Indices, ones: Indices
) -> bool:
    """Whether y is of the form of a rule, or of the branch behind it that its last byte names."""
    if branches == 1:
        return possible(y, shifts[rule], limits[rule], ones[rule])
    branch = np.int64(y[len(y) - 1])
    if branch >= branches:
        return False
    at = rule + branch
    return possible(y[: len(y) - 1], shifts[at], limits[at], ones[at])


@njit(inline="always")
def possible(y: Bytes, shift: int, limit: int, ones: int) -> bool:
    """Whether y, less its low bits, is below the limit, and has as many of these as it must."""
    above = np.uint64(0)
    for b in range(shift // 8, len(y)):
        higher = b - shift // 8
        if higher < 8:
            above |= np.uint64(y[b]) << np.uint64(8 * higher)
        elif y[b]:
            return False
    if above >> np.uint64(shift % 8) >= np.uint64(limit):
        return False
    if ones < 0:
        return True
    count, inside = 0, np.uint8((1 << shift % 8) - 1)
    for b in range(len(y)):
        byte = y[b] if b < shift // 8 else y[b] & inside if b == shift // 8 else np.uint8(0)
        while byte:
            byte &= byte - np.uint8(1)
            count += 1
    return count == ones


@njit(inline="always")
def _keeps_policy(g: Grammar, columns: Columns, i: int, seen: Indices) -> bool:
    """Whether no attribute is reported twice, enough are, and the levels are what may be spent."""
    count, total = 0, 0
    smallest = np.int64(LARGEST)
    for name in range(len(g.ranges)):
        if columns.shared[i, name]:
            parts = g.part_ends[name + 1] - g.part_ends[name]
            for p in range(g.part_ends[name], g.part_ends[name + 1]):
                if seen[g.parts[p]] == i:
                    return False
                seen[g.parts[p]] = i
            each = columns.levels[i, name] // parts
            count, total, smallest = count + parts, total + each * parts, min(smallest, each)
    if count < g.share_least:
        return False
    if g.secret or count == 0:
        return True
    return smallest >= g.least[count] and (g.allowance[count] < 0 or total <= g.allowance[count])


@cached()
def _expect(data: Bytes, at: int, end: int, text: Bytes, start: int, stop: int) -> int:
    """Return the position behind a text that must stand here, or -1."""
    if at < 0 or at + stop - start > end:
        return -1
    for k in range(stop - start):
        if data[at + k] != text[start + k]:
            return -1
    return at + stop - start


@cached()
def _number(data: Bytes, at: int, end: int) -> tuple[int, int]:
    """Return the position behind a whole number without leading zeros, and the number; or -1."""
    if at < 0 or at >= end or not ZERO <= data[at] <= NINE:
        return -1, 0
    if data[at] == ZERO:
        return at + 1, 0
    value: Integer = 0
    while at < end and ZERO <= data[at] <= NINE:
        value = 10 * value + np.int64(data[at]) - ZERO
        if value > LARGEST:
            return -1, 0
        at += 1
    return at, value


@cached()
def _hexadecimal(data: Bytes, at: int, end: int, out: Bytes) -> int:
    if at < 0 or at + 2 * len(out) > end:
        return -1
    for b in range(len(out)):
        value: Integer = 0
        for k in range(2):
            c = np.int64(data[at + 2 * b + k])
            if ZERO <= c <= NINE:
                value = 16 * value + c - ZERO
            elif SMALL_A <= c <= SMALL_F:
                value = 16 * value + c - SMALL_A + 10
            else:
                return -1
        out[b] = value
    return at + 2 * len(out)


@cached()
def _base64(data: Bytes, at: int, end: int, out: Bytes) -> int:
    """Decode base64url without padding; bits that stand for nothing must be zero."""
    characters = (8 * len(out) + 5) // 6
    if at < 0 or at + characters > end:
        return -1
    bits: Integer = 0
    held, filled = 0, 0
    for k in range(characters):
        c: Integer = np.int64(data[at + k])
        if LARGE_A <= c <= LARGE_Z:
            c -= LARGE_A
        elif SMALL_A <= c <= SMALL_Z:
            c -= SMALL_A - 26
        elif ZERO <= c <= NINE:
            c -= ZERO - 52
        elif c == MINUS:
            c = 62
        elif c == UNDERSCORE:
            c = 63
        else:
            return -1
        bits, held = (bits << 6) | c, held + 6
        if held >= 8:
            held -= 8
            out[filled] = bits >> held
            filled += 1
            bits &= (1 << held) - 1
    return at + characters if bits == 0 else -1


@cached(nogil=True)
def first_stray(
    y: Bytes,
    strata: Integers,
    there: Mask,
    rules: Indices,
    branches: int,
    shifts: Indices,
    limits: Indices,
    ones: Indices,
) -> int:
    """Return the first row that no device sends, or -1; rows that are not there do not count.

    ``rules`` (strata,) has the index of each stratum's first shift, limit and ones, -1 for those
    off menu.
    """
    for i in range(len(y)):
        if there[i]:
            stratum = strata[i]
            if stratum < 0 or stratum >= len(rules):
                return i
            rule = rules[uint64(stratum)]
            if rule < 0 or not fits(y[i], rule, branches, shifts, limits, ones):
                return i
    return -1
