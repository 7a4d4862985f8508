"""The statistics of the registry, answered from a store: as documents, and as sheets to work with.

What a statistic needs is read once: counts where they suffice, else the reports.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from discretion.collector.store import Store
from discretion.estimate.documents import finite
from discretion.render.formats import p_stated
from discretion.statistics import STATISTICS, Statistic
from discretion.statistics.statistic import AGAINST, ROUND
from discretion.table.frame import Frame
from discretion.web.dashboard.documents import Analysis, Measure, Sheet

if TYPE_CHECKING:
    from discretion.groups.beside import Comparable

Document = dict[str, Any]
PLACES = ("level", "from", "to", "round")  # columns of numbers that say what a row is about
WITHIN = "95 %"  # of a line that says what the table has, at another confidence perhaps
COMPARED = ("label", "first", "second", "difference", "stderr", "low", "high")


def answer_statistic(store: Store, statistic: Statistic, **values: Any) -> Document:
    """Answer what the registry has, as a document."""
    about = values.pop("attributes" if statistic.several else "attribute")
    values = statistic.parsed(values)
    rounds = _rounds(store, statistic, values)
    data = _data(store, statistic, about, rounds, values)
    found = statistic.answered(data, about, **_given(statistic, values))
    return {**found, "round": values.get("round", max(rounds, default=0))}


def answer_analysis(
    store: Store, statistic: str, about: str | list[str], confidence: float, **values: Any
) -> Analysis:
    """Answer what the registry has, as the rows of its frame; groups also beside one of them."""
    chosen = STATISTICS[statistic]
    data = _data(store, chosen, about, _rounds(store, chosen, values), values)
    found: Any = chosen.result(data, about, **_given(chosen, values))
    named = {"confidence": confidence} if chosen.intervals else {}
    against = values.get(AGAINST) if chosen.is_grouped(values) else None
    beside = None if against is None else _beside(found, against, confidence)
    tests = [] if against is None else _tests(found, against)
    sheet = _sheet(found.to_frame("pyarrow", **named))
    return {"said": _said(str(found)), "sheet": sheet, "beside": beside, "tests": tests}


def _rounds(store: Store, statistic: Statistic, values: Mapping[str, Any]) -> list[int]:
    """Return the rounds that are asked about: all, where none can be named."""
    return statistic.span.named(values) or [each.round for each in store.rounds()]


def _data(
    store: Store,
    statistic: Statistic,
    about: str | list[str],
    rounds: Sequence[int],
    values: Mapping[str, Any],
) -> Any:
    """Read the rounds that are asked about, each of them once."""
    names = about if isinstance(about, list) else [about]
    few = statistic.needs_reports(values)
    few = few or any(statistic.reads_reports(store.plan, name) for name in names)
    read = store.table if few else store.aggregate
    known = {each: read(each) for each in {*rounds}}
    data = [known[each] for each in rounds]
    return data if statistic.span != ROUND else data[0]


def _given(statistic: Statistic, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options among the values; the others name rounds."""
    options = {option.name for option in statistic.options}
    return {name: value for name, value in values.items() if name in options}


def _said(text: str) -> str:
    """Return the first line of a result, but for what its table says at the chosen confidence."""
    line = text.partition("\n")[0]
    kept = [clause for clause in line.split("; ") if WITHIN not in clause]
    said = "; ".join(kept)
    return (said.rstrip(")") if said.count("(") < said.count(")") else said) or line


def _sheet(frame: Frame) -> Sheet:
    heads: list[str] = list(frame.column_names)
    texts = [head for head, field in zip(heads, frame.schema, strict=True) if _named(field)]
    columns = ([_plain(value) for value in own] for own in frame.to_pydict().values())
    rows = [list(row) for row in zip(*columns, strict=True)]
    found: Sheet = finite(
        {"heads": heads, "names": texts, "measures": [*_measures(heads)], "rows": rows}
    )
    return found


def _plain(value: object) -> object:
    """Return a date or a time as text; anything else as it is."""
    return value.isoformat() if isinstance(value, date | time) else value


def _named(field: pa.Field) -> bool:
    return field.name in PLACES or pa.types.is_string(field.type)


def _measures(heads: Sequence[str]) -> Iterator[Measure]:
    """Yield the columns of estimates with those of their ends: ``row`` with ``row_low``, say."""
    bounded = [head for head in heads if head == "low" or head.endswith("_low")]
    for low in bounded:
        before = heads[: heads.index(low)]
        value = (
            low.removesuffix("_low") if low != "low" else [h for h in before if h != "stderr"][-1]
        )
        yield {"value": value, "low": low, "high": f"{low[:-3]}high"}
    if not bounded and "value" in heads:
        yield {"value": "value", "low": None, "high": None}


def _beside(found: "Comparable", against: str, confidence: float) -> Sheet:
    """Return the differences of the other groups from one, one below the other."""
    rows = []
    for group in found.others(against):
        frame: Any = found.difference(group, against).to_frame("pyarrow", confidence)
        own = frame.rename_columns(COMPARED).to_pylist()
        rows += [{"group": group, **row} for row in own]
    heads = ("group", *COMPARED)
    measure: Measure = {"value": "difference", "low": "low", "high": "high"}
    values = [[row[head] for head in heads] for row in rows]
    found_: Sheet = finite(
        {"heads": [*heads], "names": ["group", "label"], "measures": [measure], "rows": values}
    )
    return found_


def _tests(found: "Comparable", against: str) -> list[str]:
    """Say of each group whether it differs at all from the one."""
    groups: Mapping[str, Any] = {g: found.difference(g, against) for g in found.others(against)}
    return [
        f"{group} beside {against}: {p_stated(each.pvalue)} for no difference"
        for group, each in groups.items()
    ]
