"""The quality report of a publication: what it cost, how well it agrees, what it does not know."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from discretion.engine import single_threaded
from discretion.errors import EstimateError, MissingPackage
from discretion.joints.axes import Bins
from discretion.joints.interactions import Interaction
from discretion.plan import Question
from discretion.synthesis.agreement import Agreement, UnbiasedTables, agreements
from discretion.synthesis.dependence import Dependence
from discretion.synthesis.file import check_suffix, whole_file
from discretion.synthesis.headline import Figure, figures
from discretion.synthesis.model import Column
from discretion.synthesis.publish import Publication
from discretion.synthesis.scores import Scores
from discretion.synthesis.soft_evidence import SoftEvidence
from discretion.synthesis.spending import Spending, spending
from discretion.synthesis.unlearnt import Unlearnt, unlearnt
from discretion.synthesis.utility import Classified, Distance, by_order, classifiers
from discretion.table.frame import to_arrow

FORMAT = 2  # 1 called the estimates of headline figures unbiased
KIND = "discretion quality"
SUFFIXES = (".html", ".json")
FOUR = 10  # attributes up to which sets of four are compared with the truth too


@dataclass(frozen=True)
class Utility:
    """What only a simulation knows: how far the model is from the truth, and what that does."""

    records: int
    distances: tuple[Distance, ...]
    classifiers: tuple[Classified, ...]


@dataclass(frozen=True)
class Quality:
    """All that a reader should know before quoting a published figure."""

    plan: str
    plan_id: str
    simulated: bool
    rows: int
    attributes: tuple[str, ...]
    spending: Spending
    one_way: tuple[Agreement, ...]
    two_way: tuple[Agreement, ...]
    interactions: tuple[Interaction, ...]  # of three attributes each, beyond what pairs imply
    dependence: Dependence
    figures: tuple[Figure, ...]
    unlearnt: Unlearnt
    utility: Utility | None

    @property
    def left_out(self) -> tuple[Interaction, ...]:
        """The interactions that were found: the model has no terms for them."""
        return tuple(each for each in self.interactions if each.found)

    @property
    def misses(self) -> tuple[Agreement, ...]:
        """The attributes and pairs in which the model is off by more than noise explains."""
        return tuple(each for each in (*self.one_way, *self.two_way) if each.misses)

    def document(self) -> dict[str, Any]:
        """Return it for machines: plain numbers and texts, under keys that stay."""
        found = asdict(self)
        found["one_way"] = [_agreement(each) for each in self.one_way]
        found["two_way"] = [_agreement(each) for each in self.two_way]
        found["interactions"] = [each.document() for each in self.interactions]
        found["figures"] = [{**asdict(each), "holds": each.holds} for each in self.figures]
        for pair in found["dependence"]["pairs"]:
            pair["edge"] = pair["adjusted"] <= self.dependence.rate
        if self.utility is not None:
            for own, kind in zip(
                found["utility"]["classifiers"], self.utility.classifiers, strict=True
            ):
                own["mean"] = asdict(kind.mean)
        plain: dict[str, Any] = json.loads(json.dumps(found, allow_nan=False))
        return {"kind": KIND, "format": FORMAT, **plain}

    def to_json(self) -> str:
        """Return the report as JSON."""
        return json.dumps(self.document(), indent=2, ensure_ascii=False, allow_nan=False)

    def to_html(self) -> str:
        """Return the report as a page that needs nothing else."""
        from discretion.synthesis.page import page

        return page(self)

    def write(self, path: str | Path) -> None:
        """Write the report as the suffix says: .html or .json."""
        path = Path(path)
        check_suffix(path, SUFFIXES)
        content = self.to_html() if path.suffix == ".html" else self.to_json()
        with whole_file(path) as part:
            part.write_text(content, encoding="utf-8")

    def __str__(self) -> str:
        from discretion.synthesis.words import known, verdict

        return "\n".join([*verdict(self), *known(self)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from discretion.synthesis.page import summary

        return summary(self)


@single_threaded
def quality(publication: Publication, truth: object = None, seed: int = 0) -> Quality:
    """Compare what was published with unbiased estimates, and say what it cost and lacks.

    ``truth``: the records behind simulated reports, a frame with a column for each attribute. The
    seed is that of the sets of attributes and the classifiers that are compared with it.
    """
    if not isinstance(publication, Publication):
        raise EstimateError(f"quality needs a Publication, got {type(publication).__name__}")
    reports, model, found = publication.reports, publication.model, publication.dependence
    bins = bins_of(reports.plan.questions, model.columns)
    evidence = SoftEvidence.of(reports, model.names, bins)
    if evidence.shape != model.shape:
        raise EstimateError("the model must be one of these reports: its bins are others")
    tables = UnbiasedTables(reports, evidence.axes)
    return Quality(
        plan=reports.plan.name,
        plan_id=reports.plan.id,
        simulated=reports.simulated,
        rows=publication.count,
        attributes=model.names,
        spending=spending(reports),
        one_way=agreements(model, tables, 1),
        two_way=agreements(model, tables, 2),
        interactions=publication.interactions,
        dependence=found,
        figures=tuple(figures(model, tables)),
        unlearnt=unlearnt(model, found, Scores(evidence), tables),
        utility=None if truth is None else _utility(publication, truth, seed),
    )


def bins_of(questions: Mapping[str, Question], columns: Sequence[Column]) -> Bins:
    """Return the bins in which a model has numbers, as estimates take them."""
    found: dict[str, int | Sequence[float]] = {}
    for column in columns:
        if questions[column.name].numbers and column.spread is not None:
            starts = (column.spread > 0).argmax(axis=1)
            edges = [float(column.values[start]) for start in starts]
            last = len(column.values) - 1
            alone = starts[-1] == last  # a last bin of one number cannot be named by its edges
            found[column.name] = column.size if alone else [*edges, float(column.values[last])]
    return found


def _agreement(each: Agreement) -> dict[str, Any]:
    return {**asdict(each), "ratio": each.ratio}


def _utility(publication: Publication, truth: object, seed: int) -> Utility:
    model, records = publication.model, to_arrow(truth)
    several = len(model.columns) > 1
    orders = (1, 2, 3, 4) if len(model.columns) <= FOUR else (1, 2, 3)
    return Utility(
        records.num_rows,
        by_order(model, records, orders=orders, seed=seed),
        _classified(publication, records, seed) if several else (),
    )


def _classified(publication: Publication, records: object, seed: int) -> tuple[Classified, ...]:
    """Return how classifiers do, or nothing without scikit-learn: the report then says so."""
    try:
        return classifiers(publication.rows, records, publication.model.columns, seed)
    except MissingPackage:
        return ()
