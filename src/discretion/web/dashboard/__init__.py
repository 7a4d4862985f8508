"""The analyst's dashboard: documents of the collector in, a page out; charts are drawn as SVG."""

from discretion.web.dashboard.choice import Choice, Collected
from discretion.web.dashboard.documents import Found
from discretion.web.dashboard.page import Answers, dashboard_page, problem_page, sign_in_page
from discretion.web.dashboard.rounds import ACTS, Act, confirm_page

__all__ = [
    "ACTS",
    "Act",
    "Answers",
    "Choice",
    "Collected",
    "Found",
    "confirm_page",
    "dashboard_page",
    "problem_page",
    "sign_in_page",
]
