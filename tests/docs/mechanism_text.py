"""How the pages about mechanisms write tables, paragraphs and numbers."""

import textwrap
from collections.abc import Iterable, Sequence
from fractions import Fraction

import mpmath as mp

LINE = 105


def markdown(heads: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Write a table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def bounds(ratio: Fraction, level: float) -> tuple[str, str, str]:
    """Write e^epsilon, a ratio that must not be above it, and what is not used."""
    with mp.workdps(60):
        epsilon = mp.mpf(level) / 1000
        spent = mp.log(mp.mpf(ratio.numerator) / ratio.denominator)
        if spent > epsilon:
            raise ArithmeticError(f"a ratio above e^{epsilon}")
        unused = 1 - spent / epsilon
        return (
            mp.nstr(mp.exp(epsilon), 16),
            mp.nstr(mp.exp(spent), 16),
            mp.nstr(unused, 2),
        )


def epsilon(level: int) -> str:
    """Write a level."""
    return f"{level / 1000:g}"


def short(number: Fraction | float) -> str:
    """Write a number to three digits."""
    return f"{float(f'{float(number):.3g}'):,.6g}"


def paragraph(text: str) -> str:
    """Break lines."""
    return textwrap.fill(" ".join(text.replace("``", "`").split()), LINE, break_long_words=False)
