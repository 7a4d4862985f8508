"""The bundles of an author's plan: attributes whose cell may be reported as one value.

Labels and bins make cells of their own. Numbers are reported at a few levels each, so that
the means of many of them fit into one report. Two numbers may be reported by where they lie: in
bins of the bundle alone, or by a tree that divides both.
"""

from collections.abc import Mapping, Sequence
from math import prod

from discretion.budget import Policy
from discretion.budget.level import MOST
from discretion.errors import BudgetError
from discretion.plan.attributes import MOST_CODES
from discretion.plan.field import Field
from discretion.plan.parameters import Asked, Binned, Blocks, Cells, Parameters, Quadtree
from discretion.schema import Attribute, Bundle, Coarse, Numeric, Parted, Quadrants

CELLS, NUMBERS = "subset", ("grr", "duchi")  # the mechanisms of bundles
MOST_CELLS = 1 << 20  # of bundled numbers, whose cells no estimate lists
MOST_SIGNS = 40  # numbers in one bundle with duchi
TREE, BITS = "hierarchy", "bits"  # of two numbers
MOST_BITS, DEFAULT_BITS = 10, 8  # that a tree tells of a number
Bundled = tuple[Bundle, Parameters]  # a question about a bundle, but for its levels


def read_bundles(
    field: Field, attributes: Mapping[str, Attribute], *, secret: bool
) -> tuple[Bundled, ...]:
    """Return the bundles; they may overlap, as an owner reports an attribute in one of them."""
    if secret:
        field.fail("must not be in a plan with secret allocation (a subset would reveal the level)")
    bundles = [_bundle(item, attributes) for item in field.items()]
    names = [*attributes, *(bundle.name for bundle, _ in bundles)]
    if twice := [bundle.name for bundle, _ in bundles if names.count(bundle.name) > 1]:
        field.fail(f"names must differ, also from those of attributes ({twice[0]})")
    if len({frozenset(part.name for part in bundle.parts) for bundle, _ in bundles}) < len(bundles):
        field.fail("must not bundle the same attributes twice")
    return tuple(bundles)


def check_variants(attributes: Field, asked: Sequence[Asked], bundles: Sequence[Bundled]) -> None:
    """Refuse a bundled attribute that is private by a variant: in the bundle it would not be."""
    bundled = {part.name for bundle, _ in bundles for part in bundle.parts}
    for item, (attribute, parameters) in zip(attributes.items(), asked, strict=True):
        if parameters.variant is not None and attribute.name in bundled:
            field = item.mapping((), item.value)["mechanism"]  # type: ignore[arg-type]
            how = f"must not be {parameters.mechanism} in a bundle"
            field.fail(f"{how}, which protects all values alike")


def check_alone(field: Field, asked: Sequence[Asked], bundles: Sequence[Bundled]) -> None:
    """Refuse a number at a few levels whose own reports are not decoded, or rounded once."""
    alone = {attribute.name for attribute, own in asked if own.alone}
    for item, (bundle, parameters) in zip(field.items(), bundles, strict=True):
        for part in bundle.parts:
            if parameters.decoded and part.name in alone:
                item.fail(f"must not be with levels of {part.name}, reported by intervals")
            if part.number is not None and part.number.kept:
                item.fail(f"must not be with {part.name}, whose rounding is kept")


def check_bundles(field: Field, bundles: Sequence[Bundled], policy: Policy, shares: range) -> None:
    """Refuse bundles that some number of shared attributes would leave without a level."""
    for item, (bundle, _) in zip(field.items(), bundles, strict=True):
        count = len(bundle.parts)
        for shared in shares:
            try:
                policy.even(max(shared, count), count)
            except BudgetError:
                item.fail(
                    f"must be able to have a level, at most {MOST // 1000} and an equal part for "
                    f"each attribute, where {max(shared, count)} attributes are shared"
                )


def _bundle(field: Field, attributes: Mapping[str, Attribute]) -> Bundled:
    if not isinstance(field.value, dict):
        return _cells(field, _parts(field, attributes)), Cells(mechanism=CELLS)
    fields = field.mapping(("attributes",), ("bins", "levels", "mechanism"))
    parts = _parts(fields["attributes"], attributes)
    if "bins" in fields:
        return _binned(field, fields, parts), Binned(mechanism=CELLS)
    if "mechanism" in fields and _is_tree(fields["mechanism"]):
        bundle = _quadrants(field, fields, parts)
        return bundle, Quadtree.of(TREE, bundle.size)
    mechanism = fields["mechanism"].text() if "mechanism" in fields else NUMBERS[0]
    levels = fields["levels"].whole(2, MOST_CODES) if "levels" in fields else 2
    return _numbers(field, parts, levels, mechanism), Blocks(mechanism=mechanism)


def _parts(field: Field, attributes: Mapping[str, Attribute]) -> list[Attribute]:
    names = [item.one_of(attributes) for item in field.items()]
    if len(names) < 2 or len(set(names)) < len(names):
        field.fail("must be two or more different attributes")
    return [attributes[name] for name in names]


def _cells(field: Field, parts: list[Attribute]) -> Bundle:
    for item, part in zip(field.items(), parts, strict=True):
        if not part.listed and part.number is not None:
            item.fail(
                "a numeric attribute needs bins to be in a bundle (or write the bundle as "
                "{attributes: [...], levels: 2}, for means)"
            )
        if not part.listed:
            field.fail(f"a bundle must be of attributes with a list of values, not {part.name}")
    bundle = Bundle(tuple(parts))
    if bundle.size > MOST_CODES:
        field.fail(
            f"must have at most {MOST_CODES} cells (fewer values, or coarser bins), "
            f"and has {bundle.size}"
        )
    return bundle


def _binned(field: Field, fields: Mapping[str, Field], parts: Sequence[Attribute]) -> Bundle:
    """Return two numbers whose cell is reported, each in bins of equal width."""
    _check_alone_in(fields, ("levels", "mechanism"))
    stated = fields["bins"].items()
    if len(stated) != len(parts):
        fields["bins"].fail("must be how many bins each of the numbers has")
    grids = _two_numbers(field, parts)
    bins = [item.whole(2, grid.size) for item, grid in zip(stated, grids, strict=True)]
    bundle = Bundle(tuple(map(Parted, grids, bins)))
    if bundle.size > MOST_CODES:
        fields["bins"].fail(f"must make at most {MOST_CODES} cells, and make {bundle.size}")
    return bundle


def _quadrants(field: Field, fields: Mapping[str, Field], parts: Sequence[Attribute]) -> Quadrants:
    """Return two numbers whose halves, quarters and so on are the nodes of a tree."""
    _check_alone_in(fields, ("levels",))
    grids, stated = _two_numbers(field, parts), fields["mechanism"]
    most = [min(grid.size.bit_length() - 1, MOST_BITS) for grid in grids]
    bits = [min(own, DEFAULT_BITS) for own in most]
    if isinstance(stated.value, Mapping):
        listed = stated.mapping((TREE,))[TREE].mapping((BITS,))[BITS]
        if len(listed.items()) != len(parts):
            listed.fail("must be how many bits of each number are reported")
        pairs = zip(listed.items(), most, strict=True)
        bits = [item.whole(1, own) for item, own in pairs]
    return Quadrants(tuple(Parted(grid, 1 << own) for grid, own in zip(grids, bits, strict=True)))


def _is_tree(stated: Field) -> bool:
    """Whether a mechanism is a tree, of which more may be stated."""
    if isinstance(stated.value, Mapping):
        return bool(stated.mapping((TREE,)))
    return stated.one_of((*NUMBERS, TREE)) == TREE


def _check_alone_in(fields: Mapping[str, Field], others: Sequence[str]) -> None:
    """Refuse what is stated of another sort of bundle."""
    for key in others:
        if key in fields:
            fields[key].fail("must not be stated of where two numbers lie")


def _two_numbers(field: Field, parts: Sequence[Attribute]) -> list[Numeric]:
    grids = [part.number for part in parts if part.number is not None and not part.listed]
    if len(parts) != 2 or len(grids) < 2:
        field.fail("must be of two numbers without bins, to report where both lie")
    return grids


def _numbers(field: Field, parts: list[Attribute], levels: int, mechanism: str) -> Bundle:
    coarse = []
    for part in parts:
        if part.number is None or part.listed:
            field.fail(f"a bundle with levels must be of numbers without bins, not {part.name}")
        coarse.append(Coarse(part.number, levels))
    if mechanism == "duchi" and (levels != 2 or len(parts) > MOST_SIGNS):
        field.fail(f"duchi reports two levels of at most {MOST_SIGNS} numbers")
    if mechanism != "duchi" and prod(part.size for part in coarse) > MOST_CELLS:
        field.fail(f"must have at most {MOST_CELLS} cells (fewer levels or attributes)")
    return Bundle(tuple(coarse))
