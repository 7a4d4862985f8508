"""The peers, called as their documentation does; runs in ``.venv-peers``, where they live.

A pure-ldp server takes one report at a time, so it is fed in chunks as they arrive. The servers of
multi-freq-ldpy take the list of all reports. OpenDP has no server for categories. None of them has
a call for many owners at once.
"""

import random
from collections.abc import Callable, Mapping
from functools import partial
from math import exp
from typing import Any

import numpy as np

from benchmarks.cells import EPSILON, FAST, MULTI, NOISE, OPENDP, PURE, Cell
from benchmarks.measure import Codes, Measured, Seconds, Vector, repeated, serve, timed, zipf

CHUNK = 20_000  # reports that wait for a server that takes them one by one
FUNCTIONS = 1000  # of the fast variant
FEW = 10  # owners on whom multi-freq-ldpy compiles itself

Peer = Callable[[str, int, Codes], tuple[Seconds, Vector]]  # mechanism, codes there are, codes


def pure_ldp(mechanism: str, size: int, codes: Codes) -> tuple[Seconds, Vector]:
    """Perturb and aggregate chunk by chunk; values are counted from one, as its default has it."""
    client, server = _pure_pair(mechanism, size)
    return _chunked(client, server, size, codes)


def _pure_pair(mechanism: str, size: int) -> tuple[Any, Any]:
    """Return a client and its server, as the README makes them."""
    import pure_ldp.frequency_oracles as oracles

    unary, hashing = {"use_oue": mechanism == "oue"}, {"use_olh": mechanism == "olh"}
    match mechanism:
        case "grr":
            return oracles.DEClient(EPSILON, size), oracles.DEServer(EPSILON, size)
        case "oue" | "sue":
            client = oracles.UEClient(EPSILON, size, **unary)
            return client, oracles.UEServer(EPSILON, size, **unary)
        case "the":
            return oracles.HEClient(EPSILON, size), oracles.HEServer(EPSILON, size, use_the=True)
        case "olh" | "blh":
            client = oracles.LHClient(EPSILON, size, **hashing)
            return client, oracles.LHServer(EPSILON, size, **hashing)
        case "hrr":
            server = oracles.HadamardResponseServer(EPSILON, size)
            words = server.get_hash_funcs()
            return oracles.HadamardResponseClient(EPSILON, size, words), server
    raise ValueError(f"pure-ldp has no {mechanism}")


def pure_ldp_fast(_: str, size: int, codes: Codes) -> tuple[Seconds, Vector]:
    """Do local hashing with a thousand functions; to tabulate them is not counted."""
    from pure_ldp.frequency_oracles import FastLHClient, FastLHServer

    client = FastLHClient(EPSILON, size, FUNCTIONS, use_olh=True)
    server = FastLHServer(EPSILON, size, FUNCTIONS, use_olh=True)
    return _chunked(client, server, size, codes)


def multi_freq_ldpy(mechanism: str, size: int, codes: Codes) -> tuple[Seconds, Vector]:
    """Perturb one by one, then aggregate; the estimate is clipped at zero and scaled to one."""
    from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
    from multi_freq_ldpy.pure_frequency_oracles.HE import HE_Aggregator_MI, HE_Client
    from multi_freq_ldpy.pure_frequency_oracles.LH import LH_Aggregator_MI, LH_Client
    from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Aggregator_MI, SS_Client
    from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Aggregator_MI, UE_Client

    values = codes.tolist()
    calls: Mapping[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
        "grr": (
            lambda: [GRR_Client(x, size, EPSILON) for x in values],
            lambda reports: GRR_Aggregator_MI(reports, size, EPSILON),
        ),
        **{
            name: (
                lambda: [UE_Client(x, size, EPSILON, mechanism == "oue") for x in values],
                lambda reports: UE_Aggregator_MI(reports, EPSILON, mechanism == "oue"),
            )
            for name in ("oue", "sue")
        },
        **{
            name: (
                lambda: [LH_Client(x, size, EPSILON, mechanism == "olh") for x in values],
                lambda reports: LH_Aggregator_MI(reports, size, EPSILON, mechanism == "olh"),
            )
            for name in ("olh", "blh")
        },
        "the": (
            lambda: [HE_Client(x, size, EPSILON) for x in values],
            lambda reports: HE_Aggregator_MI(reports, size, EPSILON),
        ),
        "subset": (
            lambda: [SS_Client(x, size, EPSILON) for x in values],
            lambda reports: SS_Aggregator_MI(reports, size, EPSILON),
        ),
    }
    client, server = calls[mechanism]
    perturbing, reports = timed(client)
    serving, value = timed(lambda: server(reports))
    return {"client": perturbing, "server": serving}, np.asarray(value)


def opendp(_: str, size: int, codes: Codes) -> tuple[Seconds, Vector]:
    """Perturb one by one; what is counted here is to see that the answer is right."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    keep = exp(EPSILON) / (exp(EPSILON) + size - 1)
    other = (1 - keep) / (size - 1)
    client = dp.m.make_randomized_response(list(range(size)), keep)
    perturbing, reports = timed(partial(_each, client, codes.tolist()))
    told = np.bincount(reports, minlength=size) / len(codes)
    return {"client": perturbing}, (told - other) / (keep - other)


def _chunked(client: Any, server: Any, size: int, codes: Codes) -> tuple[Seconds, Vector]:
    values = (codes + 1).tolist()
    perturbing = counting = 0.0
    for start in range(0, len(values), CHUNK):
        spent, reports = timed(partial(_each, client.privatise, values[start : start + CHUNK]))
        perturbing += spent
        counting += timed(partial(server.aggregate_all, reports))[0]
    ask = partial(server.estimate_all, range(1, size + 1), suppress_warnings=True)
    estimating, counts = timed(ask)
    return {"client": perturbing, "server": counting + estimating}, np.asarray(counts) / len(codes)


def _each(call: Callable[[int], Any], values: list[int]) -> list[Any]:
    return [call(value) for value in values]


BY_NAME: Mapping[str, Peer] = {
    PURE: pure_ldp,
    FAST: pure_ldp_fast,
    MULTI: multi_freq_ldpy,
    OPENDP: opendp,
}


def measure(cell: Cell) -> Measured:
    """Compile what compiles itself, then perturb, count and estimate."""
    random.seed(NOISE)
    np.random.seed(NOISE)  # noqa: NPY002 - the generators that the peers use
    peer, codes = BY_NAME[cell.who], zipf(cell)
    peer(cell.mechanism, cell.size, codes[:FEW])
    return repeated(lambda: peer(cell.mechanism, cell.size, codes), codes, cell.size)


if __name__ == "__main__":
    serve(measure)
