"""For whoever watches the server: its health, and its metrics."""

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import JSONResponse

from discretion.collector.metrics import Metrics
from discretion.collector.models import Health
from discretion.collector.problems import FULL
from discretion.collector.routes.dependencies import collector_of, problems

router = APIRouter(tags=["operators"])


@router.get(
    "/health",
    response_class=JSONResponse,
    responses={200: {"description": "It works.", "model": Health}, **problems(FULL)},
)
def health(request: Request) -> JSONResponse:
    """Whether the store answers, and has room for what it may be given."""
    collector = collector_of(request)
    collector.check()
    return JSONResponse({"status": "ok", "plan": collector.plan.id})


@router.get("/metrics", response_class=Response)
def scrape(request: Request) -> Response:
    """Metrics for Prometheus."""
    metrics: Metrics = request.app.state.metrics
    return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)
