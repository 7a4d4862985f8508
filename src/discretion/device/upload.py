"""The upload client: fetches a collector's plan and sends the device's sealed reports to it.

A report was drawn, sealed and committed before it is sent, and a retry sends the same bytes. The
client follows one rule for each answer:

    2xx with outcome accepted or duplicate     settled: the collector has the report
    2xx with outcome deleted, to a withdrawal  settled: the collector deleted the report
    410 deleted                                settled: the report was deleted there before
    404 unknown_receipt, to a withdrawal       settled: the collector has no such report
    another problem in ``FINAL``               dropped, with the reason: never sent nor drawn again
    401, 403                                   kept; the error says that a token is needed
    anything else, or no answer                kept, and sent again later

Only the collector's own answer settles or drops a message: a JSON document with that outcome, or a
problem document whose type begins with ``OWN``. Whatever a proxy or a portal answers, with
whatever status, the message is kept.

A collector's plan is pinned at the first contact. Another one is refused before anything is sent,
unless the owner names it.
"""

import hashlib
import json
import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass

from discretion.device.retry import Attempts, RetryPolicy
from discretion.device.state import Outcome, State
from discretion.device.transport import NOT_MODIFIED, Address, Reply, Request, Transport, plain
from discretion.errors import (
    CollectorError,
    CollectorUnreachable,
    PlanChanged,
    RecordError,
    TokenNeeded,
)
from discretion.plan import Plan
from discretion.plan.legibility import check_legible

TIMEOUT = 20.0  # seconds for an exchange
JSON, PROBLEM = "application/json", "application/problem+json"
TYPED = {"Content-Type": JSON, "Accept": f"{JSON}, {PROBLEM}"}
OWN = "urn:discretion:problem:"  # how the types of a collector's problems begin
GONE, ABSENT = "deleted", "unknown_receipt"
FINAL = (  # problems of the report itself; others are of the address, the token or the moment
    "refused",
    "conflict",
    "invalid",
    "malformed",
    "too_large",
    "unsupported_type",
    "unsupported_encoding",
    "not_gzip",
)
NO_TOKEN = (401, 403)
NO_REPORT = "the collector has no such report"
NOT_ITS_OWN = "not a collector's answer"
LATER = (408, 429)  # and all 5xx
_ID, _TOKEN = re.compile(r"[0-9a-f]{64}"), re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of one message: a report, or the withdrawal of one."""

    round: int
    outcome: Outcome
    reason: str = ""
    withdrawal: bool = False

    @property
    def settled(self) -> bool:
        """Whether the collector has done what was asked for; nothing is left to do."""
        return self.outcome not in (Outcome.KEPT, Outcome.DROPPED)


class UploadClient:
    """The connection between an owner's state and one collector."""

    def __init__(
        self,
        address: str,
        state: State,
        *,
        accept: Plan | str | None = None,
        token: str | None = None,
        insecure: bool = False,
        timeout: float = TIMEOUT,
        retry: RetryPolicy | None = None,
        context: ssl.SSLContext | None = None,
    ) -> None:
        """Go to ``address``: https, or http on this machine (elsewhere only if ``insecure``).

        ``accept`` is a plan, or its id, that the collector's must be; naming one also takes it in
        place of another that was pinned. ``context`` replaces the system's trusted certificates.
        """
        there = Address.of(address, insecure=insecure)
        self.address, self.state = str(there), state
        self.retry = retry or RetryPolicy()
        self._accepted = accept.id if isinstance(accept, Plan) else accept
        if self._accepted is not None and not _ID.fullmatch(self._accepted):
            rule = "a plan's id must be 64 hexadecimal digits"
            raise CollectorError(self.address, f"{rule}, got {self._accepted!r}")
        if token is not None and not _TOKEN.fullmatch(token):
            raise CollectorError(self.address, "a token must be ASCII without blanks")
        self._transport = Transport(there, timeout, token, context)
        self._plan: Plan | None = None
        self._last: str | None = None  # the id of the plan that is pinned

    def offered(self) -> Plan:
        """Return the collector's plan, checked but not pinned: the owner may not want it."""
        if self._plan is None:
            self._plan = self._fetched()
        return self._plan

    def plan(self) -> Plan:
        """Return the collector's plan: checked, pinned at first contact, fetched once."""
        plan = self.offered()
        if plan.id != self._last:
            self._last = self.state.pin(self.address, plan.id, plan.to_bytes(), self._last)
        if plan.id != self._last:  # another process was quicker
            raise PlanChanged(self.address, self._last, plan.id)
        return plan

    def deliver(self) -> list[Delivery]:
        """Send what is in the outbox for the collector's plan, then withdrawals not answered yet.

        What is left when the retry policy allows no further attempt is kept.
        """
        plan, attempts = self.plan().id, Attempts(self.retry)
        sent = [self._send(plan, *unsent, attempts) for unsent in self.state.unsent(plan)]
        withdrawn = [self._delete(plan, *one, attempts) for one in self.state.withdrawals(plan)]
        return [*(delivery for delivery in sent if delivery), *withdrawn]

    def withdraw(self, round: int = 0) -> Delivery:
        """Have a round's report deleted; from now on it never leaves, whatever the answer is.

        The report is one of the plan that the owner named, or of the pinned one: it can be deleted
        whatever plan the collector has by now.
        """
        pinned = self.state.pinned(self.address)
        plan = self._accepted or (pinned[0] if pinned else self.plan().id)
        sealed = self.state.sealed(plan, round)
        if sealed is None:
            raise RecordError("round", "must be one that has a report", round)
        self.state.withdraw(plan, round)
        if self.state.withdrawn(plan, round) is Outcome.DELETED:
            return Delivery(round, Outcome.DELETED, withdrawal=True)
        return self._delete(plan, round, sealed.receipt, Attempts(self.retry))

    def _fetched(self) -> Plan:
        last, pinned = self.state.pinned(self.address) or (None, b"")
        unless = {"If-None-Match": f'"{last}"'} if last else {}
        request = Request("GET", "/v1/plan", headers={"Accept": JSON, **unless})
        reply = self._ask(request, Attempts(self.retry))
        document = pinned if reply.status == NOT_MODIFIED else self._document(reply)
        plan = Plan.from_bytes(document, source=self.address)
        known = self._accepted or last or plan.id
        if plan.id != known:
            raise PlanChanged(self.address, known, plan.id)
        if plan.id != last:  # a plan that this device never met
            check_legible(plan, self.address)
        self._last = last
        return plan

    def _document(self, reply: Reply) -> bytes:
        """Return the bytes of a plan that are what their tag says."""
        if reply.status != 200:
            detail = f"has no plan ({_said(reply)}): is it a collector's address?"
            raise CollectorError(self.address, detail)
        tag = reply.headers.get("etag", "")
        if tag.removeprefix("W/") != f'"{hashlib.sha256(reply.body).hexdigest()}"':
            rule = "its plan must have its own SHA-256 as ETag"
            raise CollectorError(self.address, f"{rule}, got {plain(tag)!r}")
        return reply.body

    def _send(self, plan: str, round: int, report: bytes, attempts: Attempts) -> Delivery | None:
        """Send one report; None: it was withdrawn meanwhile, by another process."""

        def wanted() -> bool:
            return self.state.withdrawn(plan, round) is None

        try:
            reply = self._ask(Request("POST", "/v1/reports", report, TYPED), attempts, wanted)
        except _Unwanted:
            return None
        except CollectorUnreachable as error:
            return Delivery(round, Outcome.KEPT, error.detail)
        outcome, reason = _outcome(reply)
        if outcome is not Outcome.KEPT:
            self.state.settle(plan, round, outcome, reason)
        return Delivery(round, outcome, reason)

    def _delete(self, plan: str, round: int, receipt: bytes, attempts: Attempts) -> Delivery:
        """Show a receipt; the withdrawal is kept until the collector itself has answered it."""
        body = json.dumps({"receipt": receipt.hex()}, separators=(",", ":")).encode()
        try:
            reply = self._ask(Request("POST", "/v1/deletions", body, TYPED), attempts)
        except CollectorUnreachable as error:
            return Delivery(round, Outcome.KEPT, error.detail, withdrawal=True)
        if _stated(reply) == Outcome.DELETED:
            delivery = Delivery(round, Outcome.DELETED, withdrawal=True)
        elif reply.status == 404 and _problem(reply) == ABSENT:
            delivery = Delivery(round, Outcome.UNKNOWN, NO_REPORT, withdrawal=True)
        else:
            return Delivery(round, Outcome.KEPT, _unsettled(reply), withdrawal=True)
        self.state.mark_withdrawn(plan, round, delivery.outcome)
        return delivery

    def _ask(
        self, request: Request, attempts: Attempts, wanted: Callable[[], bool] = lambda: True
    ) -> Reply:
        """Return the collector's answer, trying while it is wanted and attempts are left."""
        tried = 0
        while not attempts.over:
            if not wanted():
                raise _Unwanted
            tried, later = tried + 1, None
            try:
                reply = self._transport.exchange(request)
            except CollectorUnreachable as error:
                failure = error.detail
            else:
                if reply.status in NO_TOKEN:
                    need = "another token is" if self._transport.token else "a token is"
                    rule = f"{need} needed ({_said(reply)}); nothing is lost"
                    raise TokenNeeded(self.address, rule)
                if reply.status not in LATER and reply.status < 500:
                    return reply
                failure, later = _said(reply), reply.headers.get("retry-after")
            if not attempts.again(tried, later):
                attempts.over = f"{failure}; tried {tried} times" if tried > 1 else failure
        raise CollectorUnreachable(self.address, attempts.over)


class _Unwanted(Exception):
    """A message that is not to be sent any more."""


def _outcome(reply: Reply) -> tuple[Outcome, str]:
    """Return what an answer to a report means."""
    stated, problem = _stated(reply), _problem(reply)
    if stated in (Outcome.ACCEPTED, Outcome.DUPLICATE):
        return Outcome(stated), ""
    if reply.status == 410 and problem == GONE:
        return Outcome.DELETED, _said(reply)
    if problem in FINAL:
        return Outcome.DROPPED, _said(reply)
    return Outcome.KEPT, _unsettled(reply)


def _stated(reply: Reply) -> str | None:
    """Return the outcome that a successful answer states in a JSON document."""
    outcome = _content(reply).get("outcome")
    success = 200 <= reply.status < 300 and reply.kind == JSON
    return outcome if success and isinstance(outcome, str) else None


def _problem(reply: Reply) -> str | None:
    """Return the name of a collector's own problem; another server's has none."""
    content = _content(reply)
    kind = content.get("type")
    if reply.kind != PROBLEM or not isinstance(kind, str) or not kind.startswith(OWN):
        return None
    return kind.removeprefix(OWN) if content.get("status") == reply.status else None


def _unsettled(reply: Reply) -> str:
    """Return why an answer settles nothing."""
    said = _said(reply)
    return said if _problem(reply) else f"{said}: {NOT_ITS_OWN}"


def _said(reply: Reply) -> str:
    """Return the status of an answer, and what its problem document says."""
    content = _content(reply)
    words = [content.get("reason") or content.get("title"), content.get("detail")]
    return plain(
        ": ".join([f"status {reply.status}", *(w.rstrip(".") for w in words if isinstance(w, str))])
    )


def _content(reply: Reply) -> dict[str, object]:
    """Return what an answer says; nothing if it is not an object of JSON."""
    if reply.kind not in (JSON, PROBLEM):
        return {}
    try:
        content = json.loads(reply.body)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}
