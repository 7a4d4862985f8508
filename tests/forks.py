"""One process for each that runs tests, from which servers and Dask's workers are forked.

To import what they need takes most of the time in which they start, and tests start many. It is
waited for at the end, so that the time of all that it forked counts with the tests.
"""

from importlib.util import find_spec
from multiprocessing import forkserver, get_context, util

import dask
from distributed.utils import get_mp_context

_NEEDED = ["discretion.cli.main", "discretion.collector.server", "discretion.collector.questions"]
_NEEDED += ["distributed", "discretion.engine.cluster", "discretion.synthesis"]

_DASK = {
    "distributed.worker.multiprocessing-method": "forkserver",
    "distributed.worker.profile.enabled": False,  # it looks at every worker 100 times a second
}

dask.config.set(_DASK)
get_mp_context()  # it names what Dask would have imported, once, before we do
FORKS = get_context("forkserver")
assert all(map(find_spec, _NEEDED))  # what is not there would be passed over without a word
FORKS.set_forkserver_preload(_NEEDED)
util.Finalize(None, forkserver._forkserver._stop, exitpriority=0)  # type: ignore[attr-defined]
