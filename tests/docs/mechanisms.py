"""docs/mechanisms: a page for each mechanism, from its law.

To write them and their figure anew: python -m tests.docs.mechanisms.
"""

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from discretion.estimate.noise import Noise
from discretion.family.counts import BitCounts
from discretion.family.sketches import Channel
from discretion.labels.frequencies import largest_eigenvalue
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
    VARIANTS,
    Bloom,
    Hashed,
    Law,
    NumberLaw,
    Prefixes,
    SampledBits,
    Table,
    Tree,
    law,
    matrix_law,
    number_law,
    staged_law,
)
from discretion.mechanism.hierarchy import Hierarchy, depths_of
from discretion.order.depths import Depth
from discretion.order.tree import LinearTree, Shape, Variance
from discretion.plan.encodings import REPORTED, plain_encoding, read_sketch
from discretion.plan.optimal import optimal_weights
from discretion.plan.prefixes import BITS, groups_of
from discretion.plan.stages import plain_stages
from tests.docs.mechanism_figure import save
from tests.docs.mechanism_notes import NOTES
from tests.docs.mechanism_sets import ABOUT as ABOUT_SETS
from tests.docs.mechanism_sets import law_for, rare, sets
from tests.docs.mechanism_text import bounds, epsilon, markdown, paragraph, short
from tests.docs.mechanism_variants import FORMS, over_grr, pairs, sums

PLACE = Path(__file__).parents[2] / "docs" / "mechanisms"
FIGURE, INDEX = "variance.svg", "README.md"
LABELS = (*MECHANISMS, *CODED, *SAMPLED, *STAGED)
NAMES = (*LABELS, *VARIANTS, *OPEN, *NUMBERS, OPTIMAL, *ORDERED, *SETS, *DISCOVERED)
LEVELS = (500, 1000, 2000, 4000)
SIZES, GRID = (4, 16, 128, 1024), 101
FANOUT, FINE = 2, 1 << 16  # of hierarchies
LINE = 105
PART = re.compile(r"^(Law|Report|Privacy|Source) +(.*?)(?=^\w|\Z)", re.DOTALL | re.MULTILINE)
WRITTEN = (
    "Written by `python -m tests.docs.mechanisms` from the laws themselves; a test compares the "
    "two."
)
ABOUT_LABELS = """
Bytes of a report about 16 and about 1,024 values, and the variance over the least that any
mechanism could have, where all values are equally frequent. `auto` takes `subset`, or with
`{auto: {bytes: 8}}` the best that is short enough ([guide](../guide.md#which-mechanism))."""
ABOUT_FIGURE = """
The variance of one report about a contrast of values, all of them being equally frequent: as the
budget grows, and as the values do. The wide line is the limit of Ye and Barg (2018), and `subset`
lies on it."""
ABOUT_NUMBERS = """
Bytes of a report about one of 101 points, and the variance of a decoded report at the number where
it is largest, in squared half-ranges. `auto` takes `window`."""
ABOUT_ORDERED = """
Bytes of a report about 65,536 points, and the variance of the share of a range, times the number
of reports: that of the linear estimate, averaged over ranges, all points being as frequent."""
ABOUT_RANGES = """
Of the linear share of a range, averaged over 500 random ranges, times the number of reports, where
all values are equally frequent. The estimate by empirical Bayes is more precise, the more so the
finer the values are."""
ABOUT_RATIOS = """
The largest P(y | x) / P(y | x') over all reports and answers, as an exact fraction, of the law for
{what}. It never exceeds e^epsilon."""
ABOUT_CODES = """
Of the linear estimate at a value of frequency f, brought to sum one, times the number of reports:
a + b f - f^2, but for terms of the order 1 / k. Here e is e^epsilon, h its root, and k the number
of values."""
ABOUT_DECODED = """
Of a decoded report about a number z, with the range as [-1, 1] and a fine grid: a + b z^2. Here e
is e^epsilon, and h its root. The limit is that of a mean, sampling included, where half of all
people are at either end."""
ABOUT_VARIANTS = """
Bytes of a report about 16 values, and the variance of one report where all values are equally
frequent, summed over them and divided by that of the `grr` that promises as much of every pair as
the variant does of the pair it protects most. What each is shown with stands on its page, and what
it does not promise in [variants](../variants.md)."""
ABOUT_TEXTS = """
Bytes of a report, and the variance of the estimate of a text that hardly anybody says, times the
number of reports; other texts in its cells add a little. `auto` takes `hcms`. What a plan may state
is left as it is by default."""
ABOUT_CELLS = """
Of the estimate of a text that hardly anybody says, from its own cells, times the number of reports.
Other texts in the cells add at most their sum of squared frequencies over cells, cohorts and
hashes, however many reports there are."""
ABOUT_DISCOVERED = """
Bytes of a report about 60 bits, and the variance of the share of a text that hardly anybody says,
times the number of reports, if all groups report it; one with more than 22 bits is reported by
fewer."""
LETTERS = {
    "ONE": "`ONE` is 2^64",
    "WHOLE": "`WHOLE` is 2^62",
    "TOTAL": "`TOTAL` is 2^48",
    "size": "`size` is how many codes",
}


def law_of(name: str, size: int, level: int) -> Law:
    """Return the law of any mechanism; words have one hash and a bit for each value."""
    if name in MECHANISMS:
        return law(name, size, level)
    if name in CODED:
        return CODED[name](plain_encoding(name, size), level)
    if name in SAMPLED:
        return SAMPLED[name](SampledBits(size, 1, size, reported=REPORTED), level)
    if name in STAGED:
        return staged_law(name, size, level, plain_stages(name))
    if name in OPEN:
        return OPEN[name](read_sketch(None, name), level)
    if name in VARIANTS:
        return matrix_law(FORMS[name].of(size), level)
    if name in DISCOVERED:
        return DISCOVERED[name](groups_of(BITS), level)
    if name in ORDERED:
        return ORDERED[name](Tree(size, FANOUT, depths_of(size, FANOUT)), level)
    if name in SETS:
        return law_for(name, size, level)
    return Table(size, optimal_weights(level)) if name == OPTIMAL else number_law(name, size, level)


def noise_of(name: str, size: int, level: int) -> tuple[float, float]:
    """Return a and b of the variance."""
    noise = Noise.of(law_of(name, size, level))  # type: ignore[arg-type]
    return noise.constant, noise.linear


def page(name: str) -> str:
    """Return the page of a mechanism."""
    parts = [f"# `{name}`", _title(name), note(name), *_law(name)]
    if name in VARIANTS:
        own = [*pairs(name), *sums(name)]
    else:
        kind = _texts if name in OPEN else _labels if name in LABELS else _numbers
        kind = _ordered if name in ORDERED else _discovered if name in DISCOVERED else kind
        told = sets(name, LEVELS) if name in SETS else kind(name)
        own = [*_guarantee(name), *told]
    return "\n\n".join([*parts, *own, *_source(name), WRITTEN]) + "\n"


def note(name: str) -> str:
    """Say when to use it."""
    return paragraph(f"**When.** {NOTES[name].when}")


def index() -> str:
    """Return the page that lists all of them."""
    heads = ["mechanism", "a report", "bytes", *(f"ε = {x}, 16" for x in (1, 4))]
    heads += [f"ε = {x}, 1,024" for x in (1, 4)]
    labels = [
        [f"[`{n}`]({n}.md)", NOTES[n].what, _widths(n, (16, 1024)), *_ratios(n, (16, 1024))]
        for n in LABELS
    ]
    numbers = [
        [f"[`{n}`]({n}.md)", NOTES[n].what, _widths(n, (GRID,)), *(_worst(n, v) for v in LEVELS)]
        for n in (*NUMBERS, OPTIMAL)
    ]
    texts = [
        [f"[`{n}`]({n}.md)", NOTES[n].what, _widths(n, (1,)), *(_rare(n, v) for v in LEVELS)]
        for n in OPEN
    ]
    ordered = [
        [
            f"[`{n}`]({n}.md)",
            NOTES[n].what,
            _widths(n, (FINE,)),
            *(_range(n, FINE, v) for v in LEVELS),
        ]
        for n in ORDERED
    ]
    discovered = [
        [f"[`{n}`]({n}.md)", NOTES[n].what, _widths(n, (1,)), *(_seldom(n, v) for v in LEVELS)]
        for n in DISCOVERED
    ]
    varied = [
        [
            f"[`{n}`]({n}.md)",
            NOTES[n].what,
            _widths(n, (16,)),
            *(short(over_grr(n, 16, v)) for v in LEVELS),
        ]
        for n in VARIANTS
    ]
    several = [
        [f"[`{n}`]({n}.md)", NOTES[n].what, _widths(n, (1024,))]
        + [short(rare(law_for(n, 1024, v))) for v in LEVELS]
        for n in SETS
    ]
    parts = [
        "# Mechanisms",
        WRITTEN,
        "## Labels and bins",
        paragraph(ABOUT_LABELS),
        markdown(heads, labels),
        f"![Variance against budget and number of values]({FIGURE})",
        paragraph(ABOUT_FIGURE),
        "## Variants of local privacy",
        paragraph(ABOUT_VARIANTS),
        markdown([*heads[:3], *(f"ε = {epsilon(v)}" for v in LEVELS)], varied),
        "## Texts",
        paragraph(ABOUT_TEXTS),
        markdown([*heads[:3], *(f"ε = {epsilon(v)}" for v in LEVELS)], texts),
        "## Texts that nobody lists",
        paragraph(ABOUT_DISCOVERED),
        markdown([*heads[:3], *(f"ε = {epsilon(v)}" for v in LEVELS)], discovered),
        "## Numbers",
        paragraph(ABOUT_NUMBERS),
        markdown([*heads[:3], *(f"ε = {epsilon(v)}" for v in LEVELS)], numbers),
        "## Numbers and labels in order, for ranges",
        paragraph(ABOUT_ORDERED),
        markdown([*heads[:3], *(f"ε = {epsilon(v)}" for v in LEVELS)], ordered),
        "## Sets and maps",
        paragraph(ABOUT_SETS),
        markdown([*heads[:3], *(f"ε = {epsilon(v)}" for v in LEVELS)], several),
    ]
    return "\n\n".join(parts) + "\n"


def _title(name: str) -> str:
    if name in (*CODED, *VARIANTS, "cms", "orappor", OPTIMAL):
        return paragraph(_doc(name).partition("\n\n")[0])
    make = {**MECHANISMS, **SAMPLED, **STAGED, **NUMBERS, **OPEN, **ORDERED, **SETS, **DISCOVERED}[
        name
    ]
    return paragraph(inspect.getdoc(make) or "")


def _module(name: str) -> ModuleType:
    """Return the module that has the law."""
    own = FORMS[name].of(5) if name in VARIANTS else law_of(name, 5, 1000)
    return sys.modules[type(own).__module__]


def _doc(name: str) -> str:
    """Return what the module says that has the law."""
    return inspect.getdoc(_module(name)) or ""


def _parts(name: str) -> dict[str, str]:
    return {key: _even(text) for key, text in PART.findall(_doc(name))}


def _even(text: str) -> str:
    first, _, rest = text.rstrip().partition("\n")
    lines = [line[9:] for line in rest.splitlines()]
    return "\n".join([first, *lines]).rstrip()


def _law(name: str) -> Iterator[str]:
    parts, own = _parts(name), law_of(name, 16, 1000)
    yield "## Law"
    before, _, _ = _doc(name).partition("\n\nLaw ")
    yield from (paragraph(text) for text in before.split("\n\n"))
    yield f"```text\n{parts['Law']}\n```"
    letters = [meaning for letter, meaning in LETTERS.items() if letter in parts["Law"]]
    yield paragraph(f"{'; '.join(letters)}." if letters else "Codes are counted from 0.")
    if isinstance(own, Hashed):
        yield paragraph(f"**Functions.** {inspect.getdoc(type(own.hashing))}")
    yield paragraph(f"**Report.** {parts['Report']}" + ("" if parts["Report"][-1] == "." else "."))
    if "Privacy" in parts:
        said = parts["Privacy"][0].upper() + parts["Privacy"][1:]
        yield paragraph(f"**Privacy.** {said}" + ("" if said[-1] == "." else "."))


def _guarantee(name: str) -> Iterator[str]:
    size = 16 if name in LABELS else GRID
    yield "## Guarantee"
    what = "texts" if name in (*OPEN, *DISCOVERED) else f"{size} values"
    yield paragraph(ABOUT_RATIOS.format(what=what))
    rows = []
    for level in LEVELS:
        ratio = law_of(name, size, level).ratio
        rows.append([epsilon(level), *bounds(ratio, level)])
    yield markdown(["epsilon", "e^epsilon", "largest ratio", "part of epsilon not used"], rows)


def _labels(name: str) -> Iterator[str]:
    yield "## Variance"
    yield paragraph(ABOUT_CODES)
    yield f"```text\n{NOTES[name].variance}\n```"
    heads = ["epsilon", *(f"{size:,} values" for size in SIZES)]
    noise = {(v, k): noise_of(name, k, v) for v in LEVELS for k in SIZES}
    yield "a, which is the variance of a value that hardly anybody has:"
    yield markdown(heads, ([epsilon(v), *(short(noise[v, k][0]) for k in SIZES)] for v in LEVELS))
    yield "The variance over the [limit](README.md), where all values are equally frequent:"
    yield markdown(heads, ([epsilon(v), *(_over(name, k, v) for k in SIZES)] for v in LEVELS))
    yield "## Bytes"
    rows: list[list[object]] = [["a report", *(law_of(name, size, 1000).n_bytes for size in SIZES)]]
    for level in (1000, 4000):
        laws: list[Any] = [law_of(name, size, level) for size in SIZES]
        read = (f"{float(law.random_bytes):,.1f}" for law in laws)
        rows.append([f"random bytes that a device reads, ε = {epsilon(level)}", *read])
    yield markdown(["", *heads[1:]], rows)


def _texts(name: str) -> Iterator[str]:
    yield "## Variance"
    yield paragraph(ABOUT_CELLS)
    yield f"```text\n{NOTES[name].variance}\n```"
    yield markdown([f"ε = {epsilon(v)}" for v in LEVELS], [[_rare(name, v) for v in LEVELS]])
    yield "## Bytes"
    encoding = read_sketch(None, name)
    bits = f"words of {encoding.hashes} bits of" if encoding.hashes > 1 else "one of"
    yield paragraph(
        f"{_widths(name, (1,))}, with {encoding.cohorts} cohorts and {bits} {encoding.bits} cells."
    )


def _rare(name: str, level: int) -> str:
    """Write the variance of a rare text, times the number of reports."""
    encoding, own = read_sketch(None, name), law_of(name, 1, level)
    assert isinstance(own, Bloom | Hashed)
    nobody = BitCounts(np.zeros(encoding.cohorts, np.int64), np.zeros((1, 1), np.int64))
    base = encoding.hashes / encoding.bits
    drawn, who = float(Channel.of(own, nobody).variance(base)), base * (1 - base)
    return short((who + (drawn - who) / encoding.hashes) / (1 - base) ** 2)


def _discovered(name: str) -> Iterator[str]:
    yield "## Variance"
    yield paragraph(ABOUT_DISCOVERED)
    yield f"```text\n{NOTES[name].variance}\n```"
    yield markdown([f"ε = {epsilon(v)}" for v in LEVELS], [[_seldom(name, v) for v in LEVELS]])
    yield "## Bytes"
    groups = ", ".join(map(str, groups_of(BITS)))
    yield paragraph(f"{_widths(name, (1,))}, with groups of {groups} bits.")


def _seldom(name: str, level: int) -> str:
    """Write the variance of a text that nearly nobody says and all groups report."""
    own: Prefixes = law_of(name, 1, level)  # type: ignore[assignment]
    p, q = map(float, own.laws[0].means)
    return short(q * (1 - q) / (p - q) ** 2)


def _numbers(name: str) -> Iterator[str]:
    yield "## Variance"
    yield paragraph(ABOUT_DECODED)
    yield f"```text\n{NOTES[name].variance}\n```"
    yield from _decoded(name)
    yield "## Bytes"
    sizes = (11, 101, 1001)
    widths = [law_of(name, size, 1000).n_bytes for size in sizes]
    yield markdown([f"{size:,} points" for size in sizes], [widths])


def _ordered(name: str) -> Iterator[str]:
    yield "## Variance"
    yield paragraph(ABOUT_RANGES)
    sizes = (16, 64, 1024, FINE)
    heads = ["epsilon", *(f"{size:,} values" for size in sizes)]
    rows = ([epsilon(v), *(_range(name, size, v) for size in sizes)] for v in LEVELS)
    yield markdown(heads, rows)
    yield "## Bytes"
    yield markdown(heads[1:], [[law_of(name, size, 1000).n_bytes for size in sizes]])


def _range(name: str, size: int, level: int) -> str:
    """Write the mean variance of ranges, times the reports, where all values are as frequent."""
    own: Hierarchy = law_of(name, size, level)  # type: ignore[assignment]
    weights, depths = own.tree.weights, []
    for inner, weight in zip(own.laws, weights, strict=True):
        noise, share = Noise.of(inner), weight / sum(weights)
        parts = (each / share for each in (noise.constant, noise.linear, noise.square))
        flat = np.full(inner.size, 1 / inner.size)
        depths.append(Depth(flat, 1 / noise.precision(inner.size) / share, *parts))
    variance = Variance(LinearTree(Shape(own.tree), depths), np.full(size, 1 / size))
    low, high = np.sort(np.random.default_rng(0).integers(0, size + 1, (500, 2))).T
    signed = ((high, high, 1), (high, low, -2), (low, low, 1))
    each = sum(sign * variance.covariance(a, b) for a, b, sign in signed)
    return short(float(np.mean(each)))


def _decoded(name: str) -> Iterator[str]:
    rows = []
    for level in LEVELS:
        own: NumberLaw = law_of(name, GRID, level)  # type: ignore[assignment]
        if not own.pieces:
            return
        end, middle = (float(own.variance(code)) * 4 / (GRID - 1) ** 2 for code in (0, GRID // 2))
        limit = 1 / np.tanh(level / 2000) ** 2
        rows.append([epsilon(level), *(short(x) for x in (end, middle, (end + 1) / limit))])
    yield f"On a grid of {GRID} points:"
    heads = ["epsilon", "at an end", "in the middle", "all at the ends, over the limit"]
    yield markdown(heads, rows)


def _source(name: str) -> Iterator[str]:
    yield "## Source"
    yield paragraph(_parts(name)["Source"])
    proof = re.search(r"^Proof +docs/(\S+)$", _doc(name), re.MULTILINE)
    assert proof is not None
    yield f"Proof: [{proof[1]}](../{proof[1]}). Code: `{_module(name).__name__}`."


def _ratios(name: str, sizes: tuple[int, ...]) -> list[str]:
    return [_over(name, size, level) for size in sizes for level in (1000, 4000)]


def _over(name: str, size: int, level: int) -> str:
    constant, linear = noise_of(name, size, level)
    most = float(largest_eigenvalue(size, np.array([level / 1000]))[0])
    return short((constant + linear / size) * most)


def _worst(name: str, level: int) -> str:
    own: NumberLaw = law_of(name, GRID, level)  # type: ignore[assignment]
    if not own.pieces:
        return "–"
    worst = max(own.variance(code) for code in range(0, GRID, 5))
    return short(worst * 4 / (GRID - 1) ** 2)


def _widths(name: str, sizes: tuple[int, ...]) -> str:
    return ", ".join(str(law_of(name, size, 1000).n_bytes) for size in sizes)


def write() -> None:
    """Write all pages and the figure."""
    PLACE.mkdir(exist_ok=True)
    for name in NAMES:
        (PLACE / f"{name}.md").write_text(page(name), encoding="utf-8")
    (PLACE / INDEX).write_text(index(), encoding="utf-8")
    save(PLACE / FIGURE)


if __name__ == "__main__":
    write()
