"""Nothing but the upload depends on the answers: no request, no order of them, no moment."""

import random
from io import BytesIO
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Request, Route

from discretion.plan import Plan
from tests.browser.owner import Owner
from tests.collector.serving import Server
from tests.golden.make import sealed
from tests.plans import commuters

PLAN: Plan = commuters()
WORDS = random.Random(8).randbytes(1024)
RECEIPT = random.Random(9).randbytes(32)
STOPS = {"mode": 4, "age": 1, "income": 2}
LEVELS = {"mode": 4000, "age": 500, "income": 1000}
OUTSIDE = "999999999"
RECORDS = [
    {"mode": "car", "age": "16", "income": "0"},
    {"mode": "walk", "age": "41.5", "income": "31257"},
    {"mode": "bus", "age": "100", "income": OUTSIDE},
]
STUB = """([words, receipt]) => {
  const bytes = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
  crypto.getRandomValues = (array) => {
    array.set(bytes(array.length === 32 ? receipt : words).subarray(0, array.length));
    return array;
  };
}"""
KEPT = '{"outcome":"accepted"}'
Sent = tuple[str, str, dict[str, str], bytes | None]


def visit(browser: Browser, server: Server, record: dict[str, str]) -> list[Sent]:
    """Return all requests of an owner with given words, from the first page to the last answer."""
    context = browser.new_context()
    context.add_init_script(f"({STUB})({[WORDS.hex(), RECEIPT.hex()]})")
    context.route("**/v1/reports", lambda route: answer(route, 201, KEPT))
    context.route("**/v1/deletions", lambda route: answer(route, 200, '{"outcome":"deleted"}'))
    requests: list[Request] = []
    context.on("request", lambda request: requests.append(request))
    owner = Owner(context.new_page(), server.url)
    owner.visit()
    owner.choose(STOPS)
    owner.answer(record)
    owner.press("Seal my report")
    if record["income"] == OUTSIDE:  # she is asked, and no request says so
        owner.press("Seal it like this")
    owner.report()
    owner.send()
    owner.reads("Your report has arrived")
    owner.delete()
    owner.reads("Your report is deleted")
    found = [(r.method, r.url, r.all_headers(), r.post_data_buffer) for r in requests]
    context.close()
    return found


def answer(route: Route, status: int, body: str) -> None:
    route.fulfill(status=status, content_type="application/json", body=body)


def test_all_requests_but_the_upload_are_the_same_whatever_the_answers_are(
    browser: Browser, server: Server
) -> None:
    visits = [visit(browser, server, record) for record in RECORDS]
    uploads = []
    for requests in visits:
        (upload,) = [sent for sent in requests if sent[1].endswith("/v1/reports")]
        uploads.append(upload)
    for record, (_, _, _, body) in zip(RECORDS, uploads, strict=True):
        assert body == golden(record)
    assert len({body for _, _, _, body in uploads}) == len(RECORDS)
    assert len({len(body or b"") for _, _, _, body in uploads}) == 1
    assert without_body(uploads[0]) == without_body(uploads[1]) == without_body(uploads[2])
    first, *others = [
        [sent for sent in requests if sent not in uploads and not is_asset(sent)]
        for requests in visits
    ]
    assert [url.removeprefix(server.url) for _, url, _, _ in first] == [
        *("/", "/v1/survey", "/v1/plan", "/v1/plan", "/v1/deletions")
    ]
    assert others == [first, first]
    assets = [sorted(filter(is_asset, requests), key=repr) for requests in visits]
    assert assets[0] == assets[1] == assets[2]


def is_asset(sent: Sent) -> bool:
    """Whether it is a script or a style, which a browser fetches in the order it likes."""
    return "/static/" in sent[1]


def without_body(sent: Sent) -> Sent:
    return (*sent[:3], None)


def golden(record: dict[str, str]) -> bytes:
    """Return what Python's device makes of the same words."""
    vector: dict[str, Any] = {"levels": LEVELS, "round": 0, "receipt": RECEIPT.hex()}
    return sealed(PLAN, {**vector, "record": record}, BytesIO(WORDS))


TIMED = """async ({ text, levels, records, turns }) => {
  const { budgetOf, indexed, readPlan, report } = await import("/static/device/index.js");
  const plan = await readPlan(new TextEncoder().encode(text));
  const store = await indexed("timed");
  const epsilons = Object.entries(levels).map(([name, level]) => [name, level / 1000]);
  const budget = budgetOf(plan, Object.fromEntries(epsilons));
  const times = [];
  for (let round = 0; round < turns; round++) {
    const record = records[round % records.length];
    for (let again = 0; again < 2; again++) {
      const start = performance.now();
      await report(plan, store, record, budget, { round });
      times.push(performance.now() - start);
    }
  }
  return times;
}"""


def test_no_report_is_handed_out_before_a_whole_pace(
    context: BrowserContext, server: Server
) -> None:
    """That it is a whole number of paces is tested in JavaScript, with a clock of its own."""
    page = context.new_page()
    page.goto(f"{server.url}/static/device/index.js")
    given = {"text": PLAN.to_bytes().decode(), "levels": LEVELS, "records": RECORDS, "turns": 3}
    times = page.evaluate(TIMED, given)  # drawn, then remembered
    assert len(times) == 6
    assert min(times) >= 249  # milliseconds
