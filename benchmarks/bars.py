"""What is claimed, as data: how many times faster than whom, and how little of what."""

from dataclasses import dataclass

from benchmarks.cells import SIZES

NUMPY, PEER = "NumPy", "peer"  # the peer that is faster at the step
WIDE = (128, 1024)

MOST_MB = 1000
MOST_MLE_SECONDS = 10
SLOPES = (0.9, 1.1)
CURVED = ("mle errors",)  # a dense covariance: the square of the codes, by its nature


@dataclass(frozen=True, slots=True)
class Bar:
    """At a step of these mechanisms and sizes, the rival takes at least so many times as long."""

    step: str
    mechanisms: tuple[str, ...]
    sizes: tuple[int, ...]
    rival: str
    least: float

    def applies(self, step: str, mechanism: str, size: int) -> bool:
        return step == self.step and mechanism in self.mechanisms and size in self.sizes


BARS = (
    Bar("client", ("oue",), WIDE, NUMPY, 3),
    Bar("client", ("oue",), WIDE, PEER, 20),
    Bar("count", ("oue",), WIDE, NUMPY, 5),
    Bar("count", ("oue",), WIDE, PEER, 10),
    Bar("client", ("grr",), SIZES, NUMPY, 1),
    Bar("client", ("grr", "subset"), SIZES, PEER, 10),
    Bar("count", ("grr", "subset"), SIZES, PEER, 10),
    Bar("server", ("grr", "subset"), SIZES, PEER, 10),
)


def verdict(step: str, mechanism: str, size: int, times: dict[str, float]) -> str:
    """Return the bars of a row and whether each is met; ``times`` are the rivals' ratios."""
    bars = [bar for bar in BARS if bar.applies(step, mechanism, size)]
    return "; ".join(
        judged(f"{bar.rival} ≥ {bar.least:g}", times[bar.rival] >= bar.least)
        if bar.rival in times
        else f"**{bar.rival}: not measured**"
        for bar in bars
    )


def judged(bar: str, met: bool, how: str = "") -> str:
    """Write a bar so that a missed one cannot be overlooked."""
    return f"{bar}: met" if met else f"**{bar}: missed{how}**"


def straight(step: str, slope: float) -> str:
    """Judge a slope on logarithmic axes: one is a straight line."""
    if step in CURVED:
        return ""
    low, high = SLOPES
    how = ", grows slower" if slope < low else ", grows faster"
    return judged(f"{low} to {high}", low <= slope <= high, how)
