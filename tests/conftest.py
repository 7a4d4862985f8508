"""What every test shares: a crowd's plan, its secret twin, and hypothesis with fixed seeds."""

import fcntl
import gc
from collections.abc import Generator
from pathlib import Path

import hypothesis
import pytest
from _pytest.terminal import TerminalReporter

from discretion.budget import Budget
from discretion.plan import Plan
from tests.plans import bundled_commuters, commuters, secret_commuters

pytest.register_assert_rewrite("tests.contract.conformance", "tests.contract.numbers")
NO_BROWSER = "Chromium is not installed"  # why tests of pages are skipped
NO_FIREFOX = "Firefox is not installed"
PACKAGES = {NO_BROWSER: "chromium-headless-shell", NO_FIREFOX: "firefox-esr"}  # of Debian

hypothesis.settings.register_profile(
    "fixed", max_examples=50, derandomize=True, deadline=None, database=None
)
hypothesis.settings.load_profile("fixed")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let one process compile the tests of a new checkout, and the others wait and read them.

    Nobody looks for cycles meanwhile: nearly all that is made stays, and looking takes a quarter.
    """
    gc.disable()
    with Path(__file__).open() as own:
        try:
            fcntl.flock(own, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(own, fcntl.LOCK_SH)
        return (yield)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Let Python look for cycles seldom, and not in what is collected: that takes a tenth less."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 20)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Say in the last lines how many tests wanted a browser that is not there."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if isinstance(reporter, TerminalReporter):
        skipped = reporter.getreports("skipped")
        for why, package in PACKAGES.items():
            if wanting := sum(why in str(report.longrepr) for report in skipped):
                how = f"to run them, install it (on Debian: apt-get install {package})"
                reporter.write_line(f"{wanting} browser tests skipped: {why}; {how}")


@pytest.fixture(scope="session")
def plan() -> Plan:
    return commuters()


@pytest.fixture(scope="session")
def secret_plan() -> Plan:
    return secret_commuters()


@pytest.fixture(scope="session")
def bundled_plan() -> Plan:
    return bundled_commuters()


@pytest.fixture(scope="session")
def budget(plan: Plan) -> Budget:
    """Unequal levels, and ``age`` not shared."""
    return Budget.of(plan, {"mode": 3.5, "income": 0.5})
