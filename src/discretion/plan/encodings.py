"""What stands for a value in reports: codewords, buckets, or the intervals of a tree.

Labels have codewords: ``bloom`` as LoPub sends it, ``rappor`` in two stages. Texts also have the
buckets of sketches, which are codewords of one bit. Ordered values have the intervals of
``{hierarchy: {fanout: 2, depths: auto}}``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from discretion.errors import PlanError
from discretion.mechanism import (
    HASHED,
    OPEN,
    ORDERED,
    SAMPLED,
    STAGED,
    VARIANTS,
    Encoding,
    SampledBits,
)
from discretion.mechanism.hierarchy import MOST_DEPTHS, depths_of
from discretion.mechanism.histogram import quantised_bits
from discretion.plan.field import Field
from discretion.plan.parameters import Intervals
from discretion.schema.text import FINGERPRINTS

if TYPE_CHECKING:
    from discretion.plan.plan import Plan

MOST_HASHES = 16
MOST_BITS = 1 << 15  # of a report about one attribute
MOST_COHORTS = 64
MOST_TEXT_COHORTS = 1024
MOST_HASHED = 1 << 20  # bits of all codewords: an analyst computes them in some seconds
LN2 = 693_147_180_559_945_309, 10**18
ONES, ZEROS = 750, 500  # RAPPOR's q and p, in thousandths

SHARES = ("ones", "zeros")  # how often kept ones, and kept zeros, are sent as ones
PARTS = {
    "bloom": ("hashes", "bits"),
    "rappor": ("hashes", "bits", "cohorts", *SHARES),
    "orr": ("cells", "cohorts"),
    "cms": ("cells", "cohorts"),
    "hcms": ("cells", "cohorts"),
    "orappor": ("hashes", "bits", "cohorts", *SHARES),
}
WORDED = tuple(name for name in PARTS if name not in OPEN)  # of labels
COHORTS = 64  # of texts, where the author says nothing
CELLS = {"orr": 8, "cms": 1024, "hcms": 1024}
TEXT_HASHES, TEXT_BITS = 2, 128

REPORTED, MOST_REPORTED = 4, 32  # bits of a few codes that a report has
LEAST_SAMPLED = 4  # values of which not all are sampled
MOST_DRAWS = 1 << 53  # sets of them, so that JavaScript has numbers for all

FANOUT, MOST_FANOUT = 2, 16  # two children lose least to sampled depths
FANOUT_FIELD, DEPTHS_FIELD, ALL = "fanout", "depths", "auto"
FLAT = 16  # labels up to which a report about each is more precise than one about an interval


def stated_name(
    field: Field, known: Sequence[str] = (*HASHED, *WORDED, *SAMPLED, *STAGED, *VARIANTS, *ORDERED)
) -> str | None:
    """Return the mechanism that a field names with more, as in ``{bloom: {hashes: 2}}``."""
    if not isinstance(field.value, Mapping):
        return None
    fields = field.mapping((), known)
    if len(fields) != 1:
        field.fail(f"must name one mechanism ({', '.join(known)})")
    return next(iter(fields))


def read_encoding(field: Field, mechanism: str, size: int) -> Encoding:
    """Return the codewords of an attribute, by default where the author says nothing."""
    if mechanism not in WORDED:
        return plain_encoding(mechanism, size)
    fields: Mapping[str, Field] = {}
    if isinstance(field.value, Mapping):
        fields = field.mapping((mechanism,))[mechanism].mapping((), PARTS[mechanism])
    hashes = fields["hashes"].whole(1, MOST_HASHES) if "hashes" in fields else 1
    bits = default_bits(size, hashes)
    if "bits" in fields:
        bits = fields["bits"].whole(hashes + 1, MOST_BITS)
    elif bits > MOST_BITS:
        field.fail(f"must have at most {MOST_BITS} bits, and would have {bits}: name bits")
    cohorts = fields["cohorts"].whole(1, MOST_COHORTS) if "cohorts" in fields else 1
    instant = _instant(fields) if mechanism == "rappor" else None
    if size * hashes * cohorts > MOST_HASHED:
        field.fail(
            f"must have codewords of at most {MOST_HASHED} bits in all (fewer hashes, cohorts)"
        )
    return Encoding(size, hashes, bits, cohorts, instant)


def plain_encoding(mechanism: str, size: int) -> Encoding:
    """Return the codewords of a coded mechanism whose author states only its name."""
    if mechanism not in WORDED:
        return quantised_bits(size)
    return Encoding(size, 1, size, 1, (ONES, ZEROS) if mechanism == "rappor" else None)


def read_sampled(field: Field, mechanism: str, size: int) -> SampledBits:
    """Return of how many codes a device reports the bits; of four, if an author says nothing."""
    reported, where = min(size, REPORTED), field
    if isinstance(field.value, Mapping):
        fields = field.mapping((mechanism,))[mechanism].mapping((), ("bits",))
        if "bits" in fields:
            where = fields["bits"]
            reported = where.whole(1, min(size, MOST_REPORTED))
    if reported < size < LEAST_SAMPLED:
        where.fail(f"must have a bit for each of fewer than {LEAST_SAMPLED} values")
    found = SampledBits(size, 1, size, reported=reported)
    if found.draws >= MOST_DRAWS:
        where.fail(f"must have fewer bits: there are too many sets of {reported} of {size} values")
    return found


def read_sketch(field: Field | None, mechanism: str) -> Encoding:
    """Return the buckets, or the codewords, of texts."""
    fields: Mapping[str, Field] = {}
    if field is not None and isinstance(field.value, Mapping):
        fields = field.mapping((mechanism,))[mechanism].mapping((), PARTS[mechanism])

    def stated(name: str, least: int, most: int, default: int) -> int:
        return fields[name].whole(least, most) if name in fields else default

    cohorts = stated("cohorts", 1, MOST_TEXT_COHORTS, COHORTS)
    if mechanism != "orappor":
        cells = stated("cells", 2, MOST_BITS, CELLS[mechanism])
        if mechanism == "hcms" and cells & (cells - 1):
            fields["cells"].fail("must be a power of two")
        return Encoding(FINGERPRINTS, 1, cells, cohorts)
    hashes = stated("hashes", 1, MOST_HASHES, TEXT_HASHES)
    bits = stated("bits", hashes + 1, MOST_BITS, TEXT_BITS)
    instant = _instant(fields) if fields.keys() & set(SHARES) else None
    return Encoding(FINGERPRINTS, hashes, bits, cohorts, instant)


def check_cohorts(field: Field, cohorts: Iterable[int]) -> None:
    """Refuse cohorts of different numbers.

    A device has one for the whole plan: several would set it apart from more of the others.
    """
    if len(set(cohorts) - {1}) > 1:
        field.fail("cohorts must be equally many in all attributes that have some")


def check_codewords(source: str, plan: "Plan") -> None:
    """Refuse codewords that confuse two values: estimates would be useless, though no less private.

    It takes many hashes, so only an author's plan is checked: a device needs its own codeword only.
    """
    for index, question in enumerate(plan.questions.values()):
        encoding = question.parameters.encoding
        if encoding is not None and not encoding.open and encoding.ambiguous:
            rule = f"must have codewords that distinguish all {encoding.size} values"
            stated = {question.mechanism: question.parameters.stated(question.labels)}
            where = f"attributes[{index}].mechanism"
            raise PlanError(source, where, f"{rule} (more bits, or cohorts)", stated)


def default_bits(size: int, hashes: int) -> int:
    """Return a bit for each code, or what LoPub sizes for several hashes: size hashes / ln 2."""
    over, under = LN2[1] * hashes * size, LN2[0]
    return size if hashes == 1 else -(-over // under)


def _instant(fields: Mapping[str, Field]) -> tuple[int, int]:
    ones = _share(fields["ones"]) if "ones" in fields else ONES
    zeros = _share(fields["zeros"]) if "zeros" in fields else ZEROS
    if zeros >= ones:
        where = fields["ones"] if "ones" in fields else fields["zeros"]
        where.fail("ones must be sent as ones more often than zeros are")
    return ones, zeros


def _share(field: Field) -> int:
    """Return a probability in thousandths; a sure one would not be a coin."""
    share = field.number() * 1000
    if share.denominator != 1 or not 0 <= share < 1000:
        field.fail("must be a probability below 1, in whole thousandths")
    return int(share)


def read_intervals(field: Field, mechanism: str, size: int) -> Intervals:
    """Return the tree of an attribute of so many codes; to single codes, if no depth is stated."""
    fields: Mapping[str, Field] = {}
    if isinstance(field.value, Mapping) and mechanism in field.value:
        stated = field.mapping((mechanism,))[mechanism]
        fields = stated.mapping((), (FANOUT_FIELD, DEPTHS_FIELD))
    fanout = FANOUT
    if FANOUT_FIELD in fields:
        fanout = fields[FANOUT_FIELD].whole(2, MOST_FANOUT)
    depths = most = min(depths_of(size, fanout), MOST_DEPTHS)
    if DEPTHS_FIELD in fields and fields[DEPTHS_FIELD].value != ALL:
        depths = fields[DEPTHS_FIELD].whole(1, most)
    return Intervals(mechanism=mechanism, fanout=fanout, depths=depths)
