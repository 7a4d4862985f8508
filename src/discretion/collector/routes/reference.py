"""The reference of the interface: a page that shows the description, with scripts of its own.

All links are relative, so that it works behind a path prefix, and nothing in it is inline, so that
it has the policy of the other pages; only the icons of Swagger UI's style sheet are data.
"""

from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from discretion.collector.routes.pages import HEADERS, POLICY

PATH = "/docs"
FILES = Path(str(files("fastapi_offline") / "static"))
router = APIRouter(prefix=PATH, include_in_schema=False)
_HEADERS = {
    **HEADERS,
    "Content-Security-Policy": POLICY.replace("img-src 'self'", "img-src 'self' data:"),
}
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Discretion collector</title>
<link rel="icon" href="docs/favicon.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<div id="reference"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</html>
"""
_START = """SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  validatorUrl: null,
});
"""


@router.get("")
async def reference() -> HTMLResponse:
    """The page."""
    return HTMLResponse(_PAGE, headers=_HEADERS)


@router.get("/start.js")
async def start() -> Response:
    """What draws the description into the page."""
    return Response(_START, media_type="text/javascript", headers=HEADERS)
