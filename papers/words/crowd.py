"""Texts that nobody listed: ``python -m experiments.discovery [SETTING ...] [--runs N]``.

``words``   words of the texts in ``--said``, as frequent as there, with a code made of Python's own
            sources: recall of the 32 most frequent, texts that nobody said, squared error of found
            shares and coverage of intervals, end to end, at one level each
``unseen``  the same for words that do not occur in those sources
``mixed``   the words with levels .5, 1, 2 and 4 at random
``keys``    random keys of six characters, as frequent as the words, with ``code: bits``
``nobody``  every owner says a text of her own: how often anything is found

Beside them published methods, which ``experiments.published`` describes, in the same crowds.
"""

import argparse
import sysconfig
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

import discretion as ds
from discretion.cli.authoring import WORD
from discretion.plan import Plan
from experiments.published import METHODS, Method, Texts

SEED, RUNS, OWNERS, TOP = 20261119, 20, 100_000, 32
FEW_OWNERS = 5_000  # of whom each says a text of her own
LEVELS = (1, 2, 4)
MIXED = [0.5, 1, 2, 4]
LETTERS, LETTER_BITS = 12, 5
SHORT, LONG = 3, LETTERS
KEY, PRINTABLE = 6, (33, 127)  # bytes of a random key: with the one that ends it, all that fit
DOCS = str(Path(__file__).parents[1] / "docs" / "*.md")
Counts = npt.NDArray[np.int64]


def words_of(files: Iterable[str]) -> Counter[str]:
    """Count the words of files: letters of ASCII, in small ones."""
    found: Counter[str] = Counter()
    for name in files:
        words = WORD.findall(Path(name).read_text(encoding="utf-8", errors="ignore").lower())
        found.update(w for w in words if w.isascii() and SHORT <= len(w) <= LONG)
    return found


@dataclass(frozen=True)
class World:
    """What people say, and the texts that the code is made of."""

    said: Sequence[str]
    shares: npt.NDArray[np.float64]
    public: Counter[str]  # nothing: the code is of bits
    texts: Texts  # what is said, as published methods take it

    @classmethod
    def of(cls, said: str, *, unseen: bool) -> "World":
        public = words_of(sorted(glob(f"{sysconfig.get_path('stdlib')}/**/*.py", recursive=True)))
        counts = {w: n for w, n in words_of(sorted(glob(said))).items() if n > 1}
        kept = {w: n for w, n in counts.items() if not unseen or w not in public}
        shares = np.array([*kept.values()], np.float64)
        codes = np.array([_letters(word) for word in kept], np.uint64)
        return cls([*kept], shares / shares.sum(), public, Texts(codes, LETTERS, LETTER_BITS))

    @classmethod
    def of_keys(cls, like: "World", seed: int) -> "World":
        """Return keys of random characters that are said as often as the words are."""
        drawn = np.random.default_rng(seed).integers(*PRINTABLE, (len(like.said), KEY))
        said = ["".join(map(chr, key)) for key in drawn.tolist()]
        codes = np.array([int.from_bytes(key.encode(), "big") for key in said], np.uint64)
        return cls(said, like.shares, Counter(), Texts(codes, KEY, 8))

    def plan(self, levels: Sequence[float]) -> Plan:
        discover: dict[str, object] = {"code": "bits", "bits": 8 * (KEY + 1)}
        if self.public:
            discover = {"code": ds.public_code(self.public.elements()).document}
        asked = [{"name": "word", "kind": "text", "discover": discover}]
        return Plan.of({"name": "w", "attributes": asked, "budget": {"levels": list(levels)}})


@dataclass
class Score:
    """What was found, run by run."""

    recall: list[float] = field(default_factory=list)
    said: list[float] = field(default_factory=list)  # the share of what is listed that was said
    errors: list[float] = field(default_factory=list)  # squared, of found shares of the top
    false: list[int] = field(default_factory=list)
    covered: list[bool] = field(default_factory=list)

    def add(self, counts: Counts, found: Counts, shares: npt.NDArray[np.float64]) -> None:
        """Add a run: the index of each text that is listed, -1 for one that is nobody's."""
        top = set(np.argsort(-counts, kind="stable")[:TOP].tolist())
        own = [i >= 0 and counts[i] > 0 for i in found.tolist()]
        self.recall.append(len(top & set(found.tolist())) / TOP)
        self.said.append(float(np.mean(own)) if own else 1.0)
        self.false.append(len(own) - sum(own))
        pairs = zip(found.tolist(), shares.tolist(), strict=True)
        self.errors += [(share - counts[i] / counts.sum()) ** 2 for i, share in pairs if i in top]

    def __str__(self) -> str:
        spread = np.std(self.recall) / max(len(self.recall), 1) ** 0.5
        error = np.mean(self.errors) * 1e6 if self.errors else np.nan
        line = f"{np.mean(self.recall):8.3f} +-{spread:6.3f}{np.mean(self.said):8.3f}{error:10.2f}"
        return line + (
            f"{np.mean(self.covered):9.3f} of {len(self.covered)}" if self.covered else ""
        )


def ours(world: World, plan: Plan, runs: int, seed: int) -> tuple[Score, list[Counts]]:
    """Return how discovery does, end to end, and who said what in each run."""
    score, crowds, index = Score(), [], {text: i for i, text in enumerate(world.said)}
    for run in range(runs):
        rng = np.random.default_rng((seed, run))
        drawn = rng.choice(len(world.said), OWNERS, p=world.shares)
        records = pa.table({"word": pa.array(world.said).take(pa.array(drawn))})
        reports = ds.simulate(plan, records, budgets="levels", seed=int(rng.integers(1 << 31)))
        found = ds.discover(reports, "word")
        at = np.array([index.get(text, -1) for text in found.texts], np.int64)
        counts = np.bincount(drawn, minlength=len(world.said))
        score.add(counts, at, found.value)
        ends = zip(at.tolist(), found.interval(), strict=True)
        score.covered += [low <= world.shares[i] <= high for i, (low, high) in ends if i >= 0]
        crowds.append(counts)
    return score, crowds


def theirs(
    world: World, method: Method, crowds: Sequence[Counts], epsilon: float, seed: int
) -> Score:
    """Return how a published method does in the same crowds."""
    score, texts = Score(), world.texts
    index = {code: i for i, code in enumerate(texts.codes.tolist())}
    for run, counts in enumerate(crowds):
        rng = np.random.default_rng((seed, run))
        found, shares = method(texts, counts, epsilon, rng)
        score.add(counts, np.array([index.get(c, -1) for c in found.tolist()], np.int64), shares)
    return score


def _letters(text: str) -> int:
    code = 0
    for place in range(LETTERS):
        code = code << LETTER_BITS | (ord(text[place]) - 96 if place < len(text) else 0)
    return code


def nobody(world: World, runs: int, seed: int) -> int:
    """Return in how many runs anything is found where every owner says a text of her own."""
    plan, found = world.plan([1, 4]), 0
    for run in range(runs):
        rng = np.random.default_rng((seed, run))
        letters = rng.integers(97, 123, (FEW_OWNERS, 6))
        records = pa.table({"word": ["".join(map(chr, each)) for each in letters.tolist()]})
        reports = ds.simulate(plan, records, budgets="levels", seed=int(rng.integers(1 << 31)))
        said = Counter(records["word"].to_pylist())
        found += any(said[text] < 2 for text in ds.discover(reports, "word").texts)
    return found


def compared(world: World, levels: Sequence[float], runs: int, seed: int) -> None:
    """Print discovery beside PEM at each level."""
    print(f"{'':24}{'recall':>8}{'':9}{'said':>8}{'error^2':>10}{'covered':>9}   (error^2 x 1e6)")
    for level in levels:
        score, crowds = ours(world, world.plan([level]), runs, seed)
        print(f"discovery, epsilon {level:<5}{score}   false {sum(score.false)}", flush=True)
        for place, (name, method) in enumerate(METHODS.items()):
            own = theirs(world, method, crowds, level, seed + place)
            print(f"{name:24}{own}", flush=True)


def main() -> None:
    """Print what is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("settings", nargs="*", default=["words", "unseen", "mixed", "nobody"])
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--said", default=DOCS, help="files of texts that people say")
    parser.add_argument("--levels", type=float, nargs="*", default=LEVELS)
    given = parser.parse_args()
    for name in given.settings:
        world = World.of(given.said, unseen=name == "unseen")
        if name == "keys":
            world = World.of_keys(world, given.seed)
        print(
            f"{name}: {len(world.said):,} words, {given.runs} runs, seed {given.seed}", flush=True
        )
        if name == "nobody":
            found = nobody(world, given.runs, given.seed)
            print(f"anything found in {found} of {given.runs} runs of {FEW_OWNERS:,} owners")
        elif name == "mixed":
            print(ours(world, world.plan(MIXED), given.runs, given.seed)[0])
        else:
            compared(world, given.levels, given.runs, given.seed)


if __name__ == "__main__":
    main()
