"""How an answer is perturbed: exact integer laws of a few shapes, and their names."""

from discretion.mechanism.bitflip import BitFlip
from discretion.mechanism.bloom import Bloom
from discretion.mechanism.choice import Choice
from discretion.mechanism.cover import Cover
from discretion.mechanism.encoding import Encoding, SampledBits
from discretion.mechanism.form import Form
from discretion.mechanism.geometric import Geometric
from discretion.mechanism.halfspace import HalfSpace
from discretion.mechanism.hashed import Hashed
from discretion.mechanism.hashed_cover import HashedCover
from discretion.mechanism.hashing import Hashing, Lasting, Parities, Polynomials
from discretion.mechanism.hierarchy import Hierarchy, Tree
from discretion.mechanism.histogram import Histogram
from discretion.mechanism.hybrid import Hybrid
from discretion.mechanism.idldp import Shares
from discretion.mechanism.law import (
    BlockLaw,
    CodedLaw,
    Decodable,
    Law,
    NumberLaw,
    SketchLaw,
    SupportLaw,
)
from discretion.mechanism.matrix import Matrix, Variant
from discretion.mechanism.metric import Places
from discretion.mechanism.prefixes import Prefixes
from discretion.mechanism.registry import (
    CODED,
    DISCOVERED,
    HASHED,
    MECHANISMS,
    NUMBERS,
    OPEN,
    OPTIMAL,
    ORDERED,
    SAMPLED,
    SETS,
    STAGED,
    TEXT_SETS,
    VARIANTS,
    law,
    matrix_law,
    number_law,
    set_law,
    staged_law,
)
from discretion.mechanism.sketch import Buckets, Signs
from discretion.mechanism.staged import StagedChoice, StagedHashed, StagedUnary, Stages
from discretion.mechanism.subset import Subset
from discretion.mechanism.table import Marginal, Table
from discretion.mechanism.twopoint import TwoPoint
from discretion.mechanism.uldp import Sensitive
from discretion.mechanism.unary import Unary
from discretion.mechanism.window import Window

__all__ = [
    "CODED",
    "DISCOVERED",
    "HASHED",
    "MECHANISMS",
    "NUMBERS",
    "OPEN",
    "OPTIMAL",
    "ORDERED",
    "SAMPLED",
    "SETS",
    "STAGED",
    "TEXT_SETS",
    "VARIANTS",
    "BitFlip",
    "BlockLaw",
    "Bloom",
    "Buckets",
    "Choice",
    "CodedLaw",
    "Cover",
    "Decodable",
    "Encoding",
    "Form",
    "Geometric",
    "HalfSpace",
    "Hashed",
    "HashedCover",
    "Hashing",
    "Hierarchy",
    "Histogram",
    "Hybrid",
    "Lasting",
    "Law",
    "Marginal",
    "Matrix",
    "NumberLaw",
    "Parities",
    "Places",
    "Polynomials",
    "Prefixes",
    "SampledBits",
    "Sensitive",
    "Shares",
    "Signs",
    "SketchLaw",
    "StagedChoice",
    "StagedHashed",
    "StagedUnary",
    "Stages",
    "Subset",
    "SupportLaw",
    "Table",
    "Tree",
    "TwoPoint",
    "Unary",
    "Variant",
    "Window",
    "law",
    "matrix_law",
    "number_law",
    "set_law",
    "staged_law",
]
