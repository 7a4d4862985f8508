"""How ``discretion estimate`` makes estimates: each attribute as it is reported, by its options.

The weights of reports come from known margins of the population in a file.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from discretion.cli.numbers import NumberSummary, summarised
from discretion.errors import EstimateError
from discretion.estimate import FrequencyEstimate
from discretion.estimate.estimate import Result
from discretion.joints import JointEstimate, joint, postprocess
from discretion.joints.axes import Bins
from discretion.labels import frequencies
from discretion.labels.consistency import check_steps
from discretion.plan import Plan
from discretion.render.terminal import console
from discretion.statistics import STATISTICS, Kind, first_of, kinds_of
from discretion.statistics.option import AUTO
from discretion.table import Reports

if TYPE_CHECKING:
    from discretion.calibration import Calibration

FREQUENCIES, MEAN, JOINT = (STATISTICS[name] for name in ("frequencies", "mean", "joint"))
Calibrate = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Weight respondents to known margins of the population, in YAML or JSON.",
    ),
]


@dataclass(frozen=True)
class Estimator:
    """What the options say about estimates; methods and steps that an attribute lacks are left out.

    An attribute is estimated by the first statistic of its kind.
    """

    method: str
    target: str
    steps: Sequence[str] = ()
    texts: Sequence[str] | None = None  # to look for
    applicable: bool = False
    weights: "Calibration | None" = field(default=None, compare=False)

    def check(self, plan: Plan, named: Sequence[str], tables: Sequence[Sequence[str]]) -> None:
        """Refuse what does not go together, before the work."""
        if tables and self.target != "population":
            raise EstimateError("joint tables are about the population: leave --target out")
        plan.questions.check([*named, *chain.from_iterable(tables)])
        kinds = [_kind(plan, name) for name in named]
        own = [method for kind in kinds for method in methods(kind)]
        if kinds and self.method in known_methods() and self.method not in own:
            known = ", ".join(methods(kinds[0]))
            rule = f"{named[0]!r} is {kinds[0].noun}"
            raise EstimateError(f"{rule}: method must be one of {known}")
        check_steps(self.steps)

    def check_labels(self, plan: Plan, names: Sequence[str]) -> None:
        """Refuse post-processing where no frequencies are asked for."""
        kinds = [_kind(plan, name) for name in names]
        if self.steps and all(first_of(kind) is not FREQUENCIES for kind in kinds):
            rule = "--post is for frequencies and joint tables"
            raise EstimateError(f"{names[0]!r} is {kinds[0].noun}: {rule}")

    def names(self, table: Reports, *, tables: bool) -> list[str]:
        """Return what is estimated where nothing is named, and say which texts are left out."""
        if tables:
            return []
        if self.texts is None:
            _note_texts(table)
        return reported(table, self.texts) or list(table.plan.attributes)

    def estimate(self, table: Reports, name: str) -> Result | NumberSummary:
        """Estimate an attribute as it is reported."""
        found = self._estimated(table, name)
        if self.applicable and isinstance(found, FrequencyEstimate) and found.conditional:
            return found.applicable()
        return found

    def table(self, table: Reports, names: Sequence[str], bins: Bins | None) -> JointEstimate:
        """Estimate a joint table."""
        found = joint(table, names, self.method, bins, weights=self.weights)
        return postprocess(found, *self.steps)

    def _estimated(self, table: Reports, name: str) -> Result | NumberSummary:
        kind = _kind(table.plan, name)
        statistic, own = first_of(kind), self.method
        if own in known_methods() and own not in methods(kind):
            own = AUTO
        if self.texts is not None and FREQUENCIES.needed(table.plan, name):
            return frequencies(table, name, own, candidates=self.texts, weights=self.weights)
        if statistic is MEAN:
            return summarised(table, name, own, self.target, self.weights)
        if statistic is not FREQUENCIES:
            return statistic.result(table, name, **({"method": own} if methods(kind) else {}))
        if FREQUENCIES.needed(table.plan, name):
            raise EstimateError(
                f"{name!r} is {kind.noun}: name the candidates with --candidates FILE"
            )
        found = frequencies(table, name, own, self.target, weights=self.weights)
        return postprocess(found, *self.steps)


def methods(kind: Kind) -> list[str]:
    """Return the methods by which attributes of a kind are estimated."""
    return first_of(kind).methods(kind)


def known_methods() -> set[str]:
    """Return the methods of all kinds."""
    return {name for kind in Kind for name in methods(kind)}


def reported(table: Reports, texts: Sequence[str] | None) -> list[str]:
    """Return what somebody reported: of a bundle of numbers, its numbers; a text if asked."""
    plan = table.plan
    known = {
        *chain.from_iterable(
            [name]
            if kinds_of(plan, name) and not plan.questions[name].view
            else plan.questions[name].parts
            for name in table.shared
        )
    }
    return [
        n for n in plan.names if n in known and (texts is not None or not _needs_texts(plan, n))
    ]


def _needs_texts(plan: Plan, name: str) -> bool:
    """Whether nothing can be estimated of an attribute unless candidates are named."""
    return first_of(_kind(plan, name)) is FREQUENCIES and bool(FREQUENCIES.needed(plan, name))


def _note_texts(table: Reports) -> None:
    """Say which texts are left out, and what to do about it."""
    left = [
        name
        for name in table.shared
        if kinds_of(table.plan, name) and _needs_texts(table.plan, name)
    ]
    if left:
        note = f"{', '.join(left)}: name the texts to look for with --candidates FILE"
        console(stderr=True).print(note, soft_wrap=True)


def _kind(plan: Plan, name: str) -> Kind:
    """Return as what an attribute is shown: as a number, wherever it is one."""
    return [plan.questions[name].kind, *kinds_of(plan, name)][-1]


def weights_of(reports: Reports, path: Path | None) -> "Calibration | None":
    """Return the weights for the margins in a file, if one is named."""
    return None if path is None else calibrated(reports, path)


def calibrated(reports: Reports, path: Path) -> "Calibration":
    """Return the weights for the margins in a file."""
    from discretion.calibration import calibrate  # not before a command needs it

    return calibrate(reports, _margins(path))


def margins_of(path: Path | None) -> str | None:
    """Return the margins in a file as JSON, which is an option of statistics."""
    if path is None:
        return None
    try:
        return json.dumps(_margins(path))
    except TypeError as error:
        raise EstimateError(f"{path}: margins must be names and numbers ({error})") from None


def _margins(path: Path) -> object:
    from discretion.plan.file import read_file  # not before a command needs it

    return read_file(path)
