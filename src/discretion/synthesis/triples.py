"""What three attributes do together, beyond what a model of pairs implies: tested, one by one.

A model on a junction tree has terms for pairs. Each triple of its attributes is tested against the
reports about the three (``joints.interactions``): at the model's own table of them, whatever errors
of the table's pairs explain is taken off, so that what remains is what the model cannot express.
"""

from itertools import combinations
from math import comb

from discretion.engine import single_threaded
from discretion.joints.axes import Axis
from discretion.joints.interactions import Interaction, controlled, interaction, testable
from discretion.joints.shards import about
from discretion.synthesis.model import Model
from discretion.table import Reports
from discretion.table.sample import sampled

WORK = 1 << 24  # reports times triples: beyond, each triple is tested on a part of the reports
FEWEST = 4096  # reports that each is tested on at least
ORDER = 3


@single_threaded
def triples(reports: Reports, axes: tuple[Axis, ...], model: Model) -> tuple[Interaction, ...]:
    """Test all triples of which there are enough reports; with secret levels none can be."""
    if reports.plan.secret or len(axes) < ORDER:
        return ()
    sample = sampled(reports, max(WORK // comb(len(axes), ORDER), FEWEST))
    found = []
    for own in combinations(axes, ORDER):
        names = tuple(axis.name for axis in own)
        evidence = about(sample, own)
        if testable(evidence.shape, evidence.holding(range(ORDER))):
            found.append(interaction(evidence, model.marginal(names)))
    return controlled(found)
