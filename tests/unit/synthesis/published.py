"""Small crowds and what is published from them: gaps, unequal budgets, numbers, odd labels."""

from dataclasses import replace
from functools import cache

import numpy as np
import pyarrow as pa

from discretion.crowd import simulate
from discretion.plan import Plan
from discretion.synthesis import Model, Publication, publish
from discretion.synthesis.model import Clique

N = 4000
ODD = '<b>&"'  # a label that must be escaped
BUDGET = {"average": 3, "least": 0.5, "most": 9}


def town_plan() -> Plan:
    """Labels, two of them only, a number in declared bins, a number, and one that few share."""
    return Plan.of(
        {
            "name": "a <small> town",
            "attributes": [
                {"name": "home", "kind": "categorical", "values": [ODD, "flat", "house"]},
                {"name": "car", "kind": "categorical", "values": ["no", "yes"]},
                {
                    "name": "hours",
                    "kind": "numeric",
                    "range": [0, 40],
                    "step": 1,
                    "bins": [0, 10, 20, 40],
                },
                {"name": "pay", "kind": "numeric", "range": [0, 100], "step": 1},
                {"name": "pet", "kind": "categorical", "values": ["cat", "dog", "fish", "none"]},
            ],
            "budget": BUDGET,
        }
    )


def town_records(n: int = N, seed: int = 5) -> pa.Table:
    """Home, car, hours and pay depend on each other; pets on nothing, and few tell; no fish."""
    rng = np.random.default_rng((seed, 1))
    wealth = rng.standard_normal(n)
    home = np.searchsorted([-0.5, 0.6], wealth + 0.5 * rng.standard_normal(n))
    car = (wealth + 0.5 * rng.standard_normal(n) > 0.2).astype(int)
    hours = np.clip(20 + 9 * wealth + 6 * rng.standard_normal(n), 0, 40).round()
    pay = np.clip(50 + 18 * wealth + 8 * rng.standard_normal(n), 0, 100).round()
    pet = rng.choice(4, n, p=(0.3, 0.3, 0.0, 0.4))
    whole = {
        "home": np.array([ODD, "flat", "house"])[home],
        "car": np.array(["no", "yes"])[car],
        "hours": hours,
        "pay": pay,
        "pet": np.array(["cat", "dog", "fish", "none"])[pet],
    }
    gaps = {"home": 0.1, "car": 0.3, "hours": 0.2, "pay": 0.0, "pet": 0.95}
    return pa.table({k: pa.array(v, mask=rng.random(n) < gaps[k]) for k, v in whole.items()})


@cache
def town() -> Publication:
    reports = simulate(town_plan(), town_records(), budgets="dirichlet", seed=7)
    return publish(reports, rows=3000, seed=1)


@cache
def secret_town() -> Publication:
    labels = {"a": ["x", "y"], "b": ["x", "y", "z"], "c": ["x", "y"]}
    plan = Plan.of(
        {
            "name": "secret",
            "attributes": [
                {"name": k, "kind": "categorical", "values": v, "mechanism": "oue"}
                for k, v in labels.items()
            ],
            "budget": BUDGET,
            "allocation": "secret",
        }
    )
    rng = np.random.default_rng((3, 1))
    a = rng.choice(2, N)
    b = np.where(rng.random(N) < 0.6, a, rng.choice(3, N))
    codes = {"a": a, "b": b, "c": rng.choice(2, N, p=(0.2, 0.8))}
    frame = pa.table(
        {k: pa.array(np.array(labels[k])[v], mask=rng.random(N) < 0.2) for k, v in codes.items()}
    )
    return publish(simulate(plan, frame, budgets="dirichlet", seed=8), seed=1)


def all_apart(model: Model) -> Model:
    """The same attributes, taken as unrelated."""
    cliques = [
        Clique((index,), model.marginal((name,)), None if index == 0 else 0, ())
        for index, name in enumerate(model.names)
    ]
    return Model(model.columns, tuple(cliques))


def wrong() -> Publication:
    """A publication whose model knows no dependence at all."""
    return replace(town(), model=all_apart(town().model))
