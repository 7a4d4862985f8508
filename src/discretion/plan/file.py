"""The file of an author: read from YAML or JSON, and written in YAML as authors do.

Written are fields on one line, comments, and lists that break. Only here PyYAML is needed.
"""

import json
import re
import textwrap
from collections.abc import Hashable, Iterable
from datetime import date
from decimal import Decimal
from pathlib import Path

from discretion.errors import NoSuchFile, PlanError
from discretion.extras import needed

PLAIN = re.compile(r"[-+]?(0|[1-9][0-9_]*)")  # not 01234 or 12:30: YAML reads 668 and 750
WIDTH = 98


def read_file(path: Path) -> object:
    """Return what a plan file holds; a key written twice is refused, not overwritten."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NoSuchFile(path) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise PlanError(str(path), "file", "must be readable text", reason) from None
    return _json(path, text) if path.suffix == ".json" else parse_yaml(text, str(path))


def _json(path: Path, text: str) -> object:
    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(dict(pairs)) < len(pairs):
            raise PlanError(str(path), "file", "must not repeat a key", [key for key, _ in pairs])
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise PlanError(str(path), "file", "must be valid JSON", str(error)) from None


def parse_yaml(text: str, source: str) -> object:
    """Return what a plan in YAML holds; a key written twice is refused."""
    with needed("a plan in YAML"):
        import yaml

    class Unique(yaml.SafeLoader):
        def construct_mapping(
            self, node: yaml.MappingNode, deep: bool = False
        ) -> dict[object, object]:
            keys = [self.construct_object(key, deep=True) for key, _ in node.value]
            if not all(isinstance(key, Hashable) for key in keys):
                raise yaml.MarkedYAMLError(
                    problem="a key is a list or a mapping", problem_mark=node.start_mark
                )
            if len(set(keys)) < len(keys):
                line = f"line {node.start_mark.line + 1}"
                raise PlanError(source, line, "must not repeat a key", keys)
            return super().construct_mapping(node, deep)

        def construct_plain_int(self, node: yaml.ScalarNode) -> int:
            if not PLAIN.fullmatch(node.value):
                line = f"line {node.start_mark.line + 1}"
                raise PlanError(
                    source, line, "must be a plain whole number, or text in quotes", node.value
                )
            return super().construct_yaml_int(node)

        def construct_real_date(self, node: yaml.ScalarNode) -> date:
            try:
                return super().construct_yaml_timestamp(node)
            except ValueError:
                line = f"line {node.start_mark.line + 1}"
                raise PlanError(source, line, "must be a date that exists", node.value) from None

    Unique.add_constructor("tag:yaml.org,2002:int", Unique.construct_plain_int)
    Unique.add_constructor("tag:yaml.org,2002:timestamp", Unique.construct_real_date)
    try:
        return yaml.load(text, Loader=Unique)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f"line {mark.line + 1}" if mark else "file"
        raise PlanError(source, line, "must be valid YAML", error.problem) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise PlanError(source, "file", "must be valid YAML", str(error)) from None


def flow(value: object) -> str:
    """Return a value as YAML in one line, text in quotes where it would be read as another."""
    with needed("a plan in YAML"):
        import yaml

    line = yaml.safe_dump(
        [_plain(value)], default_flow_style=True, allow_unicode=True, width=1 << 20, sort_keys=False
    )
    return line.strip()[1:-1]


def _plain(value: object) -> object:
    """Return a value with decimals as YAML knows them."""
    match value:
        case dict():
            return {key: _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
    return value


def lines_of(field: str, items: Iterable[str]) -> list[str]:
    """Return a field with a list, over as many lines as it needs."""
    lines, room = [f"{field}: ["], WIDTH - 6
    for item in items:
        if len(lines[-1]) + len(item) > room:
            lines.append("  ")
        lines[-1] += f"{item}, "
    return [line.rstrip() for line in [*lines[:-1], lines[-1][:-2] + "]"]]


def comment(paragraphs: str, indent: str = "") -> str:
    """Return text as comments, with an empty one between paragraphs."""
    lines = []
    for paragraph in paragraphs.split("\n\n"):
        words = " ".join(paragraph.split())
        lines += ["", *textwrap.wrap(words, WIDTH - len(indent), break_long_words=False)]
    return "\n".join(f"{indent}# {line}".rstrip() for line in lines[1:])
