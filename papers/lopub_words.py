"""The words of the LoPub page."""

from discretion.synthesis.papers.model import MOST_CELLS
from papers.lopub import Scope
from papers.lopub_published import CITATION
from papers.lopub_trial import SETS


def head(scope: Scope, first: int) -> str:
    """Return what stands above everything else."""
    return f"""
# LoPub: the paper's methods beside ours

Written by `python -m papers lopub`, never by hand. The paper: {CITATION}.

Owners tell all attributes of their record, with noise. LoPub sends Bloom filters with four hashes
whose bits are flipped with probability f/2; ours is subset selection. Every comparison is at the
same budget of the *record*. The data sets are Retail (which of the sixteen most frequent items a
basket holds), Adult (all 15 attributes, `?` kept as a value, numbers in at most eight bins) and, as
TPC-E is not to be had, Bank (17 attributes). Samples are as large as the paper's: 13,761, 4,522 and
4,521 records; the central table has all 48,842 of Adult.

The figures are means of {scope.runs} runs, the central table of {scope.census_runs}; seeds are from
{first} on; ± is one standard error over runs. Seconds are those of processors, not of a clock.

- `Lasso`, `EM`, `Lasso+EM`: the paper's Algorithms 2, 1 and 3, mended where the print cannot be
  meant ([what the papers do](../joint-papers.md)), with its thresholds (phi = 0.25 on Retail, else
  0.4) and filters (32 and 128 bits)
- `EM, phi = 0.1`: the same EM with more edges than the paper allows it; it does better so
- `ours, equal split`: `publish` on reports with the same level for all attributes
- `ours, personal budgets`: the same total for every record, divided by each owner at random
  (Dirichlet); levels are known to the server

AVD is the paper's average variant distance: total variation, half the sum of absolute differences.
"""


PAIRS = """
What is published about the 105 pairs, against all 48,842 records. LoPub's EM runs on each pair. It
has one maximum, but near it the table is mostly noise, so that *earlier* is often better: the
paper's rule stops by a step that is small, not by what is known. The bars are held against EM when
nothing more is gained, and against whichever of these stops is best, which nobody could know
without the records. (Passes are accelerated ones, but for the paper's rule.) The dotted line is
what the true marginals alone would give: above it, what is published about pairs is worse than
saying nothing about dependence.

How much of this is due to what? From four hashes to one: filters waste budget. From one hash to the
equal split: subset selection, and one model for all pairs instead of 105 tables. From the equal
split to personal budgets: owners who put much into few attributes tell more about pairs of those
than owners who spread it. So a part of the gain is that budgets are *unequal*, not that the
estimator is better. LoPub as published has one level for everybody.
"""

BUDGETS = """
The paper states the budget of one attribute and says that more attributes cost nothing more. By its
own Definition 1, about records, they do: 2 h ln((2 - f) / f) for each. At f = 0.5 a record of Adult
has 131.8, which is no privacy to speak of; 0.9 is the least budget that the paper tries.
"""

TABLES = f"""
{SETS[2]} pairs and {SETS[3]} triples, drawn at random; the paper's estimators take each by itself,
ours are read off the model of the whole record. The paper has curves here, and in its text two
numbers, of Retail with k = 3 and 5: EM errs by up to 0.28, Lasso by about 0.1 whatever f. Lasso
sees marginals only: it cannot find dependence, however small f is.
"""

TIMES = """
Lasso looks at counts, EM at reports, and both at one table. Ours is the time of the model of *all*
attributes, whatever tables are asked for; the model answers these in milliseconds. The paper's EM
takes about a thousand times as long as its Lasso; here, where EM is compiled, both take about as
long.
"""

DEPENDENCE = """
Which pairs have a mutual information of at least LoPub's threshold, of all pairs: told rightly,
added wrongly, lost. Few pairs have, so that saying *none* is right for most: see what is lost. Ours
are edges of the calibrated test whose strength, without what noise alone gives, is above the same
threshold.
"""

SHUFFLED = """
Every column in a random order of its own, f = 0.9: no pair depends on another. LoPub's mutual
information is compared with two thresholds; ours has none, any pair that the test calls dependent
counts (with a false discovery rate of 5 % at most: mostly none). That EM finds next to nothing here
is no merit: by its rule it stops so early that it finds next to nothing in the real records either.
"""

PRUNING = """
Dependencies found after pruning, of those without (and the part lost); pairs estimated, of all (and
the part saved). Dependencies are counted twice, as in a matrix. The pairs saved follow from phi
alone: C(m, 2) with m = d (1 - phi) rounded, which is how Tables 7 and 9 were counted, though the
algorithm prints a floor; TPC-E at 0.4 and 0.5 fits neither. On Retail pairs with a pruned attribute
are supposed to depend. Its printed 256 = 16 x 16 counts each attribute as dependent on itself, its
240 = 16 x 15 does not: the negative losses at 0.1 and 0.15 are that and nothing else. Ratios are
worked out from the counts; at 0.3 the paper prints a reduction of 0.512 there, a slip.
Which records the paper counted is not said, so the numbers of dependencies are not comparable.
"""

MODEL = f"""
The same distances for what a whole model says: LoPub's tables of cliques joined along a tree (of
at most {MOST_CELLS:,} cells; weaker edges are left out until they fit), and ours.
"""

CLASSIFIERS = """
A random forest with each attribute in turn as the target, and a linear support vector machine for
those with two values, learn from synthetic rows and are asked about real records that did not
report. The mean over targets. At f = 0.5 hardly anything is hidden, and a classifier needs little
more than the strongest dependencies: EM with enough edges comes about as far as ours there.
"""

OVERALL = """
From reports to a model. Ours tests all pairs, fits all tables to all reports together and learns
how much to shrink each, which costs seconds.
"""

DIFFERENCES = """
## What differs from the paper

- The paper's budget is that of one attribute. Here it is composed over the record, for all.
- Its likelihood is printed without the value (Algorithms 1 and 3) and then EM would never leave its
  start. Mended. So are its pruning (rounded, not down) and its sampling, which goes along the edges
  of the junction tree; separators are those of the parent.
- Large cliques are made smaller by leaving out weak edges. The paper says that its EM did not
  finish on more than three attributes of Adult, and not what it did then.
- Retail is 88,162 baskets with their sixteen most frequent items; the paper has 27,522 records, and
  does not say which. Half of that number is drawn here, as it did. Adult has 48,842 records, of
  which the paper dropped those with a missing value.
- The paper's curves cannot be read to more than a digit. What is printed as a number is quoted.
"""
