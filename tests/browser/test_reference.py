"""The reference of the interface: drawn under its own policy, also behind a path prefix."""

from playwright.sync_api import BrowserContext, Route, expect

from tests.collector.serving import Server

PREFIX = "/survey"


def test_the_reference_is_drawn_behind_a_prefix_and_asks_only_there(
    context: BrowserContext, server: Server
) -> None:
    asked: list[str] = []

    def stripped(route: Route) -> None:
        path = route.request.url.removeprefix(server.url)
        asked.append(path)
        if path.startswith(f"{PREFIX}/"):
            route.fulfill(response=route.fetch(url=server.url + path.removeprefix(PREFIX)))
        else:
            route.abort()

    context.route("**/*", stripped)
    page, blocked = context.new_page(), list[str]()
    page.on("console", lambda line: blocked.append(line.text) if line.type == "error" else None)
    page.goto(f"{server.url}{PREFIX}/docs")
    operation = page.locator("#operations-owners-plan_v1_plan_get")
    operation.locator("button").first.click()
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("button", name="Execute").click()
    expect(operation.locator(".live-responses-table")).to_contain_text(server.plan.id)
    assert f"{PREFIX}/v1/plan" in asked
    assert {path for path in asked if not path.startswith(f"{PREFIX}/")} == set()
    assert blocked == []
