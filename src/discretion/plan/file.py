"""Reading the file an author wrote: YAML (the one place that needs PyYAML) or JSON."""

import json
from pathlib import Path
from typing import Any

from discretion.errors import PlanError


def read_file(path: Path) -> Any:
    """Return what a plan file holds; a key written twice is refused, not overwritten."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise PlanError(str(path), "file", "must be readable text", reason) from None
    return _json(path, text) if path.suffix == ".json" else _yaml(path, text)


def _json(path: Path, text: str) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise PlanError(str(path), "file", "must not repeat a key", [key for key, _ in pairs])
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise PlanError(str(path), "file", "must be valid JSON", str(error)) from None


def _yaml(path: Path, text: str) -> Any:
    import yaml

    class Unique(yaml.SafeLoader):
        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
            keys = [self.construct_object(key, deep=True) for key, _ in node.value]
            if len(set(keys)) < len(keys):
                line = f"line {node.start_mark.line + 1}"
                raise PlanError(str(path), line, "must not repeat a key", keys)
            return super().construct_mapping(node, deep)

    try:
        return yaml.load(text, Loader=Unique)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f"line {mark.line + 1}" if mark else "file"
        raise PlanError(str(path), line, "must be valid YAML", error.problem) from None
