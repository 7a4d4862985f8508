"""What is asked: attributes, their domains, and values to codes and back."""

from discretion.schema.attribute import Attribute
from discretion.schema.bundle import Bundle, Quadrants
from discretion.schema.categorical import Categorical, Ordinal
from discretion.schema.coarse import Coarse, Parted
from discretion.schema.coded_text import CodedText
from discretion.schema.conditional import NOT_APPLICABLE, Condition, Conditional
from discretion.schema.item_set import ItemSet, TextSet
from discretion.schema.itemsets import Itemsets
from discretion.schema.key_map import KeyMap
from discretion.schema.moment import MOMENTS, Date, Moment, Time
from discretion.schema.numeric import Numeric
from discretion.schema.text import Text

__all__ = [
    "MOMENTS",
    "NOT_APPLICABLE",
    "Attribute",
    "Bundle",
    "Categorical",
    "Coarse",
    "CodedText",
    "Condition",
    "Conditional",
    "Date",
    "ItemSet",
    "Itemsets",
    "KeyMap",
    "Moment",
    "Numeric",
    "Ordinal",
    "Parted",
    "Quadrants",
    "Text",
    "TextSet",
    "Time",
]
