"""How many modules ask which shape, family or kind they have, instead of asking it what it can do.

Every such question must be found and answered again for a new shape, family or kind, so there are
to be few: a module asks if it

- tests ``isinstance`` or ``issubclass``, or matches, against a class of laws, hash functions,
  attributes, report families or stated parameters;
- compares something with a member of ``Kind`` or ``Family``, or a ``kind`` or ``family`` with the
  text of one ("labels", "sets", "categorical", ...);
- keeps a table by such classes or members: a mapping, or a ``singledispatch`` function.

It does not ask if it takes what it is given (``question.law(stratum, Family.SETS)`` refuses any
other question by name), or if it asks for a property (``question.labels``, ``question.numbers``,
``attribute.number``, ``attribute.listed``, ``family.tabulated``, ``law.form``).
"""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from enum import Enum
from functools import cache
from pathlib import Path

import pytest

import discretion
from discretion.family import ReportFamily
from discretion.kind import Kind
from discretion.plan import Family
from discretion.plan.parameters import Parameters
from tests.cases import for_each

MOST = 12
SOURCE = Path(discretion.__file__).parent
HOMES = (
    *("mechanism/", "schema/", "kind.py"),  # where shapes, attributes and kinds are defined
    *("plan/parameters.py", "plan/questions.py"),  # where a plan is read by ``kind:``
    "statistics/registry.py",  # which says of each statistic, and its options, for which kinds
)

ASK = {  # the modules that ask, and why they may
    "auditing/histories.py": "an audit has its own knowledge of every shape",
    "auditing/measure.py": "an audit has its own knowledge of every shape",
    "auditing/subjects.py": "an audit has its own knowledge of every shape",
    "auditing/twins.py": "an audit has its own knowledge of every shape",
    "crowd/shapes.py": "bulk samplers, by shape: laws run without NumPy",
    "crowd/stages.py": "bulk samplers, by shape: laws run without NumPy",
    "family/__init__.py": "the registry of report families",
    "plan/question.py": "the refusal of a question of another family",
    "table/outputs.py": "tables of probabilities, by shape: laws run without NumPy",
    "table/support.py": "supports of many reports, by shape: laws run without NumPy",
    "web/dashboard/page.py": "cards with a chart of their own",
    "web/dashboard/sheet.py": "cards with a chart of their own",
}
INSTEAD = (
    "Do not ask which kind, family or shape it is: give the attribute (schema/attribute.py), the "
    "question (plan/question.py), the report family (family/family.py) or the law "
    "(mechanism/law.py) a property that says what you want to know. See 'What a mechanism, a "
    "shape and a kind cost' in CONTRIBUTING.md."
)
PLACED = (ast.stmt, ast.expr, ast.pattern)  # what has a line
TEXTS = {*Kind, *Family, "categorical", "numeric"}


@cache
def watched() -> frozenset[type]:
    """Return the shapes, hash functions, attributes, families and parameters that there are."""
    found = {each for name in ("mechanism", "schema") for each in defined(name)}
    kept = (ReportFamily, Parameters)
    more = {each for name in ("family", "plan") for each in defined(name) if issubclass(each, kept)}
    return frozenset(found | more)


def defined(package: str) -> Iterator[type]:
    """Yield the classes that the modules of a package define."""
    for found in pkgutil.walk_packages([str(SOURCE / package)], f"discretion.{package}."):
        module = importlib.import_module(found.name)
        for _, each in inspect.getmembers(module, inspect.isclass):
            if each.__module__ == found.name:
                yield each


class Module:
    """A source file, and where it asks."""

    def __init__(self, code: str, package: str = "discretion") -> None:
        self.tree, self.package = ast.parse(code), package
        self.names = dict(self._imported())
        self.names |= dict(self._renamed())

    def _imported(self) -> Iterator[tuple[str, object]]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("discretion"):
                source = importlib.import_module(node.module or "")
                for name in node.names:
                    yield name.asname or name.name, getattr(source, name.name, None)

    def _renamed(self) -> Iterator[tuple[str, object]]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                for target, value in zip(*map(parts, (node.targets[0], node.value)), strict=False):
                    if (
                        isinstance(target, ast.Name)
                        and (found := self._resolved(value)) is not None
                    ):
                        yield target.id, found

    def lines(self) -> list[int]:
        """Return the lines on which it asks."""
        nodes = (node for node in ast.walk(self.tree) if isinstance(node, PLACED))
        return sorted({node.lineno for node in nodes if self._asks(node)})

    def _asks(self, node: ast.AST) -> bool:
        match node:
            case ast.Call(func=ast.Name("isinstance" | "issubclass"), args=[_, kinds]):
                return self._has_class(kinds)
            case ast.MatchClass(cls=kind) | ast.MatchValue(value=kind):
                return self._has_class(kind) or self._is_member(kind)
            case ast.Compare(left=left, comparators=others):
                sides = [left, *others]
                return any(map(self._is_member, sides)) or self._compares_texts(sides)
            case ast.Dict(keys=keys):
                return any(key and (self._has_class(key) or self._is_member(key)) for key in keys)
            case ast.FunctionDef(decorator_list=decorators):
                return any(self._registers(each, node) for each in decorators)
        return False

    def _resolved(self, node: ast.expr) -> object:
        if isinstance(node, ast.Name):
            return self.names.get(node.id)
        if isinstance(node, ast.Attribute):
            return getattr(self._resolved(node.value), node.attr, None)
        return None

    def _has_class(self, node: ast.expr) -> bool:
        """Whether one of the watched classes stands there, alone or among others."""
        inner = (each for each in ast.walk(node) if isinstance(each, ast.Name | ast.Attribute))
        found = (self._resolved(each) for each in inner)
        return any(inspect.isclass(each) and each in watched() for each in found)

    def _is_member(self, node: ast.expr) -> bool:
        """Whether members of ``Kind`` or ``Family`` stand there, alone or in a list."""
        found = [self._resolved(part) for part in parts(node)]
        return any(isinstance(each, Kind | Family) for each in found if isinstance(each, Enum))

    def _compares_texts(self, sides: list[ast.expr]) -> bool:
        texts = {
            each.value
            for side in sides
            for each in ast.walk(side)
            if isinstance(each, ast.Constant) and isinstance(each.value, str)
        }
        return any(map(is_kind, sides)) and bool(texts & TEXTS)

    def _registers(self, decorator: ast.expr, function: ast.FunctionDef) -> bool:
        """Whether a case of a ``singledispatch`` function is one of the watched classes."""
        call = decorator.func if isinstance(decorator, ast.Call) else decorator
        if not isinstance(call, ast.Attribute) or call.attr != "register":
            return False
        given = decorator.args if isinstance(decorator, ast.Call) else []
        stated = [arg.annotation for arg in function.args.args if arg.annotation]
        return any(map(self._has_class, [*given, *stated]))


def parts(node: ast.expr) -> list[ast.expr]:
    """Return the items of a list that is written out, or the expression itself."""
    return node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]


def is_kind(node: ast.expr) -> bool:
    """Whether it is called a kind or a family: a name, an attribute, or a field of a document."""
    match node:
        case ast.Name("kind" | "family") | ast.Attribute(attr="kind" | "family"):
            return True
        case ast.Subscript(slice=ast.Constant("kind" | "family")):
            return True
    return False


def asking() -> dict[str, list[int]]:
    """Return the modules outside the homes that ask, and on which lines."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith(HOMES) and (lines := Module(path.read_text()).lines()):
            found[name] = lines
    return found


def test_few_modules_ask_which_kind_they_have() -> None:
    found = asking()
    new = {name: lines for name, lines in found.items() if name not in ASK}
    assert not new, f"{new} ask. {INSTEAD}"
    assert len(ASK) <= MOST, INSTEAD


def test_the_modules_that_may_ask_still_do() -> None:
    gone = ASK.keys() - asking().keys()
    assert not gone, f"{sorted(gone)} no longer ask: take them from the list, which is then shorter"


ASKED = [
    "from discretion.schema import Text\nisinstance(x, Text)",
    "from discretion.schema import Numeric, Text\nisinstance(x, str | Text | Numeric)",
    "from discretion.mechanism import Unary\nmatch x:\n    case Unary():\n        pass",
    "from discretion.mechanism import Unary\nTABLE = {Unary: 1}",
    "from discretion.mechanism import Hashed\n@f.register\ndef _(law: Hashed): ...",
    "from discretion.mechanism import Hashed\n@f.register(Hashed)\ndef _(law): ...",
    "from discretion.kind import Kind\nx.kind is Kind.TEXT",
    "from discretion.kind import Kind\nKind.TEXT in kinds",
    "from discretion.kind import Kind\nTEXT, N = Kind.TEXT, 1\nx == TEXT",
    "from discretion.plan import Family\nx.family in (Family.SETS, Family.COLUMNS)",
    "from discretion.plan import Family\nTABLE = {Family.SETS: 1}",
    "from discretion.plan import Family\nmatch x.family:\n    case Family.SETS:\n        pass",
    "from discretion.family import Sets\nisinstance(x, Sets)",
    "document['kind'] == 'text'",
]
NOT_ASKED = [
    "from discretion.render.tables import Table\nisinstance(x, Table)",
    "from discretion.plan import Family\nquestion.law(level, Family.SETS)",
    "from discretion.kind import Kind\nStatistic(kinds=(Kind.TEXT,))",
    "dtype.kind in 'iu'",
    "bool(question.labels)",
]


@for_each("code", ASKED)
def test_a_question_is_noticed(code: str) -> None:
    assert Module(code).lines()


@pytest.mark.parametrize("code", NOT_ASKED)
def test_what_is_no_question_is_left_alone(code: str) -> None:
    assert not Module(code).lines()
