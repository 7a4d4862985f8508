"""How an answer is perturbed: exact integer laws of a few shapes, and their names."""

from discretion.mechanism.bloom import Bloom, bloom
from discretion.mechanism.choice import Choice
from discretion.mechanism.coding import Coding
from discretion.mechanism.geometric import Geometric
from discretion.mechanism.halfspace import HalfSpace
from discretion.mechanism.hashed import Hashed
from discretion.mechanism.hashing import Hashing, Parities, Polynomials
from discretion.mechanism.hybrid import Hybrid
from discretion.mechanism.law import (
    CodedLaw,
    Decodable,
    Inclusion,
    Law,
    Mechanism,
    NumberLaw,
    NumberMechanism,
    SupportLaw,
    decode,
)
from discretion.mechanism.registry import (
    CODED,
    MECHANISMS,
    NUMBERS,
    OPEN,
    OPTIMAL,
    law,
    number_law,
)
from discretion.mechanism.sketch import Buckets, Signs
from discretion.mechanism.subset import Subset
from discretion.mechanism.table import Table
from discretion.mechanism.told import Told
from discretion.mechanism.twopoint import TwoPoint
from discretion.mechanism.unary import Unary
from discretion.mechanism.window import Window

__all__ = [
    "CODED",
    "MECHANISMS",
    "NUMBERS",
    "OPEN",
    "OPTIMAL",
    "Bloom",
    "Buckets",
    "Choice",
    "CodedLaw",
    "Coding",
    "Decodable",
    "Geometric",
    "HalfSpace",
    "Hashed",
    "Hashing",
    "Hybrid",
    "Inclusion",
    "Law",
    "Mechanism",
    "NumberLaw",
    "NumberMechanism",
    "Parities",
    "Polynomials",
    "Signs",
    "Subset",
    "SupportLaw",
    "Table",
    "Told",
    "TwoPoint",
    "Unary",
    "Window",
    "bloom",
    "decode",
    "law",
    "number_law",
]
