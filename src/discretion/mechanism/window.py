"""Sliding window: a cell of a finer line, in a window that the number moves, or anywhere else.

The outputs are cells of a line: ``cells`` of them for each step of the grid, and a window of
``span`` cells more. The window of code x begins at cell ``x * cells``.

Law      P(y | x) = keep / ONE / span                      if y is in the window,
                    (ONE - keep) / ONE / line              if it is not: line = (size - 1) cells
Report   y is the cell. Its mean moves by whole cells with x, so it is decoded exactly.
Source   Wang et al. (2019), arXiv:1907.00782 (piecewise mechanism); Li et al. (2020),
         arXiv:1912.01051 (square wave): they differ in the width of the window alone.
Proof    docs/proofs/numbers.md
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from discretion.mechanism.form import Piece
from discretion.mechanism.odds import odds
from discretion.mechanism.shape import Numbered
from discretion.randomness import ONE, Source

FINE = 1024  # cells on the line, at least: the widths of windows are rounded to cells


@dataclass(frozen=True, slots=True)
class Window(Numbered):
    """A cell of the window with probability ``keep / ONE``, else one of the others."""

    size: int
    cells: int
    span: int
    keep: int

    @property
    def line(self) -> int:
        """The cells that the window's start moves over."""
        return (self.size - 1) * self.cells

    @property
    def n_outputs(self) -> int:
        return self.line + self.span

    @property
    def n_bytes(self) -> int:
        return ((2 * self.line - 1).bit_length() + 7) // 8  # a window is no wider than the line

    @property
    def ratio(self) -> Fraction:
        return Fraction(self.keep * self.line, (ONE - self.keep) * self.span)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return (_piece(self),)

    def perturb(self, code: int, source: Source) -> int:
        start = code * self.cells
        if source.coin(self.keep):
            return start + source.below(self.span)
        other = source.below(self.line)
        return other + (other >= start) * self.span

    def probability(self, y: int, code: int) -> Fraction:
        if 0 <= y - code * self.cells < self.span:
            return Fraction(self.keep, ONE * self.span)
        return Fraction(ONE - self.keep, ONE * self.line)

    def variance(self, code: int) -> Fraction:
        pitch = self._mean(1) - self._mean(0)
        return (self._moment(code, _squares) - self._mean(code) ** 2) / pitch**2

    def _mean(self, code: int) -> Fraction:
        return self._moment(code, _numbers)

    def _moment(self, code: int, total: Callable[[int], int]) -> Fraction:
        """Return the mean of a power of y; ``total(m)`` is the sum of that of 0 to m - 1."""
        start = code * self.cells
        inside = total(start + self.span) - total(start)
        outside = total(self.n_outputs) - inside
        return Fraction(
            self.keep * inside * self.line + (ONE - self.keep) * outside * self.span,
            ONE * self.span * self.line,
        )


@lru_cache(4096)
def _piece(law: Window) -> Piece:
    """Return how reports are decoded, in exact fractions: estimators ask for it often."""
    start, pitch = law._mean(0), law._mean(1) - law._mean(0)
    return Piece(0, law.n_outputs, -start / pitch, 1 / pitch)


def _numbers(m: int) -> int:
    return m * (m - 1) // 2


def _squares(m: int) -> int:
    return m * (m - 1) * (2 * m - 1) // 6


def pm(size: int, level: int) -> Window:
    """The piecewise mechanism: a window of e^(-epsilon / 2) of the line."""
    line, half = _line(size), odds(level, 2000)
    return _window(size, level, -(-line * ONE // half))


def sw(size: int, level: int) -> Window:
    """The square wave: the window through which most information passes.

    Of the line it is (eps e - e + 1) / (e (e - 1 - eps)), with e = e^eps.
    """
    line, top = _line(size), odds(level)
    above = (level * top - 1000 * top + 1000 * ONE) * ONE
    below = top * (1000 * top - (1000 + level) * ONE)
    return _window(size, level, (2 * line * above + below) // (2 * below))


def window(size: int, level: int) -> Window:
    """The window with the smallest variance where that is largest: at the ends of the grid."""
    low, high = 1, _line(size)
    while low < high:
        middle = (low + high) // 2
        here, beside = (_window(size, level, span).variance(0) for span in (middle, middle + 1))
        low, high = (low, middle) if here <= beside else (middle + 1, high)
    return _window(size, level, low)


def _line(size: int) -> int:
    return (size - 1) * _cells(size)


def _cells(size: int) -> int:
    return -(-FINE // (size - 1))


def _window(size: int, level: int, span: int) -> Window:
    line, top = _line(size), odds(level)
    span = min(max(span, 1), line)
    keep = ONE * span * top // (span * top + line * ONE)  # down: towards more privacy
    return Window(size, _cells(size), span, keep)
