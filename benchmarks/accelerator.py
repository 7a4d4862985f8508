"""An accelerator: joint tables, models of whole records, and folders that stream through it.

    python -m benchmarks.accelerator [joint publish model stream] [--scale 0.01]

Makes its reports, compares what the device finds with what this process finds, and times it. Whole,
it is written for a device with 140 GB, where each part should end within ten minutes. Every time
stands beside what the same device needs at least, to read the packed reports once or for the bare
matrix products, at rates that are measured first. It needs NumPy, SciPy, Numba, PyArrow, narwhals
and JAX, and two packages that are Python alone: ``pip install --no-deps --target FOLDER networkx
threadpoolctl``, and PYTHONPATH=src:FOLDER.
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import jax
import numpy as np

from benchmarks import joint as tables
from benchmarks.cells import MILLION, NOISE
from benchmarks.claim import Claim, Section, tell
from benchmarks.measure import timed
from benchmarks.publication import ROWS, SIZES
from benchmarks.publication import crowd as records
from discretion import ReportFolder, publish
from discretion.engine.accelerator import JaxEngine
from discretion.engine.arrays import Coded, PackedBits
from discretion.estimate.noise import Vector
from discretion.family.sets.part import SetFactor
from discretion.joints import joint
from discretion.joints.build import likelihood_of
from discretion.joints.joint import MOST_CELLS
from discretion.joints.shards import ShardedEvidence
from discretion.joints.table_evidence import Evidence
from discretion.synthesis import wiring
from discretion.synthesis.likelihoods import Likelihoods, PackedCells
from discretion.synthesis.tree import Tree

FOUR = (16, 16, 16, 16)
COMPARED = 30_000  # reports that this process estimates too
FAR = 0.05  # standard errors that its tables may be away
LEVELS = np.exp(np.linspace(0.25, 6, 24))  # the ratios of a report's laws
PARTS = 1 << 18  # reports that are made at once
PASSES = 36  # of a fit to many reports: three rounds of twelve
JOINT, PUBLISH, FIT = 5.0, 3.0, 60.0  # seconds
SIDE, COPIED = 8192, 1 << 28  # of a matrix, and entries of a copy
TURNS = 5


def best(call: Callable[[], object]) -> float:
    """Return the least seconds of some calls, after one that compiles."""
    call()
    return min(timed(call)[0] for _ in range(TURNS))


def rates(scale: float) -> tuple[float, float]:
    """Return bytes per second of a copy, read and written, and products per second."""
    side, copied = int(SIDE * scale**0.25), int(COPIED * scale)
    matrix = jax.numpy.ones((side, side), np.float32)
    with jax.default_matmul_precision("highest"):
        product = jax.jit(lambda a: a @ a)
        products = best(lambda: product(matrix).block_until_ready())
    array = jax.numpy.ones(copied, np.float32)
    copy = jax.jit(lambda a: a + 1)
    copying = best(lambda: copy(array).block_until_ready())
    return 8 * copied / copying, side**3 / products


def of_tables(scale: float) -> Iterator[Claim]:
    """Yield what a table of 65,536 cells takes, and one evaluation of its likelihood."""
    few = tables.crowd(FOUR, COMPARED)
    one, other = (joint(each, list("abcd"), "mle") for each in (few, few.on("jax")))
    away = float((np.abs(other.value - one.value) / one.stderr).max())
    yield Claim(f"{COMPARED:,} reports, standard errors off", away, "allowed", FAR, 1.0, "")
    count = int(MILLION * scale)
    reports = tables.crowd(FOUR, count).on("jax")
    joint(reports, list("abcd"), "mle")
    seconds, _ = timed(lambda: joint(reports, list("abcd"), "mle"))
    yield Claim.up_to(JOINT, f"`mle`, {MOST_CELLS:,} cells, {count:,} reports", seconds)
    likelihood = likelihood_of(Evidence.of(reports, tuple("abcd")))
    start = np.full(MOST_CELLS, 1 / MOST_CELLS)
    evaluation = best(lambda: likelihood.slope(start))
    least = 2 * count * MOST_CELLS / rates(scale)[1]
    yield Claim("an evaluation of its likelihood", evaluation, "bare products", least)


def of_records(scale: float) -> Iterator[Claim]:
    """Yield what publication takes without files."""
    count = int(MILLION * scale)
    reports = records(count).on("jax")
    publish(reports, ROWS, seed=NOISE)
    seconds, found = timed(lambda: publish(reports, ROWS, seed=NOISE))
    cells = sum(clique.table.size for clique in found.model.cliques)
    yield Claim.up_to(PUBLISH, f"`publish`, {count:,} reports, {cells:,} cells", seconds)


def of_a_model(scale: float) -> Iterator[Claim]:
    """Yield what passes of a model over reports on the device take."""
    tree = Tree.of(SIZES, [(max(0, i - 1 - i % 3), i) for i in range(1, len(SIZES))])
    for count in (int(n * MILLION * scale) for n in (1, 10, 100)):
        engine = JaxEngine()
        kept = engine.keep(range(-(-count // PARTS)), partial(likelihoods, min(PARTS, count)))
        pass_ = partial(one_pass, tree, kept.fold)
        made, _ = timed(pass_)
        seconds = best(pass_)
        size = kept.nbytes
        what = f"a pass over {count:,} reports, {size / 1e9:.2f} GB packed"
        yield Claim(what, seconds, "reading them once", size / rates(scale)[0])
        yield Claim(f"making, placing and compiling for {count:,}", made)
    yield Claim.up_to(FIT, f"{PASSES} passes over {count:,} reports, a fit", PASSES * seconds)


def one_pass(tree: Tree, fold: Callable[..., tuple[float, Vector]]) -> tuple[float, Vector]:
    """Return the log-likelihood and posteriors under independence."""
    circuit = wiring.Circuit(tree, tuple((axis,) for axis in range(len(SIZES))))
    ends = np.cumsum([0, *SIZES])
    rows = tuple(slice(a, b) for a, b in pairwise(ends))
    each = zip(tree.cliques, tree.separators, strict=True)
    new = [np.prod(tree.sizes(own)) / np.prod(tree.sizes(above)) for own, above in each]
    tables = np.repeat(1 / np.array(new), np.diff(tree.first)).astype(np.float32)
    work = partial(wiring.passed_as_arrays, circuit.network, rows, tables, ())
    return fold(work)


def likelihoods(count: int, number: int) -> Likelihoods:
    """Return packed reports about all attributes, drawn for their size and not from a law."""
    rng = np.random.default_rng((NOISE, number))
    packed = []
    for size in SIZES:
        words = rng.integers(0, 256, (count, -(-size // 8)), np.uint8)
        ratios = Coded(LEVELS, rng.integers(0, len(LEVELS), count, np.uint8))
        factor = SetFactor(PackedBits(words, size), ratios)
        packed.append(PackedCells(factor, np.ones(count, np.bool_)))
    nothing = np.ones((0, count), np.float32)
    return Likelihoods(nothing, np.zeros((0, count), np.int32), packed=tuple(packed))


def streamed(scale: float) -> Iterator[Claim]:
    """Yield what an evaluation takes whose reports are read from files each time."""
    count = int(10 * MILLION * scale)
    most = max(1, count // (4 * PARTS))
    with TemporaryDirectory() as place:
        part = tables.crowd(FOUR[:3], count // most)
        folder = ReportFolder.write(Path(place) / "reports", (part for _ in range(most)))
        reading = best(lambda: folder.fold(list("abc"), len))
        there = folder.on(JaxEngine(room=1))
        evidence = ShardedEvidence(there, Evidence.of(part, tuple("abc")).axes, sharing=False)
        likelihood, cells = likelihood_of(evidence), evidence.cells
        seconds = best(lambda: likelihood.slope(np.full(cells, 1 / cells)))
    what = f"an evaluation of {cells:,} cells, {count:,} reports from files"
    yield Claim(what, seconds, "reading alone", reading)


MEASURED = {
    "joint": of_tables,
    "publish": of_records,
    "model": of_a_model,
    "stream": streamed,
}


def section(names: list[str], scale: float) -> Section:
    """Measure what is asked for."""
    device = jax.devices()[0]
    bandwidth, products = rates(scale)
    about = (
        f"{len(jax.devices())} x {device.device_kind}, JAX {jax.__version__}: copies"
        f" {bandwidth / 1e9:,.0f} GB/s, and multiplies {products / 1e12:.2f} x 10^12 pairs/s in"
        f" single precision. Sizes are {scale:g} of the whole. Best of {TURNS} after compilation."
    )
    claims = [claim for name in names for claim in MEASURED[name](scale)]
    return Section("Accelerator", about, claims)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accelerator")
    parser.add_argument("names", nargs="*", metavar="PART", help=", ".join(MEASURED))
    parser.add_argument("--scale", type=float, default=1.0, help="of the numbers of reports")
    given = parser.parse_args()
    tell(section(given.names or list(MEASURED), given.scale))
