"""The analyst's dashboard: documents of the collector in, pages out; charts are drawn as SVG."""

from discretion.web.dashboard.analysis import analysis_page
from discretion.web.dashboard.choice import Choice, Collected
from discretion.web.dashboard.collection import collection_page
from discretion.web.dashboard.documents import Found
from discretion.web.dashboard.frame import PLACES, Frame
from discretion.web.dashboard.inquiry import Inquiry
from discretion.web.dashboard.page import Answers, dashboard_page, problem_page, sign_in_page
from discretion.web.dashboard.rounds import ACTS, Act, confirm_page

__all__ = [
    "ACTS",
    "PLACES",
    "Act",
    "Answers",
    "Choice",
    "Collected",
    "Found",
    "Frame",
    "Inquiry",
    "analysis_page",
    "collection_page",
    "confirm_page",
    "dashboard_page",
    "problem_page",
    "sign_in_page",
]
