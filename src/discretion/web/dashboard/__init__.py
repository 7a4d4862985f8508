"""The analyst's dashboard: documents of the collector in, a page out; charts are drawn as SVG."""

from discretion.web.dashboard.choice import Choice, Collected
from discretion.web.dashboard.documents import Found
from discretion.web.dashboard.page import Answers, dashboard_page, problem_page, sign_in_page

__all__ = [
    "Answers",
    "Choice",
    "Collected",
    "Found",
    "dashboard_page",
    "problem_page",
    "sign_in_page",
]
