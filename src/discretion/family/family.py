"""What a family of reports answers, so that no estimator asks which family it has.

A family is bound to one question of a plan. Its counts are integers that add up in any order; from
them follow the pooled linear estimate, the effect of false reports and the goodness of fit. From
the reports themselves follow the likelihood and, for tables of several attributes, a part.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

import numpy as np

from discretion.engine import added
from discretion.errors import EstimateError
from discretion.estimate.linear import Pooled
from discretion.estimate.mle import Informed
from discretion.estimate.noise import Matrix
from discretion.family.counts import Tally
from discretion.family.part import Part
from discretion.mechanism import Law
from discretion.mechanism.law import LabelLaw
from discretion.plan import Question
from discretion.table import Reports, ReportTable
from discretion.table.columns import Bytes, Codes, Levels

if TYPE_CHECKING:
    from discretion.family.cells import Cells
    from discretion.family.covers import Covers
    from discretion.family.intervals import Intervals
    from discretion.family.prefixes import Prefixes
    from discretion.family.sketches import Sketches

MOST_LEVELS = 64  # at which false reports are worked out, of a menu that has more


class Counts(Protocol):
    """Counts of the reports of one stratum; those of different reports add up."""

    @property
    def n(self) -> int: ...

    def __add__(self, other: Self) -> Self: ...

    def __sub__(self, other: Self) -> Self: ...

    def document(self) -> dict[str, object]: ...


C = TypeVar("C", bound=Counts)


class Answers(NamedTuple):
    """What some owners answered about a question, one of the axes of a table or several."""

    axes: tuple[int, ...]
    strata: list[int]  # those that occur
    which: Codes  # (n,): the index of each one's stratum
    y: Bytes  # (n, width)


@dataclass(frozen=True)
class ReportFamily(ABC, Generic[C]):
    """The reports about one question, whatever a single one of them looks like."""

    question: Question

    tabulated: ClassVar[bool] = True  # whether tables of several attributes can use the reports
    cell_bounds: ClassVar[bool] = False  # whether it is known how far false reports move a cell
    several: ClassVar[bool] = False  # whether an answer has several codes, and shares sum to more
    ordered: ClassVar[bool] = False  # whether reports are about intervals of answers in order
    open: ClassVar[bool] = False  # whether answers are of no list, and analysts name candidates
    discovered: ClassVar[bool] = False  # whether reports show what answers there are, unnamed

    @property
    def name(self) -> str:
        return self.question.name

    @property
    def menu(self) -> tuple[int, ...]:
        return self.question.menu

    @property
    def mechanism(self) -> str:
        return self.question.mechanism

    @property
    def size(self) -> int:
        return self.question.attribute.size

    @property
    def mean_only(self) -> bool:
        """Whether reports say nothing about an answer but where the mean of all lies."""
        return False

    @property
    def foldable(self) -> bool:
        """Whether a report about several attributes is one about fewer of them: `FoldedPart`."""
        return False

    def law(self, stratum: int) -> Law:
        """Return the law of a stratum; the first of the menu stands for secret ones."""
        return self.question.law(stratum or self.menu[0])

    def gathered(self, counted: "Callable[[ReportFamily[C]], Mapping[int, C]]") -> dict[int, C]:
        """Return the counts by stratum, given how those of a question are had."""
        return dict(counted(self))

    def count(self, reports: ReportTable) -> dict[int, C]:
        """Return the counts of a table by stratum."""
        found: dict[int, C] = {}
        for strata, y in reports.answers(self.name):
            found = added(found, dict(self.counted(strata, y)))
        return found

    @abstractmethod
    def counted(self, strata: Levels, y: Bytes) -> Iterable[tuple[int, C]]:
        """Yield the strata that occur among these answers, and the counts of each."""

    @abstractmethod
    def restored(self, stratum: int, document: Mapping[str, object]) -> C:
        """Return the counts of which this is the document, checked against the plan."""

    def labelled(self) -> "LabelFamily[Any]":
        """Return the same family, if its reports are about a list of labels; else refuse."""
        raise self.question.refused("a label")

    def linear(self) -> "LinearFamily[Any]":
        """Return the same family, if its reports estimate shares linearly; else refuse."""
        return self.labelled()

    def intervals(self) -> "Intervals":
        """Return the same family, if its reports are about intervals; else refuse."""
        raise self.question.refused("an interval of ordered values")

    def sketched(self) -> "Sketches":
        """Return the same family, if its reports are sketches of texts; else refuse."""
        raise self.question.refused("a text")

    def prefixed(self) -> "Prefixes":
        """Return the same family, if its reports are about prefixes of texts; else refuse."""
        raise self.question.refused("a text to discover")

    def covered(self) -> "Covers":
        """Return the same family, if its reports are codes of sets; else refuse."""
        raise self.question.refused("a set")

    def cells(self) -> "Cells":
        """Return the same family, if its reports are cells of sets of texts; else refuse."""
        raise self.question.refused("a set of texts")

    def variance(self, level: int) -> Fraction | None:
        """Return the variance of a share of a half as estimated from one report at a level.

        Of a number: that of its mean, with the range as its unit. None where it is not known.
        """
        return None

    def strata(self, levels: Levels, y: Bytes) -> Codes:
        """Return one code for each report; those with the same code have the same law."""
        return levels.astype(np.int64)

    def part(
        self,
        reports: ReportTable,
        rows: Codes,
        axes: tuple[int, ...],
        mixing: Matrix | None = None,
        *,
        coin: bool = False,
    ) -> Part:
        """Return these rows of a table, all of which answer, as a part of a joint likelihood.

        ``axes`` are those of the table of cells; ``mixing`` takes the bins of a number to its grid,
        or the sides of a ``coin`` that shows heads the more often the larger the number is.
        """
        strata, y = reports.columns(self.name)
        used, which = np.unique(strata[rows], return_inverse=True)
        own = np.ascontiguousarray(y[rows])
        answers = Answers(axes, used.tolist(), which, own)
        return self.coin_of(answers, mixing) if coin else self.part_of(answers, mixing)

    def part_of(self, answers: Answers, mixing: Matrix | None) -> Part:
        """Return the part of these answers; no family has one that is not ``tabulated``."""
        raise self.question.refused("a label")

    def coin_of(self, answers: Answers, mixing: Matrix | None) -> Part:
        """Return answers as a part about the coin of a number, which only numbers have."""
        raise self.question.refused("a number")

    @property
    def some_levels(self) -> tuple[int, ...]:
        """The levels at which false reports are worked out: both ends of the menu among them."""
        at = np.unique(np.linspace(0, len(self.menu) - 1, MOST_LEVELS).astype(np.int64))
        return tuple(self.menu[i] for i in at)

    def check_linear(self) -> None:
        """Refuse reports without an unbiased score for each code."""


def share_variance(law: LabelLaw, bits: int = 1) -> Fraction:
    """Return the variance of a share of a half, of which each report has so many bits."""
    own, other = law.means
    return sum(law.variances, Fraction()) / 2 / (own - other) ** 2 / bits + Fraction(1, 4)


class Displacement(NamedTuple):
    """How far false reports at each of some levels move the estimate of each code."""

    levels: tuple[int, ...]
    up: Matrix  # (levels, size)
    down: Matrix  # (levels, size), negative


@dataclass(frozen=True)
class LinearFamily(ReportFamily[C]):
    """Reports from which several shares are estimated linearly, so that weights and bounds follow.

    Those of labels sum to one; others need not.
    """

    reported: ClassVar[str]  # what a report is, in the plural

    def linear(self) -> "LinearFamily[C]":
        return self

    @property
    @abstractmethod
    def estimated(self) -> tuple[str, ...]:
        """What the shares are of."""

    @property
    def affected(self) -> tuple[str, ...]:
        """What false reports move: these shares, and what else is made of them."""
        return self.estimated

    @property
    def functions(self) -> str:
        """Who chooses the hash functions; nothing where there are none."""
        return ""

    @property
    def exhaustive(self) -> bool:
        """Whether false reports at several levels do no more harm than at the worst one."""
        return False

    @abstractmethod
    def pooled(self, counts: Mapping[int, C], cap: float | None = None) -> Pooled:
        """Return the inverse-variance combination over strata, the variances at the uniform law.

        With a cap, no stratum has more than that share of the weight.
        """

    @abstractmethod
    def displaced(
        self, counts: Mapping[int, C], share: float, added: float, cap: float | None = None
    ) -> Displacement:
        """Return what the worst reports do, where a share of all is replaced by ``added`` such."""

    def refuse(self, cap: float | None) -> None:
        """Refuse a cap, which only sets of codes have."""
        if cap is not None:
            rule = f"a cap needs sets of codes, and {self.name!r} has {self.reported}"
            raise EstimateError(rule)

    @property
    def places(self) -> range:
        """Where ranges or lengths stand on their menu."""
        return range(max(1, len(self.question.ranges)))


@dataclass(frozen=True)
class LabelFamily(LinearFamily[C]):
    """Reports about one of a list of labels, or of bins, or of a bundle's cells."""

    sufficient: ClassVar[bool] = False  # whether the counts are all that the likelihood needs

    def labelled(self) -> "LabelFamily[C]":
        return self

    @property
    def estimated(self) -> tuple[str, ...]:
        return self.question.labels

    @abstractmethod
    def likelihood(self, counts: Mapping[int, C], reports: Reports | None) -> Informed:
        """Return the likelihood of the frequencies; reports may lack where counts suffice."""

    @abstractmethod
    def pvalues(self, stratum: int, counts: C) -> tuple[float | None, float | None]:
        """Test a stratum by itself: how many bits are set, and how frequent outputs are."""

    def unary(self, counts: Mapping[int, C]) -> Tally:
        """Return the counts of all strata, for what only OUE's reports can answer."""
        raise self._needs_oue

    def secret_pvalue(self, counts: Mapping[int, C]) -> float:
        """Test all strata together, which are secret: how frequent codes are."""
        raise self._needs_oue

    @property
    def _needs_oue(self) -> EstimateError:
        return EstimateError(f"this method needs oue, and {self.name!r} uses {self.mechanism}")
