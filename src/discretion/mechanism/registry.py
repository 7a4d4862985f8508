"""The mechanisms that a plan may name. What is registered here joins the conformance suite."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from discretion.mechanism.bitflip import BitFlip, dbitflip
from discretion.mechanism.bloom import Bloom, bloom
from discretion.mechanism.choice import grr
from discretion.mechanism.cover import Cover, cover
from discretion.mechanism.encoding import Encoding
from discretion.mechanism.geometric import laplace
from discretion.mechanism.hashed import blh, hadamard, hcms, hrr, olh, orr
from discretion.mechanism.hashed_cover import HashedCover, hashed_cover
from discretion.mechanism.hierarchy import Hierarchy, Tree, hierarchy
from discretion.mechanism.histogram import Histogram, she
from discretion.mechanism.hybrid import hm
from discretion.mechanism.law import Law, Mechanism, NumberLaw, NumberMechanism, SupportLaw
from discretion.mechanism.matrix import Matrix, Variant
from discretion.mechanism.prefixes import Prefixes, prefixes
from discretion.mechanism.staged import Stages, lgrr, loloha, losue
from discretion.mechanism.subset import subset
from discretion.mechanism.twopoint import duchi
from discretion.mechanism.unary import oue, sue, the
from discretion.mechanism.window import pm, sw, window

MECHANISMS: Mapping[str, Mechanism] = MappingProxyType(
    {
        "grr": grr,
        "sue": sue,
        "oue": oue,
        "the": the,
        "subset": subset,
        "blh": blh,
        "olh": olh,
        "shist": hrr,
        "hrr": hrr,
        "hadamard": hadamard,
    }
)

HASHED = ("blh", "olh", "shist", "hrr", "hadamard")  # whose function may come with the credential

NUMBERS: Mapping[str, NumberMechanism] = MappingProxyType(
    {
        "duchi": duchi,
        "onebit": duchi,
        "pm": pm,
        "sw": sw,
        "window": window,
        "hm": hm,
        "laplace": laplace,
    }
)

OPEN: Mapping[str, Callable[[Encoding, int], Law]] = MappingProxyType(
    {"orr": orr, "hcms": hcms, "cms": bloom, "orappor": bloom}
)  # of texts; the codewords, or buckets, are in the plan

CODED: Mapping[str, Callable[[Encoding, int], Bloom | Histogram]] = MappingProxyType(
    {"bloom": bloom, "rappor": bloom, "she": she}
)  # of labels, by codewords, which are in the plan unless each code has a quantised bit

SAMPLED: Mapping[str, Callable[[Encoding, int], BitFlip]] = MappingProxyType(
    {"dbitflip": dbitflip}
)  # of labels, by the bits of a few codes that a device draws once; how many is in the plan

STAGED: Mapping[str, Callable[[int, int, Stages], SupportLaw]] = MappingProxyType(
    {"lgrr": lgrr, "losue": losue, "loloha": loloha}
)  # of labels, in two stages: what is kept, and what every round sends of it

SETS: Mapping[str, Callable[[int, int, int], Cover]] = MappingProxyType(
    {"cover": cover}
)  # of sets of items, by how many items there are and how many are reported at most

TEXT_SETS: Mapping[str, Callable[[Encoding, int, int], HashedCover]] = MappingProxyType(
    {"cover": hashed_cover}
)  # of sets of texts, by cells and cohorts, which are in the plan, and how many count at most

ORDERED: Mapping[str, Callable[[Tree, int], Hierarchy]] = MappingProxyType(
    {"hierarchy": hierarchy}
)  # of numbers and of labels in order, by a tree of intervals, which is in the plan

DISCOVERED: Mapping[str, Callable[[Sequence[int], int], Prefixes]] = MappingProxyType(
    {"prefixes": prefixes}
)  # of texts that nobody lists, by the bits that each group reports of a code that is in the plan

VARIANTS = ("idldp", "uldp", "metric")  # of labels, and what of them is private stands in the plan

OPTIMAL = "optimal"  # a number's too; its tables stand in the plan

SECRET = ("oue",)  # their reports do not state the level; a subset's size, say, would reveal it


@cache
def law(mechanism: str, size: int, level: int) -> SupportLaw:
    """Return the law of a registered mechanism for a domain and a level."""
    return MECHANISMS[mechanism](size, level)


@cache
def staged_law(mechanism: str, size: int, level: int, stages: Stages) -> SupportLaw:
    """Return the law of a registered mechanism in two stages for a domain and a level."""
    return STAGED[mechanism](size, level, stages)


@cache
def number_law(mechanism: str, size: int, level: int) -> NumberLaw:
    """Return the law of a registered mechanism for a grid and a level."""
    return NUMBERS[mechanism](size, level)


@cache
def set_law(mechanism: str, items: int, length: int, level: int) -> Cover:
    """Return the law of a registered mechanism for sets of so many items, up to a length."""
    return SETS[mechanism](items, length, level)


@cache
def matrix_law(variant: Variant, level: int) -> Matrix:
    """Return the law of a variant of local privacy for a level."""
    return variant.law(level)
