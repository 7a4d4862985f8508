"""Sets and maps over HTTP and on the pages: shares, means, and an item as an attribute."""

import json
from collections.abc import Iterator
from urllib.parse import quote

import pyarrow as pa
import pytest

import discretion as ds
from tests.collector.crowds import eventually
from tests.collector.serving import Server
from tests.plans import shop

N = 400
SEED = 20261121


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    plan, folder = shop(), tmp_path_factory.mktemp("shop")
    first, second, *_ = plan.attributes["basket"].labels
    frame = pa.table(
        {
            "basket": [[first], [first, second]] * (N // 2),
            "stars": pa.array([[("a", 1.0 + i % 5)] for i in range(N)], MAP),
            "mode": ["car", "bus"] * (N // 2),
            "home": ["town", "country"] * (N // 2),
        }
    )
    reports = ds.simulate(plan, frame, budgets="levels", ranges="menu", seed=SEED)
    with Server(folder, plan) as running:
        running.upload(*(report.to_bytes() for report in reports.to_reports()))
        yield running


MAP = pa.map_(pa.string(), pa.float64())


def found(server: Server, path: str) -> dict[str, object]:
    reply = server.get(f"/v1/{path}")
    assert reply.status == 200, reply.body
    document: dict[str, object] = reply.json()
    return document


def test_shares_sizes_means_and_margins_are_answered(server: Server) -> None:
    item = shop().attributes["basket"].labels[0]
    basket = found(server, "frequencies?attribute=basket")
    assert {"frequencies", "sizes", "margins", "weights"} <= basket.keys()
    stars = found(server, "maps?attribute=stars&method=stratified")
    assert [row["key"] for row in stars["keys"]] == ["a", "b", "c"]  # type: ignore[attr-defined]
    assert {"margins", "weights", "centre"} <= stars.keys()
    refused = server.get("/v1/maps?attribute=stars&given=a")
    assert (refused.status, "reports of one code" in refused.body.decode()) == (422, True)
    own = quote(f"basket:{item}")
    assert len(found(server, f"frequencies?attribute={own}")["frequencies"]) == 2  # type: ignore[arg-type]
    found(server, f"joints?attributes={own}&attributes=mode")
    assert found(server, f"frequencies?attribute=mode&by={own}")["by"] == f"basket:{item}"
    assert (
        "among its items"
        in json.loads(server.get("/v1/frequencies?attribute=basket:x").body)["detail"]
    )


def test_the_dashboard_has_a_card_for_each(server: Server) -> None:
    def page() -> str:
        return server.get("/dashboard").body.decode()

    assert eventually(lambda: 'http-equiv="refresh"' not in page())
    assert "share_stderr" in page()
    assert "basket" in page()
