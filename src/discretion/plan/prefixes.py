"""Texts to discover, of an author's plan: their prefix code, and the groups of owners.

``discover: {code: ..., bits: 60}`` has a code that ``public_code`` made of public texts, or
``bits`` where there are none; ``{prefixes: {groups: [22, 36, 48, 60]}}``, how many bits each group
reports.
"""

from collections.abc import Mapping
from itertools import pairwise
from unicodedata import is_normalized

from discretion.mechanism import DISCOVERED
from discretion.plan.auto import AUTO
from discretion.plan.encodings import stated_name
from discretion.plan.field import Field
from discretion.plan.parameters import Asked, Prefixes
from discretion.schema import CodedText
from discretion.schema.prefix_code import (
    BYTES,
    LONGEST,
    MOST_ALPHABET,
    MOST_CONTEXT,
    MOST_CONTEXTS,
    POINT_BITS,
    START,
    ByteCode,
    Code,
    HuffmanCode,
    is_whole,
)

PREFIXES = "prefixes"
LEAST_BITS, MOST_BITS, BITS = LONGEST + POINT_BITS, 60, 60  # at least those of any escape
LEAST_FIRST, FIRST = 8, 22  # bits that all groups report: so many prefixes are tried at once
MOST_STEP = 14  # bits that a group reports beyond those of the one before it
MOST_GROUPS = 32  # a group that stands there twice has twice the owners
DIGITS = frozenset("123456789abcdef")


def read_discovered(name: str, field: Field, stated: Field | None) -> Asked:
    """Return a text with a prefix code, and the groups that report its first bits."""
    fields = field.mapping(("code",), ("bits",))
    bits = fields["bits"].whole(LEAST_BITS, MOST_BITS) if "bits" in fields else BITS
    groups, mechanism = groups_of(bits), PREFIXES
    if stated is not None and stated.value != AUTO:
        mechanism = stated_name(stated, tuple(DISCOVERED)) or stated.one_of((AUTO, *DISCOVERED))
        if isinstance(stated.value, Mapping):
            inner = stated.mapping((mechanism,))[mechanism].mapping((), ("groups",))
            groups = _groups(inner["groups"], bits) if "groups" in inner else groups
    attribute = CodedText(name, read_code(fields["code"]), bits)
    return attribute, Prefixes(mechanism=mechanism, groups=groups)


def groups_of(bits: int) -> tuple[int, ...]:
    """Return as few groups as can be, which report ever more bits by even steps."""
    steps = -(-(bits - FIRST) // MOST_STEP)
    return tuple(FIRST + (bits - FIRST) * step // steps for step in range(steps + 1))


def _groups(field: Field, bits: int) -> tuple[int, ...]:
    groups = tuple(item.whole(LEAST_FIRST, bits) for item in field.items())
    rising = groups[: groups.index(bits) + 1] if bits in groups else groups
    steps = [after - before for before, after in pairwise(rising)]
    ends = {*groups[len(rising) - 1 :]} == {bits} and len(groups) <= MOST_GROUPS
    if rising[0] > FIRST or not ends or not all(0 < s <= MOST_STEP for s in steps):
        rule = (
            f"must rise from at most {FIRST} bits to all {bits}, by at most {MOST_STEP} at a time"
        )
        field.fail(f"{rule}; the last may be repeated, up to {MOST_GROUPS} groups in all")
    return groups


def read_code(field: Field) -> Code:
    """Return the code that a plan states."""
    if field.value == BYTES:
        return ByteCode()
    if not isinstance(field.value, Mapping):
        field.fail(f"must be {BYTES}, or a code (discretion plan code makes one of public texts)")
    fields = field.mapping(("alphabet", "contexts"))
    alphabet = fields["alphabet"].value
    if not isinstance(alphabet, str) or not _is_alphabet(alphabet):
        rule = f"must be 1 to {MOST_ALPHABET} different printable characters, in rising order"
        fields["alphabet"].fail(rule)
    pairs = fields["contexts"].items()
    contexts = dict(_context(pair, alphabet) for pair in pairs)
    code = HuffmanCode(alphabet, contexts)
    if "" not in contexts or code.document["contexts"] != [pair.value for pair in pairs]:
        fields["contexts"].fail("must be different and in order, and begin with the empty one")
    if len(contexts) > MOST_CONTEXTS:
        fields["contexts"].fail(f"must be at most {MOST_CONTEXTS}")
    return code


def _is_alphabet(alphabet: str) -> bool:
    printable = alphabet.isprintable() and is_normalized("NFC", alphabet)
    return printable and 0 < len(alphabet) <= MOST_ALPHABET and _rises(alphabet)


def _rises(alphabet: str) -> bool:
    return all(one < other for one, other in pairwise(alphabet))


def _context(field: Field, alphabet: str) -> tuple[str, str]:
    pair = [item.value for item in field.items()]
    if len(pair) != 2 or not all(isinstance(each, str) for each in pair):
        field.fail("must be two texts: a context, and the lengths of codewords")
    context, lengths = map(str, pair)
    known = set(context.removeprefix(START)) <= set(alphabet)
    if not known or len(context) > MOST_CONTEXT:
        field.fail(f"must be at most {MOST_CONTEXT} characters of the alphabet (or the start)")
    if len(lengths) != len(alphabet) + 2 or not set(lengths) <= DIGITS or not is_whole(lengths):
        field.fail("must have lengths of codewords, for each symbol one, that leave none unused")
    return context, lengths
