"""Runs of minutes: whether intervals hold what they promise, and what partial records are worth."""

from functools import reduce

import numpy as np
import pyarrow.compute as pc
import pytest

from discretion.joints import joint
from discretion.table import ReportTable
from tests.unit.joints.crowds import crowd, dependent, plan_of, total_variation

SAMPLES, OWNERS, SEED = 200, 20_000, 4_000
LEAST = 100  # owners in a cell: below, the normal law is not what a rare cell follows
LOW, HIGH = 0.92, 0.98

CASES = [
    ("mle", (4, 5), False),
    ("mle", (3, 3, 3), False),
    ("tensor", (4, 5), False),
    ("tensor", (3, 3, 3), False),
    ("tensor", (4, 5), True),
    ("blind", (4, 5), True),
    ("blind", (3, 3, 3), True),
    ("map", (3, 3, 3), False),
]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
@pytest.mark.parametrize("method, sizes, secret", CASES)
def test_intervals_hold_the_truth_as_often_as_they_say(
    method: str, sizes: tuple[int, ...], secret: bool
) -> None:
    """Dirichlet budgets, a fifth of all values missing, dependent attributes."""
    mechanisms = "oue" if secret else ("subset", "oue", "grr")[: len(sizes)]
    plan, f = plan_of(sizes, mechanisms, secret=secret), dependent(sizes)
    common, hits, z = OWNERS * f > LEAST, [], []
    for seed in range(SEED, SEED + SAMPLES):
        estimate = joint(crowd(plan, f, OWNERS, seed), tuple(plan.attributes), method)
        low, high = np.moveaxis(estimate.interval(), -1, 0)
        hits.append(((low <= f) & (f <= high))[common])
        z.append(((estimate.centre - f) / estimate.stderr)[common])
    share, per_cell = float(np.mean(hits)), np.mean(hits, axis=0)
    print(
        f"\n{method} {sizes} {'secret' if secret else 'disclosed'}: seeds {SEED} to "
        f"{SEED + SAMPLES - 1}, {common.sum()} of {f.size} cells: coverage {share:.4f}, "
        f"least of a cell {per_cell.min():.3f}, mean z {np.mean(z):.3f}, rms z {np.std(z):.3f}"
    )
    assert LOW <= share <= HIGH


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
@pytest.mark.parametrize("strength, most", [(5.0, 0.9), (1.5, 1.0)], ids=["strong", "weak"])
def test_pooling_all_reports_beats_those_that_hold_both(strength: float, most: float) -> None:
    """Each owner shares three of five attributes; three in ten hold a given pair.

    Who holds one of the two sharpens its marginal, and nothing else at the uniform law: there, with
    20 interactions and 9 terms of marginals, pooling can gain a few per cent only. Where attributes
    depend so strongly that most cells are nearly empty, marginals bound the cells.
    """
    sizes = (5, 6, 3, 4, 3)
    plan, f = plan_of(sizes, "subset"), dependent(sizes, strength=strength)
    truth, errors = f.sum(axis=(2, 3, 4)), []
    for seed in range(SEED, SEED + 20):
        reports = crowd(plan, f, OWNERS, seed, missing=0.0, share=3)
        both = reports.data.filter(
            pc.and_(pc.is_valid(reports.data["a.y"]), pc.is_valid(reports.data["b.y"]))
        )
        complete = ReportTable(plan, both, simulated=True)
        errors.append(
            [
                total_variation(joint(each, ("a", "b"), "mle").value, truth)
                for each in (reports, complete)
            ]
        )
    pooled, alone = np.mean(errors, axis=0)
    print(
        f"\nstrength {strength}, seeds {SEED} to {SEED + 19}: total variation {pooled:.4f} pooled, "
        f"{alone:.4f} from complete pairs, ratio {pooled / alone:.3f}"
    )
    assert pooled <= most * alone


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
@pytest.mark.parametrize(
    "wanted, method", [(("a", "b"), "map"), (("a", "b", "c"), "mle")], ids=["pair", "triple"]
)
def test_pooling_everything_shared_beats_complete_records(
    wanted: tuple[str, ...], method: str
) -> None:
    """Each owner shares three of five attributes.

    A pair comes from the model of all five, whose other interactions inform it too; of a
    triple's reports only one in ten is complete.
    """
    sizes = (5, 6, 3, 4, 3)
    plan, f = plan_of(sizes, "subset"), dependent(sizes, strength=2.5)
    truth = f.sum(axis=tuple(range(len(wanted), 5)))
    asked = plan.names if method == "map" else wanted
    errors = []
    for seed in range(SEED, SEED + 10):
        reports = crowd(plan, f, OWNERS, seed, missing=0.0, share=3)
        held = reduce(pc.and_, (pc.is_valid(reports.data[f"{name}.y"]) for name in wanted))
        complete = ReportTable(plan, reports.data.filter(held), simulated=True)
        pooled = joint(reports, asked, method).marginal(wanted)
        alone = joint(complete, wanted, method)
        errors.append([total_variation(each.value, truth) for each in (pooled, alone)])
    pooled_error, alone_error = np.mean(errors, axis=0)
    print(
        f"\n{wanted}, {method}, seeds {SEED} to {SEED + 9}: total variation {pooled_error:.4f} "
        f"pooled, {alone_error:.4f} from complete records, ratio {pooled_error / alone_error:.3f}"
    )
    assert pooled_error <= 0.85 * alone_error
