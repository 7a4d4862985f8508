"""The page of the public results: who asked for what, one card per question, and what it can tell.

It runs no script, and what it shows is a function of the version, the plan and the language alone:
two readers see the same bytes until the next version.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from discretion.estimate.legend import Legend
from discretion.plan import Plan
from discretion.render.markup import Markup, element, lines, text
from discretion.render.page import section, served_page
from discretion.statistics import cards
from discretion.web.owner import alike, catalogue, languages
from discretion.web.results.cards import Version, empty_card, estimate_card, written

PATH, DATA = "results", "v1/results"
TEXTS = "results/texts"
SHEETS = ["results"]
LIMITS = ("Share", "Difference", "Others", "Person", "Small", "False", "Live")


@dataclass(frozen=True)
class ResultsPage:
    """The page of a plan in one of its languages, or of the product's."""

    plan: Plan
    survey: Mapping[str, object]  # the document that owners read: who asks, and what for
    language: str
    least: int  # reports of which a version is made, and that are between two of them

    @classmethod
    def of(
        cls, plan: Plan, survey: Mapping[str, object], wanted: Iterable[str], least: int
    ) -> "ResultsPage":
        """Take the first language that is wanted and there, or else the plan's first one."""
        offered = languages(plan)
        near = (
            own for tag in wanted for own in (tag, *offered) if own in offered and alike(own, tag)
        )
        return cls(plan, survey, next(near, offered[0]), least)

    def html(self, rounds: Sequence[int], version: Version | None) -> str:
        """Return the page of one round; ``rounds`` are all that have results."""
        title = self._legend.survey(self.plan.name)
        main = [self._facts(version), self._rounds(rounds, version)]
        if version is None:
            main.append(text("p", self._say["unpublished"].format(least=self.least), class_="card"))
        else:
            main += [*self._questions(version), self._limits()]
        body = lines([self._header(title, version), element("main", *main), self._footer(version)])
        own = {"language": self._say["tag"], "direction": self._say["direction"]}
        return served_page(f"{title}: {self._say['results']}", body, SHEETS, **own)

    @property
    def _say(self) -> Mapping[str, str]:
        return catalogue(self.language, TEXTS)

    @property
    def _legend(self) -> Legend:
        return Legend.of(self.plan, [self.language])

    def _address(self, path: str, **chosen: object) -> str:
        return f"{path}?{urlencode(chosen)}" if chosen else path

    def _header(self, title: str, version: Version | None) -> Markup:
        say, round = self._say, {} if version is None else {"round": version["round"]}
        links = []
        for tag in languages(self.plan):
            own = catalogue(tag)
            name = own["name"] if alike(own["tag"], tag) else tag
            here = {"aria_current": "true"} if tag == self.language else {}
            where = self._address(PATH, **round, language=tag)
            links.append(element("li", text("a", name, href=where, lang=tag, **here)))
        return element(
            "header",
            element("nav", element("ul", *links), aria_label=say["language"], class_="choices"),
            text("h1", title, dir="auto"),
            text("p", say["results"], class_="kicker"),
            text("p", say["together"], class_="lead"),
        )

    def _facts(self, version: Version | None) -> Markup:
        """Say who asked, what for, and what is counted."""
        say, wording = self._say, self._legend.wording
        said = {
            say["asker"]: wording.asker or self.survey["asker"],
            say["purpose"]: wording.purpose or self.survey["purpose"],
            say["contact"]: wording.contact,
        }
        terms = [
            lines([text("dt", term), text("dd", str(words), dir="auto", class_="words")])
            for term, words in said.items()
            if words
        ]
        if version is not None:
            day = text("time", version["day"], datetime=version["day"])
            terms.append(lines([text("dt", say["asOf"]), element("dd", day)]))
            terms.append(
                lines([text("dt", say["counted"]), text("dd", written(version["reports"], say))])
            )
        return element("dl", *terms, class_="facts card") if terms else Markup()

    def _rounds(self, rounds: Sequence[int], version: Version | None) -> Markup:
        if len(rounds) < 2 or version is None:
            return Markup()
        links = [
            element(
                "li",
                text(
                    "a",
                    self._say["round"].format(round=round),
                    href=self._address(PATH, round=round, language=self.language),
                    **({"aria_current": "true"} if round == version["round"] else {}),
                ),
            )
            for round in rounds
        ]
        named = {"aria_label": self._say["rounds"], "class_": "choices"}
        return element("nav", element("ul", *links), **named)

    def _questions(self, version: Version) -> Iterator[Markup]:
        """Yield the sections of the plan, with a card for everything that is asked."""
        wording, listed = self._legend.wording, set[str]()
        for number, each in enumerate(wording.sections):
            listed |= {*each.attributes}
            inside = self._cards(each.attributes, version)
            yield section(f"section-{number}", str(each.title), *inside)
        if rest := [name for name in self.plan.names if name not in listed]:
            title = self._say["further" if listed else "title"]
            yield section("further", title, *self._cards(rest, version))

    def _cards(self, names: Sequence[str], version: Version) -> Iterator[Markup]:
        published = {each["key"]: each for each in version["estimates"]}
        few = self._say["few"].format(least=self.least)
        for name in names:
            for _, statistic in (each for each in cards(self.plan) if each[0] == name):
                key = f"{statistic.name} {name}"
                if key in published:
                    yield estimate_card(published[key], self._legend, self._say)
                else:
                    needed = statistic.needed(self.plan, name)
                    yield empty_card(name, self._say["open"] if needed else few, self._legend)

    def _limits(self) -> Markup:
        """Say what can be read from all that, and what cannot."""
        items = [text("li", self._say[f"limits{each}"].format(least=self.least)) for each in LIMITS]
        return section("limits", self._say["limits"], element("ul", *items))

    def _footer(self, version: Version | None) -> Markup:
        links = [text("a", self._say["take"], href=".")]
        if version is not None:
            where = self._address(DATA, round=version["round"])
            links.append(text("a", self._say["data"], href=where))
        return element("footer", element("p", *links, class_="links"))
