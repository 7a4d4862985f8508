"""What all pages of the dashboard have in common: their head, the way between them, their foot."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from discretion.estimate.legend import Legend
from discretion.plan import Plan
from discretion.render.markup import Markup, element, lines, text
from discretion.render.page import served_page
from discretion.web.dashboard.help import explanations

SHEETS = ["dashboard"]
SCRIPT = '<script type="module" src="{}static/dashboard.js"></script>'
REFRESH = '<noscript><meta http-equiv="refresh" content="3"></noscript>'  # until all is there
PLACES = {"": "Overview", "/analysis": "Analyse", "/collection": "All rounds"}


@dataclass(frozen=True, slots=True)
class Frame:
    """A page of the dashboard: which one, of what survey, for whom."""

    plan: Plan
    place: str  # one of PLACES
    signed: bool  # somebody signed in, and may sign out
    round: int | None = None  # the page is about

    @property
    def root(self) -> str:
        """What leads from the page's address to the first one."""
        return "../" if self.place else ""

    def page(
        self, title: str, status: str, aside: str, sections: Iterable[str], *, pending: bool
    ) -> str:
        """Return the whole page around its sections; ``pending``: more of it is on its way."""
        name = Legend.of(self.plan).survey(self.plan.name)
        bar = element(
            "div",
            text("p", status, id="status", class_="note"),
            element("p", id="live", class_="note", hidden=""),
            self._sign_out() if self.signed else "",
            class_="bar",
        )
        head = element("header", text("h1", name), element("div", self._ways(), bar, class_="bar"))
        main = element("main", *sections)
        whole = element("div", aside, main, class_="sided") if aside else main
        explained = element("aside", explanations(), aria_label="Explanations")
        script = SCRIPT.format(self.root)
        body = lines([head, whole, explained])
        more = [script, REFRESH] if pending else [script]
        return served_page(f"{name}: {title}", body, SHEETS, more, root=self.root)

    def _ways(self) -> Markup:
        items = []
        about = "" if self.round is None else f"?round={self.round}"
        for place, title in PLACES.items():
            here = {"aria_current": "page"} if place == self.place else {}
            asked = "" if place == "/collection" else about
            link = {"href": f"{self.root}dashboard{place}{asked}"}
            items.append(element("li", text("a", title, **link, **here)))
        return element("nav", element("ul", *items), aria_label="Dashboard", class_="tabs")

    def _sign_out(self) -> Markup:
        action = f"{self.root}dashboard/session/end"
        return element("form", text("button", "Sign out"), method="post", action=action)


def contents(title: str, entries: Sequence[tuple[str, str, bool]]) -> Markup:
    """Return a list of places: what each is called, where it is, and whether it is shown now."""
    items = [
        element("li", text("a", name, href=href, **({"aria_current": "true"} if here else {})))
        for name, href, here in entries
    ]
    inside = text("summary", title), element("ul", *items)
    folded = element("details", *inside, class_="contents", id="contents", open="")
    return element("nav", folded, aria_label=title, class_="aside")
