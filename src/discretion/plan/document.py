"""A plan's canonical document: JSON as in RFC 8785 with integers and text only, and back.

Levels are thousandths of epsilon; grid numbers are integers and one power of ten. Everything an
author may leave out is written out, so equal plans have equal bytes. Keys are ASCII, which makes
their order by code point the order RFC 8785 asks for.
"""

import json
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from discretion.plan.encodings import SHARES
from discretion.plan.stages import FIRST
from discretion.plan.variants import IN_THOUSANDTHS
from discretion.plan.wording import as_author as with_wording
from discretion.schema import MOMENTS

FORMAT = 1
ENDS = {"attribute", "range"}  # of a condition about a number


def canonical(document: object) -> bytes:
    """Return the only bytes that stand for a document."""
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode()


def as_author(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a canonical document the way an author would write it: epsilons and plain numbers.

    Whatever does not look like one is passed on as it is, for the reader to refuse.
    """
    author = with_wording({k: v for k, v in document.items() if k != "format"})
    if isinstance(author.get("budget"), dict):
        author["budget"] = {k: _scale(v, -3) for k, v in author["budget"].items()}
    if isinstance(share := author.get("share"), dict) and isinstance(share.get("sizes"), dict):
        author["share"] = share | {"sizes": {k: _scale(v, -3) for k, v in share["sizes"].items()}}
    if isinstance(author.get("attributes"), list):
        known = {str(a.get("name")): a for a in author["attributes"] if isinstance(a, dict)}
        author["attributes"] = [_author_attribute(a, known) for a in author["attributes"]]
    return author


def _author_attribute(attribute: object, known: Mapping[str, Mapping[str, Any]]) -> object:
    if not isinstance(attribute, dict):
        return attribute
    if isinstance(attribute.get("applies"), list):
        attribute = {**attribute, "applies": _author_conditions(attribute["applies"], known)}
    if isinstance(attribute.get("mechanism"), dict):
        attribute = {**attribute, "mechanism": _author_mechanism(attribute["mechanism"])}
    fields = ("range", "bins", "ranges")
    grid = {k: _points(attribute[k], attribute) for k in fields if k in attribute}
    if isinstance(attribute.get("exponent"), int):
        grid |= {
            k: _scale(attribute[k], attribute["exponent"]) for k in ("step",) if k in attribute
        }
    return {**{k: v for k, v in attribute.items() if k != "exponent"}, **grid}


def _points(value: object, attribute: Mapping[str, Any]) -> object:
    """Return points of a grid as plain numbers, dates or times of day."""
    if isinstance(value, list):
        return [_points(item, attribute) for item in value]
    made, exponent = MOMENTS.get(str(attribute.get("kind"))), attribute.get("exponent")
    if made is None:
        return _scale(value, exponent) if isinstance(exponent, int) else value
    try:
        return made.written(value) if isinstance(value, int) else value
    except (ValueError, OverflowError):
        return value


def _author_conditions(conditions: list[Any], known: Mapping[str, Mapping[str, Any]]) -> object:
    """Return conditions by attribute, with plain numbers."""
    found = {}
    for each in conditions:
        if not isinstance(each, dict) or each.keys() not in ({"attribute", "values"}, ENDS):
            return conditions
        name = str(each["attribute"])
        stated = _points(each["range"], known.get(name, {})) if "range" in each else None
        found[name] = each.get("values", stated)
    return found


def _author_mechanism(mechanism: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is stated of a mechanism with plain numbers instead of thousandths."""
    return {
        name: {
            k: _scale(v, -3) if k in (*SHARES, FIRST, *IN_THOUSANDTHS) else v
            for k, v in parts.items()
        }
        if isinstance(parts, dict)
        else parts
        for name, parts in mechanism.items()
    }


def _scale(value: object, exponent: int) -> object:
    if isinstance(value, list):
        return [_scale(item, exponent) for item in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(exponent) < 100:
        return Fraction(Decimal(value).scaleb(exponent))
    return value
