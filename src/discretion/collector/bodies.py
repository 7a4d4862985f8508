"""Request bodies: limits first, then bytes, then the reports in them."""

import zlib

from starlette.requests import Request

from discretion.collector.admission import Admission, AdmissionControl, too_large
from discretion.collector.errors import BodyRefused
from discretion.table.reader import too_long

ONE, MANY = "application/json", ("application/jsonl", "application/x-ndjson")
MOST_REPORTS = 10_000  # in one request


class BodyReader:
    """Reads bodies: at most so many bytes as they are sent, after gzip, and of one report."""

    def __init__(
        self, body: int, decompressed: int, control: AdmissionControl, longest: int = 0
    ) -> None:
        self._body, self._decompressed = body, decompressed
        self._longest, self.admission = longest, control

    async def reports(self, request: Request, admission: Admission) -> tuple[list[bytes], bool]:
        """Return the reports of a request, and whether it is of the kind that has many.

        One that is longer than any of the plan is refused as soon as that is seen.
        """
        stated = dict(request.scope["headers"]).get(b"content-type", b"")
        kind = stated.partition(b";")[0].strip().lower().decode("latin-1")
        if kind == ONE:
            return [await self._report(request, admission)], False
        if kind not in MANY:
            detail = f"Content-Type must be {ONE} (one report) or {MANY[0]} (one on each line)"
            raise BodyRefused("unsupported_type", detail)
        body = await self.body(request, admission, MOST_REPORTS * (self._longest + 1))
        lines = body.split(b"\n", MOST_REPORTS + 1)  # and what may follow the last
        reports = [line for line in lines if line]
        if len(lines) > MOST_REPORTS + 1 or len(reports) > MOST_REPORTS:
            raise BodyRefused("too_large", f"a request must have at most {MOST_REPORTS:,} reports")
        return reports, True

    async def _report(self, request: Request, admission: Admission) -> bytes:
        try:
            return await self.body(request, admission, self._longest)
        except BodyRefused as error:
            if error.name == "too_large" and self._longest < self._body:
                raise too_long(self._longest) from None
            raise

    async def body(self, request: Request, admission: Admission, most: int | None = None) -> bytes:
        """Read a body, and decompress it; what is too large is refused as soon as that is seen."""
        headers = dict(request.scope["headers"])
        encoding = headers.get(b"content-encoding", b"identity").strip().lower()
        if encoding not in (b"identity", b"gzip"):
            raise BodyRefused("unsupported_encoding", "Content-Encoding must be gzip or none")
        packed = encoding == b"gzip"
        limit = self._body if packed else min(self._body, most or self._body)
        announced = headers.get(b"content-length", b"")
        if announced.isdigit() and int(announced) > limit:
            raise too_large(limit)
        body = await admission.read(request.receive, limit)
        if not packed:
            return body
        whole = _inflated(body, min(self._decompressed, most or self._decompressed))
        admission.take(len(whole))
        return whole


def _inflated(body: bytes, limit: int) -> bytes:
    inflater = zlib.decompressobj(wbits=31)
    try:
        whole = inflater.decompress(body, limit)
    except zlib.error as error:
        raise BodyRefused("not_gzip", f"the body is not gzip ({error})") from None
    if inflater.unconsumed_tail:
        raise too_large(limit)
    if not inflater.eof or inflater.unused_data:
        raise BodyRefused("not_gzip", "the body is not one whole gzip stream")
    return whole
