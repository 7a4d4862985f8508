"""When to try again: exponential back-off with full jitter, as far as the collector allows.

Before the n-th retry a device waits a uniform time between 0 and ``first * 2**(n - 1)`` seconds, at
most ``ceiling``. What a collector asks for (Retry-After) is added in full: nobody comes earlier,
and those that were asked to come at one time do not all come then.
"""

import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long a device tries; its clocks, its sleep and its dice are arguments."""

    tries: int = 5  # of one message
    first: float = 1.0  # seconds: the longest first wait
    ceiling: float = 60.0  # seconds: the longest wait that is not asked for
    total: float = 180.0  # seconds for all messages together; a wait that ends later is not begun
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time  # what dates are compared with
    dice: Callable[[], float] = random.SystemRandom().random  # uniform on [0, 1)

    def wait(self, tried: int, asked: float | None = None) -> float:
        """Return how long to wait after so many tries, if the collector asked for so much."""
        bound = min(self.ceiling, self.first * 2 ** min(tried - 1, 60))
        return (asked or 0.0) + bound * self.dice()

    def asked(self, header: str | None) -> float | None:
        """Return the seconds that a Retry-After asks for: a number of them, or a date."""
        text = (header or "").strip()
        if _SECONDS.fullmatch(text):
            return float(text)
        try:
            date = parsedate_to_datetime(text)
            return max(0.0, date.replace(tzinfo=date.tzinfo or UTC).timestamp() - self.now())
        except (TypeError, ValueError, OverflowError):
            return None


class Attempts:
    """The attempts that a retry policy still allows, over all messages that are sent together."""

    def __init__(self, policy: RetryPolicy) -> None:
        self.policy = policy
        self.over = ""  # why it ended before all was sent
        self._end = policy.clock() + policy.total

    def again(self, tried: int, retry_after: str | None = None) -> bool:
        """Wait for the next try and return True; return False at once if there is none."""
        if tried >= self.policy.tries:
            return False
        wait = self.policy.wait(tried, self.policy.asked(retry_after))
        if self.policy.clock() + wait > self._end:
            return False
        self.policy.sleep(wait)
        return True
