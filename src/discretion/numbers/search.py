"""The furthest point that a test accepts, found with as few tests as may be.

A test says by how much a point is rejected: about in proportion to its distance from where it would
just be accepted. So the next point is where a line through the last ones says that this is (regula
falsi), and after some of them the middle of what is left. Tests are made of draws and may be
ragged: the point is then one that is accepted, next to one that is not.
"""

from collections.abc import Callable

PATIENCE = 6  # tests with an end to each side, after which what is left is halved
BEYOND = 1.1  # of where a line leads: a little further, so that the end is between two points
LEAP = 3  # times the distance of the last one, at most


def furthest(beyond: Callable[[int], float], most: int, guess: int) -> int:
    """Return the largest of 0 to most at which ``beyond`` is not above 0, as it is not at 0."""
    inside, outside = (0, beyond(0)), (most + 1, 0.0)  # and by how much they are beyond
    origin, wanted, tests = inside[1], float(guess), 0
    while outside[0] - inside[0] > 1:
        point = int(min(max(wanted, inside[0] + 1), outside[0] - 1))
        found = beyond(point)
        if found > 0:
            outside = point, found
        else:
            inside = point, found
        tests += outside[1] > 0
        if tests > PATIENCE:
            wanted = (inside[0] + outside[0]) / 2
        elif outside[1] > 0:
            wanted = _crossing(inside, outside)
        else:
            wanted = min(BEYOND * _crossing((0, origin), inside), LEAP * point)
    return inside[0]


def _crossing(one: tuple[int, float], other: tuple[int, float]) -> float:
    """Return where the line through two points is zero; infinity if it does not rise."""
    rise = (other[1] - one[1]) / (other[0] - one[0])
    return one[0] - one[1] / rise if rise > 0 else float("inf")
