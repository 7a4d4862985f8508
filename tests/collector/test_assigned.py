"""Hash functions that come with tokens: at the door of a collector, and over several rounds."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from discretion.budget import Budget
from discretion.collector.app import make_app
from discretion.collector.errors import SettingError
from discretion.collector.metrics import Metrics
from discretion.collector.settings import Settings
from discretion.collector.tokens import Role
from discretion.device import Device, Outcome, State, UploadClient
from discretion.errors import TokenNeeded
from discretion.mechanism import Hashed
from discretion.mechanism.assigned import assigned
from discretion.plan import Family
from tests.collector.crowds import assert_problem, counters, token_of
from tests.collector.serving import Server
from tests.plans import assigned_commuters, hashed_commuters

PLAN = assigned_commuters()
RECORD = {"mode": "bike", "home": "town"}
BUDGET = Budget.of(PLAN, {"mode": 3, "home": 1})
ALONE = Budget.of(PLAN, {"home": 1})
OTHERS = [f"other {number}" for number in range(100)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("assigned")
    with Server(folder, PLAN, open="analyse,operate", once=True) as running:
        yield running


def report_of(token: str, budget: Budget = BUDGET, round: int = 0) -> bytes:
    with State() as state:
        return Device(PLAN, state, token=token).report(RECORD, budget, round).to_bytes()


def with_another_function(token: str) -> str:
    """Return a token with other functions; of few values there are few, so two may share one."""

    def functions(own: str) -> list[int]:
        laws = {name: PLAN.questions[name].law(1000, Family.SETS) for name in PLAN.names}
        return [
            assigned(law, own, PLAN.id, name).function
            for name, law in laws.items()
            if isinstance(law, Hashed)
        ]

    pairs = ((other, zip(functions(token), functions(other), strict=True)) for other in OTHERS)
    return next(other for other, both in pairs if all(one != two for one, two in both))


def test_a_report_by_another_function_is_refused_and_counted(server: Server) -> None:
    mine = token_of(server, "mine", Role.UPLOAD)
    other = with_another_function(mine)
    before = counters(server)["refused"].get("other_function", 0)
    for body in (report_of(other), report_of("made up"), report_of(other, ALONE)):
        problem = assert_problem(server.upload(body, token=mine), 422, "refused")
        assert problem["reason"] == "other_function"
        assert "the hash function is not the one that comes with the token" in problem["detail"]
    own = report_of(mine)
    assert server.upload(own, token=mine).status == 201  # what is refused uses nothing up
    assert server.upload(own, token=mine).json() == {"outcome": "duplicate"}
    assert counters(server)["refused"]["other_function"] == before + 3


def test_each_report_of_many_is_judged_by_itself(server: Server) -> None:
    token = token_of(server, "many", Role.UPLOAD)
    bodies = [report_of("another"), b"{}", report_of(token), report_of(token)]
    found = server.upload(*bodies, token=token).json()
    assert found["outcomes"] == ["refused", "refused", "accepted", "refused"]
    reasons = [each["reason"] for each in found["refused"]]
    assert reasons == ["other_function", "missing_field", "credential_used"]


def test_a_device_brings_what_is_taken_round_after_round(server: Server, tmp_path: Path) -> None:
    token = token_of(server, "device", Role.UPLOAD)
    server.post("/v1/rounds", b'{"round":1}')
    with State(tmp_path / "owner.db") as state:
        for round in (0, 1):
            client = UploadClient(server.url, state, token=token)
            Device(client.plan(), state, token=token).report(RECORD, BUDGET, round)
            assert [each.outcome for each in client.deliver()] == [Outcome.ACCEPTED]
        assert state.spent() == BUDGET.total


def test_a_wrong_token_is_noticed_before_anything_is_drawn(server: Server) -> None:
    with State() as state, pytest.raises(TokenNeeded, match="another token is needed"):
        UploadClient(server.url, state, token="mistyped").plan()
    assert server.get("/v1/plan").status == 200
    assert_problem(server.get("/v1/plan", token_of(server, "ada", Role.ANALYSE)), 403, "forbidden")


def test_the_token_which_the_function_comes_from_is_not_kept(server: Server) -> None:
    token = token_of(server, "kept", Role.UPLOAD)
    assert server.upload(report_of(token), token=token).status == 201
    path = Path(server.store.removeprefix("sqlite:///"))
    files = list(path.parent.glob(f"{path.name}*"))
    assert files
    assert not any(token.encode() in each.read_bytes() for each in files)


def test_a_plan_that_assigns_functions_is_served_with_one_report_per_token_only() -> None:
    with pytest.raises(SettingError, match="once must be set where a plan assigns hash functions"):
        make_app({"": PLAN}, Settings.of(), Metrics())
    make_app({"": PLAN}, Settings.of(once=True), Metrics())
    make_app({"": hashed_commuters()}, Settings.of(), Metrics())
