"""Samples of published clients, as JSON: run by the Python of ``.venv-peers``, which has them."""

import json
import sys
from collections.abc import Callable
from math import exp

import opendp.prelude as dp
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Client
from pure_ldp.frequency_oracles import DEClient, RAPPORClient, RAPPORServer

COUNT, SIZE, BITS = 20_000, 8, 16


def main() -> None:
    """Print, for each client, its claim and what it returned for two inputs."""
    server = RAPPORServer(0.5, BITS, 1, SIZE, num_of_cohorts=1)
    hashed = server.get_hash_funcs()[0][0]
    rappor = RAPPORClient(0.5, BITS, server.get_hash_funcs(), num_of_cohorts=1)
    other = next(x for x in range(SIZE) if hashed(str(x)) != hashed("0"))
    direct = DEClient(1.0, SIZE)
    dp.enable_features("contrib")
    keep = exp(1) / (exp(1) + SIZE - 1)
    response = dp.m.make_randomized_response(list(range(SIZE)), keep)
    clients: dict[str, tuple[float, Callable[[int], object]]] = {
        "rappor": (server.epsilon, lambda x: [int(bit) for bit in rappor.privatise(x + 1)[0]]),
        "subset": (1.0, lambda x: [int(code) for code in SS_Client(x, SIZE, 1.0)]),
        "direct": (1.0, lambda x: int(direct.privatise(x + 1))),
        "grr": (1.0, lambda x: int(GRR_Client(x, SIZE, 1.0))),
        "opendp": (response.map(1), response),
    }
    found = {
        name: [float(claim), [[client(x) for _ in range(COUNT)] for x in (0, other)]]
        for name, (claim, client) in clients.items()
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
