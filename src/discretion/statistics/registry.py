"""All statistics.

Whatever is registered here can be asked in Python, by command, over HTTP and on the dashboard, and
stands in the reference; nothing else has to be changed for that.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from discretion.kind import Kind
from discretion.statistics.option import AUTO, BINS_OF, LABELS_OF, Option
from discretion.statistics.statistic import ALL_ROUNDS, CHANGE, TWO_CROWDS, Statistic

if TYPE_CHECKING:
    from discretion.plan import Plan

LABELS, NUMBER, ORDER, PLANE = Kind.LABELS, Kind.NUMBER, Kind.ORDER, Kind.PLANE
TEXT, WORD, SET, TEXTS, MAP = Kind.TEXT, Kind.WORD, Kind.SET, Kind.TEXTS, Kind.MAP
ANSWERS = "discretion.statistics.answers"
SHAPES = "discretion.estimate.documents"
MARGINS = {"margins": f"{SHAPES}.checks:MarginShape"}
WEIGHTS = {"weights": f"{SHAPES}.checks:WeightShape"}
STATISTICS: dict[str, Statistic] = {}
MOST_CANDIDATES, LONGEST_CANDIDATE = 1000, 200  # over HTTP
LONGEST_MARGINS = 20_000  # characters of known margins
_ROUND = {"ge": 0, "le": (1 << 31) - 1}

_TARGET = Option(
    "target",
    str,
    "population",
    "The people these owners come from, or these very people.",
    {LABELS: ["discretion.labels.frequencies:TARGETS"]},
)
_CALIBRATE = Option(
    "calibrate",
    str | None,
    None,
    'Known margins of the population, as JSON: {"age": {"young": 0.4, "old": 0.6}}.',
    limits={"max_length": LONGEST_MARGINS},
    argument="weights",
    reports=True,
    made="discretion.calibration:calibrate_json",
)


_MANY = {"max_length": 16, "each": 1000}
_BINS = Option(
    "bins",
    BINS_OF,
    None,
    "Edges of numbers, or how many: income=0,20000,60000; as the reports resolve it if not named.",
    limits=_MANY,
)
_GROUPS = (
    Option("by", str | None, None, "The attribute whose values are the groups.", reports=True),
    Option(
        "given",
        LABELS_OF,
        None,
        "Among whom: a label of each attribute that is named, such as age=65+.",
        limits=_MANY,
        reports=True,
    ),
    _BINS,
)
_AGAINST = Option(
    "against", str | None, None, "The group that the others are compared with.", argument=""
)


def _method(help: str, choices: Mapping[Kind, str]) -> Option:
    named = {kind: [AUTO, location] for kind, location in choices.items()}
    return Option("method", str, AUTO, help, named)


def register(statistic: Statistic) -> None:
    """Add a statistic; it replaces one of the same name."""
    STATISTICS[statistic.name] = statistic


def first_of(kind: Kind) -> Statistic:
    """Return what is estimated of a kind where no statistic is named: the first that applies."""
    return next(each for each in STATISTICS.values() if kind in each.kinds)


def focusable(plan: "Plan") -> list[str]:
    """Return the names whose first estimate leads to the plan of a next round."""
    kinds = {name: question.kind for name, question in plan.questions.items()}
    return [name for name, kind in kinds.items() if kind in first_of(kind).focused]


def cards(plan: "Plan") -> Iterator[tuple[str, Statistic]]:
    """Yield each name with every statistic that a page shows of it; a few have several.

    Of those that cannot be asked without more, only what is estimated first. Views have none:
    their attributes do.
    """
    for name in plan.names:
        if plan.questions[name].view and len(plan.questions[name].parts) > 1:
            continue
        for statistic in STATISTICS.values():
            first = statistic is first_of(plan.questions[name].kind)
            shown = statistic.card and statistic.applies(plan, name)
            if shown and (first or not statistic.needed(plan, name)):
                yield name, statistic


for _statistic in (
    Statistic(
        "discover",
        "discretion.discovery:discover",
        (WORD,),
        "Frequent texts without a list of candidates, with few false discoveries.",
        "discoveries",
        (
            Option(
                "error",
                float,
                0.05,
                "The highest probability that any of the texts is a false discovery.",
                limits={"ge": 1e-6, "lt": 1},
            ),
        ),
        document=f"{SHAPES}.shares:Discovery",
        reports=True,
        focused=(WORD,),
        card=True,
    ),
    Statistic(
        "frequencies",
        "discretion.groups:frequencies",
        (LABELS, TEXT, SET, TEXTS, WORD),
        "How frequent each value of an attribute is; of a set, the share of owners with each item.",
        "frequencies",
        (
            _method(
                "auto takes what counts can answer; mle and blind read all reports.",
                {
                    LABELS: "discretion.labels.frequencies:METHODS",
                    TEXT: "discretion.texts:METHODS",
                    SET: "discretion.sets:METHODS",
                    TEXTS: "discretion.texts:METHODS",
                },
            ),
            _TARGET,
            Option(
                "cap",
                float | None,
                None,
                "The largest share of weight of one level.",
                limits={"gt": 0, "le": 1},
            ),
            Option(
                "candidates",
                list[str] | None,
                None,
                "The texts to look for, one by one; of a text, or a set of texts, alone.",
                limits={"max_length": MOST_CANDIDATES, "each": LONGEST_CANDIDATE},
                needed=(TEXT, TEXTS, WORD),
            ),
            Option(
                "applicable",
                bool,
                False,
                "Whether to leave those out to whom the question does not apply.",
            ),
            *_GROUPS,
            _AGAINST,
            _CALIBRATE,
        ),
        answer=f"{ANSWERS}:frequencies_answer",
        document=f"{SHAPES}.shares:Frequencies",
        grouped=f"{SHAPES}.groups:Crosstab",
        beside=MARGINS | WEIGHTS,
        methods_on_reports=("mle", "blind"),
        kinds_on_reports=(WORD,),
        focused=(SET,),
        card=True,
    ),
    Statistic(
        "means",
        "discretion.sets:means",
        (MAP,),
        "The share of owners with each key of a map, and the mean of their numbers.",
        "maps",
        (
            _method("stratified takes the longest reports only.", {MAP: "discretion.sets:METHODS"}),
            Option("given", str | None, None, "A key: among the owners with it.", reports=True),
        ),
        answer=f"{ANSWERS}:means_answer",
        document=f"{SHAPES}.numbers:KeyMeans",
        beside=MARGINS | WEIGHTS,
        card=True,
        amounts=(MAP,),
    ),
    Statistic(
        "ranges",
        "discretion.order:ranges",
        (ORDER, PLANE),
        "Which share of people lies in ranges of a number, of two, or of labels in order.",
        "ranges",
        (
            Option(
                "ranges",
                list[str] | None,
                None,
                "0..20000,..5000,fair..good; of two numbers 18..30 x ..5000; equal ones if none.",
                limits={"max_length": 1000, "each": 2 * LONGEST_CANDIDATE},
            ),
        ),
        answer=f"{ANSWERS}:ranges_answer",
        document=f"{SHAPES}.numbers:Ranges",
        beside=MARGINS,
        card=True,
    ),
    Statistic(
        "mean",
        "discretion.groups:mean",
        (NUMBER, ORDER),
        "The mean of a number.",
        "means",
        (
            _method(
                "How it is estimated.",
                {
                    NUMBER: "discretion.numbers.moments:METHODS",
                    ORDER: "discretion.order.curves:METHODS",
                },
            ),
            _TARGET,
            *_GROUPS,
            _AGAINST,
            _CALIBRATE,
        ),
        answer=f"{ANSWERS}:mean_answer",
        document=f"{SHAPES}.numbers:Mean",
        grouped=f"{SHAPES}.groups:GroupMeans",
        beside=MARGINS | WEIGHTS,
        numeric=True,
        card=True,
        amounts=(NUMBER, ORDER),
    ),
    Statistic(
        "quantiles",
        "discretion.groups:quantiles",
        (NUMBER, ORDER),
        "Quantiles of a number.",
        "quantiles",
        (
            Option(
                "at",
                list[float],
                [0.1, 0.25, 0.5, 0.75, 0.9],
                "Levels, such as 0.5 for the median.",
                limits={"max_length": 100, "ge": 0, "le": 1},
                argument="levels",
            ),
            Option(
                "margins",
                bool,
                False,
                "Whether to work out how far false reports could move them: that is slow.",
                argument="",
            ),
            *_GROUPS,
            _CALIBRATE,
        ),
        answer=f"{ANSWERS}:quantiles_answer",
        document=f"{SHAPES}.numbers:Quantiles",
        grouped=f"{SHAPES}.groups:GroupQuantiles",
        beside=MARGINS,
        numeric=True,
        amounts=(NUMBER, ORDER),
    ),
    Statistic(
        "cdf",
        "discretion.order:cdf",
        (NUMBER, ORDER),
        "Which share of people has at most a number.",
        "cdf",
        (
            Option(
                "points",
                list[float],
                [],
                "The numbers, one by one.",
                limits={"max_length": 1000},
                needed=(NUMBER, ORDER),
            ),
            _CALIBRATE,
        ),
        document=f"{SHAPES}.numbers:Cdf",
        numeric=True,
    ),
    Statistic(
        "variance",
        "discretion.numbers:variance",
        (NUMBER,),
        "The variance of a number, from its distribution.",
        "variances",
        document=f"{SHAPES}.numbers:Variance",
        amounts=(NUMBER,),
    ),
    Statistic(
        "histogram",
        "discretion.numbers:histogram",
        (NUMBER,),
        "How frequent a number is in bins.",
        "histograms",
        (
            Option(
                "bins",
                int | None,
                None,
                "So many equal ones; as the reports resolve it if not named.",
                limits={"ge": 1, "le": 1000},
            ),
            _CALIBRATE,
        ),
        document=f"{SHAPES}.numbers:Histogram",
    ),
    Statistic(
        "binned",
        "discretion.numbers:binned",
        (LABELS,),
        "The mean and quantiles of a number in bins, with intervals for any place in the bins.",
        "binned",
        (
            Option(
                "at",
                list[float],
                [0.25, 0.5, 0.75],
                "Levels, such as 0.5 for the median.",
                limits={"max_length": 100, "ge": 0, "le": 1},
                argument="levels",
            ),
            _method(
                "How the shares of bins are estimated.",
                {LABELS: "discretion.labels.frequencies:METHODS"},
            ),
        ),
        document=f"{SHAPES}.numbers:Binned",
        methods_on_reports=("mle", "blind"),
        binned=True,
        amounts=(LABELS,),
    ),
    Statistic(
        "minimum",
        "discretion.numbers:minimum",
        (NUMBER,),
        "The lowest quantile of a number that the reports resolve.",
        "minima",
        document=f"{SHAPES}.numbers:Minimum",
        amounts=(NUMBER,),
    ),
    Statistic(
        "maximum",
        "discretion.numbers:maximum",
        (NUMBER,),
        "The highest quantile of a number that the reports resolve.",
        "maxima",
        document=f"{SHAPES}.numbers:Maximum",
        amounts=(NUMBER,),
    ),
    Statistic(
        "joint",
        "discretion.joints:joint",
        (LABELS, NUMBER),
        "A joint table of some attributes. It reads all reports, while more arrive.",
        "joints",
        (
            _method("How it is estimated.", {LABELS: "discretion.joints.methods:METHODS"}),
            _BINS,
            _CALIBRATE,
        ),
        answer=f"{ANSWERS}:joint_answer",
        document=f"{SHAPES}.shares:Joint",
        beside=MARGINS,
        several=True,
        reports=True,
    ),
    Statistic(
        "compare",
        "discretion.comparisons:compare",
        (LABELS, NUMBER),
        "Whether two rounds of different people answer alike, and how far they differ.",
        "comparisons",
        (
            Option(
                "different_owners",
                bool,
                False,
                "Whether it is certain that nobody answered both: rounds are refused otherwise.",
            ),
            _CALIBRATE,
        ),
        document=f"{SHAPES}.shares:Differences",
        span=TWO_CROWDS,
        command="compare FIRST SECOND",
        amounts=(NUMBER,),
    ),
    Statistic(
        "change",
        "discretion.trends:change",
        (LABELS, NUMBER, SET),
        "How far a round differs from an earlier one, also where the same owners answered both.",
        "changes",
        (
            Option("earlier", int, 0, "The earlier round.", limits=_ROUND),
            Option("later", int, 1, "The later round.", limits=_ROUND),
        ),
        document=f"{SHAPES}.shares:Differences",
        span=CHANGE,
        groups_on_reports=True,
        command="change REPORTS --from 3 --to 7",
        amounts=(NUMBER,),
    ),
    Statistic(
        "series",
        "discretion.trends:series",
        (LABELS, NUMBER, SET),
        "How estimates develop over all rounds:"
        " by round, online and smoothed, and where they changed.",
        "series",
        document=f"{SHAPES}.shares:Series",
        span=ALL_ROUNDS,
        command="series REPORTS",
        amounts=(NUMBER,),
    ),
    Statistic(
        "fits",
        "discretion.comparisons:fits",
        (LABELS,),
        "Whether the frequencies of an attribute are stated shares.",
        "fits",
        (
            Option(
                "shares",
                list[float],
                [],
                "A share for each value, in the order of the plan; their sum is 1.",
                limits={"max_length": 1000, "ge": 0, "le": 1},
                needed=(LABELS,),
            ),
            _CALIBRATE,
        ),
        document=f"{SHAPES}.shares:Differences",
    ),
    Statistic(
        "screening",
        "discretion.robustness:screen",
        (LABELS, NUMBER, SET, MAP),
        "Which groups of reports do not look like what honest devices send.",
        "screenings",
        document=f"{SHAPES}.checks:Screening",
        intervals=False,
    ),
):
    register(_statistic)
