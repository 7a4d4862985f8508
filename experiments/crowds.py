"""The crowds that are measured: attributes of one size, unequal budgets, partial records."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa

import discretion as ds

Vector = npt.NDArray[np.float64]
TIERS = (0.5, 1.0, 2.0, 4.0)
PLDP = {"average": 2, "least": 0.25, "most": 6}  # the budgets of the PLDP paper, on a quarter grid
ATTRIBUTES = 4


def plan(
    mechanism: str, size: int, budget: object, attributes: int, *, secret: bool = False
) -> ds.Plan:
    """Return a plan of like attributes a0, a1, ..."""
    values = [str(code) for code in range(size)]
    common = {"kind": "categorical", "values": values, "mechanism": mechanism}
    return ds.Plan.of(
        {
            "name": f"{mechanism} {size}",
            "attributes": [{"name": f"a{j}", **common} for j in range(attributes)],
            "budget": budget,
            "allocation": "secret" if secret else "disclosed",
        }
    )


def tiers(mechanism: str, truth: Vector, owners: int, seed: int) -> ds.ReportTable:
    """Ask one attribute; a quarter of the owners has each of four budgets."""
    rng = np.random.default_rng(seed)
    records = {"a0": _answers(rng, truth, owners)}
    budgets = {"a0": np.resize(TIERS, owners)}
    agreement = plan(mechanism, len(truth), {"levels": list(TIERS)}, 1)
    return ds.simulate(agreement, records, budgets=budgets, seed=seed)


def dirichlet(
    mechanism: str,
    truth: Vector,
    owners: int,
    seed: int,
    *,
    share: object = "all",
    missing: float = 0.0,
    secret: bool = False,
) -> ds.ReportTable:
    """Ask four attributes; every owner divides her allowance at random among those she shares."""
    rng = np.random.default_rng(seed)
    names = [f"a{j}" for j in range(ATTRIBUTES)]
    records = {name: _answers(rng, truth, owners, missing) for name in names}
    agreement = plan(mechanism, len(truth), PLDP, ATTRIBUTES, secret=secret)
    return ds.simulate(agreement, records, budgets="dirichlet", share=share, seed=seed)


def _answers(
    rng: np.random.Generator, truth: Vector, owners: int, missing: float = 0.0
) -> pa.Array:
    codes = rng.choice(len(truth), owners, p=truth)
    return pa.array(codes.astype(str), mask=rng.random(owners) < missing)
