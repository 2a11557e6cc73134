"""Approvals for the tools of any framework.

A tool is gated by calling `redeem` itself. A call takes effect once only if its receiver honours
the `idempotency_key`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from . import decided
from .agent import wait_until_settled
from .approval_errors import ProposalMutated, approval_error_of
from .connection import (
    Connection,
    ConnectionOptions,
    Flow,
    Pause,
    checked,
    path_of,
    pause_before_retry,
    random_key,
)
from .drivers import AsyncClient, SyncClient, blocking, on_asyncio
from .errors import HoldpointError
from .json_values import JsonObject, call_key, hash_of

if TYPE_CHECKING:
    import httpx
    from typing_extensions import Unpack

_MOST_KNOWN = 10_000
"""The most keys that are remembered; others are looked up again."""
_KEY_OF_CALL = re.compile(":[0-9a-f]{64}$")


@dataclass(frozen=True)
class AskedRequest:
    """A request for approval. `key` is what the tool redeems."""

    key: str
    request_id: str
    status: str
    """`suspended` while people decide; a rule may have decided at once."""
    proposal_hash: str
    suspension_id: str | None
    reply: JsonObject
    """The whole reply of the service."""


@dataclass(frozen=True)
class Redeemed:
    """A call that may run, as it was approved."""

    approval_id: str
    call_id: str
    tool: str
    arguments: JsonObject
    """As approved: edited, if somebody edited them."""
    edited: bool
    proposal_hash: str
    approvers: list[JsonObject]
    idempotency_key: str
    """For what takes the call: the same in every process."""
    token: int
    lease_until: str
    comment: str | None = None
    data: JsonObject | None = None
    completed_at: str | None = None
    """Set if the call has run; then do not run it."""
    result: Any = None


@dataclass(frozen=True)
class _Known:
    """The approval and the tool of a key, and the token of its lease."""

    approval_id: str
    tool: str
    token: int | None = None


class ApprovalOptions(ConnectionOptions, total=False):
    """How approvals reach Holdpoint, and for whom they redeem calls."""

    holder: str
    """The name of this process. One that restarts under it keeps what it has redeemed."""
    lease_seconds: int
    """How long a call may take before another process may take it over; 60 by default."""


class ApprovalFlows:
    def __init__(self, base_url: str, options: ApprovalOptions) -> None:
        self.lease: JsonObject = {
            "holder": options.get("holder") or f"process-{random_key()}",
            "lease_seconds": options.get("lease_seconds", 60),
        }
        self.connection = Connection(base_url, checked(ApprovalOptions, options))
        self._known: dict[str, _Known] = {}
        self._lock = threading.Lock()

    def ask(
        self,
        *,
        run: str,
        tool_call_id: str,
        tool: str,
        arguments: Mapping[str, Any],
        input_schema: Mapping[str, Any] | None = None,
        summary: Sequence[str] | None = None,
        resume: Any = None,
        request: Mapping[str, Any] | None = None,
    ) -> Flow[AskedRequest]:
        """Asks for the approval of a call, once: repeats find the first request, also after a
        crash. Other arguments under the same id are another call.

        `tool_call_id` is the model's id of the call. `input_schema` is the JSON Schema of the
        arguments, which no edit may break. `summary` names the arguments that lists show.
        `resume` is the state of an agent that does not wait: `on_decided` gets it. `request` has
        further fields: for whom, why, and what people see.
        """
        key = call_key(run, tool_call_id, arguments)
        call = {"id": tool_call_id, "tool": tool, "arguments": arguments}
        more = {"input_schema": input_schema, "summary": summary}
        call.update({name: value for name, value in more.items() if value is not None})
        body = {**(request or {}), **_checkpoint(resume), "run_id": run, "calls": [call]}
        reply = yield from self.connection.repeat("/approvals", {**body, "request_key": key})
        asked = AskedRequest(
            key=key,
            request_id=reply["request_id"],
            status=reply["status"],
            proposal_hash=reply["proposal_hash"],
            suspension_id=reply.get("suspension_id"),
            reply=reply,
        )
        known = self._known.get(key)
        # A call that this process has redeemed and proposes again can still be completed.
        if known is None or known.approval_id != asked.request_id:
            self._note(key, _Known(asked.request_id, tool))
        return asked

    def redeem(
        self, key: str, given: Mapping[str, Any] | None = None, named: str | None = None
    ) -> Flow[Redeemed]:
        """Redeems a call, inside the tool, and returns what was approved: the arguments, which may
        be edited, and the idempotency key for the effect. With a `completed_at` the call has
        already run.

        `given` are the arguments of the tool call and `named` is the tool: both are compared with
        what was asked about. Raises ApprovalPending, ApprovalDenied, ApprovalExpired,
        ProposalMutated, or HoldpointError `approval_in_use` while another process has the call.
        """
        known = yield from self._find(key)
        found = hash_of(given) if given is not None and _KEY_OF_CALL.search(key) else None
        if found is not None and not key.endswith(f":{found}"):
            detail = "The tool was called with other arguments than were asked about."
            refusal = HoldpointError("proposal_mutation_detected", detail)
            noted = yield from self._note_mutation(known, {"arguments_hash": found})
            raise ProposalMutated(known.tool, refusal, noted)
        body = {**self.lease, **({} if named is None else {"tool": named})}
        path = path_of("approvals", known.approval_id, "/redeem")
        try:
            reply = yield from self.connection.repeat(path, body)
        except HoldpointError as error:
            failure = approval_error_of(known.tool, error)
            if isinstance(failure, ProposalMutated) and failure.field == "tool":
                failure.noted = yield from self._note_mutation(known, {"tool": named})
            raise failure from error
        redeemed = _redeemed(reply)
        self._note(key, _Known(known.approval_id, known.tool, redeemed.token))
        return redeemed

    def complete(self, key: str, result: Any) -> Flow[Redeemed]:
        """Records what a redeemed call returned; later redeems return it. Raises HoldpointError
        `stale_token` after another process has taken over."""
        known = self._known.get(key)
        if known is None or known.token is None:
            raise HoldpointError("not_redeemed", "This process has not redeemed the call.")
        path = path_of("approvals", known.approval_id, "/complete")
        body = {"token": known.token, "result": result}
        return _redeemed((yield from self.connection.repeat(path, body)))

    def wait(self, key: str) -> Flow[JsonObject]:
        """Waits until a call is decided, however long it takes, and returns its approval."""
        known = yield from self._find(key)
        seen, looks = None, 0
        while True:
            view = yield from self.get(known.approval_id)
            if view["status"] != "pending":
                return view
            question = view["suspension_id"]
            if question is None or question == seen:
                # Between two stages, or just before the decision is told.
                looks += 1
                yield Pause(pause_before_retry(looks))
                continue
            open_one = yield from self.connection.read(path_of("suspensions", question))
            yield from wait_until_settled(self.connection, open_one)
            seen, looks = question, 0

    def get(self, approval_id: str) -> Flow[JsonObject]:
        return (yield from self.connection.read(path_of("approvals", approval_id)))

    def deliveries(
        self, function: Callable[..., object], options: decided.DecidedOptions
    ) -> decided.Deliveries:
        checked(decided.DecidedOptions, options)
        return decided.Deliveries(self.connection, self.lease, function, options)

    def _note_mutation(self, known: _Known, found: JsonObject) -> Flow[bool]:
        """Has the log say what was about to run instead of the proposal; False if that fails."""
        try:
            yield from self.connection.repeat(
                path_of("approvals", known.approval_id, "/mutations"), found
            )
            return True
        except HoldpointError:
            return False

    def _find(self, key: str) -> Flow[_Known]:
        known = self._known.get(key)
        if known is None:
            found = yield from self.connection.repeat("/approvals/by-key", {"request_key": key})
            calls = found["task"]["tool_calls"]
            known = _Known(found["request_id"], calls[0]["tool"] if calls else found["kind"])
            self._note(key, known)
        return known

    def _note(self, key: str, known: _Known) -> None:
        with self._lock:
            self._known.pop(key, None)
            self._known[key] = known
            if len(self._known) > _MOST_KNOWN:
                del self._known[next(iter(self._known))]


def _checkpoint(resume: Any) -> JsonObject:
    """Returns the state that an agent leaves, if it leaves any."""
    if resume is None:
        return {}
    is_whole = isinstance(resume, Mapping) and {"schema_version", "state"} <= resume.keys()
    return {"checkpoint": resume if is_whole else {"state": resume}}


def _redeemed(reply: Mapping[str, Any]) -> Redeemed:
    known = {one.name for one in fields(Redeemed)}
    return Redeemed(**{name: value for name, value in reply.items() if name in known})


class Approvals(SyncClient[ApprovalFlows]):
    """Asks for approval of tool calls, and redeems the approved ones."""

    def __init__(
        self, base_url: str, *, http: httpx.Client | None = None, **options: Unpack[ApprovalOptions]
    ) -> None:
        super().__init__(ApprovalFlows(base_url, options), http)

    ask = blocking(ApprovalFlows.ask)
    redeem = blocking(ApprovalFlows.redeem)
    complete = blocking(ApprovalFlows.complete)
    wait = blocking(ApprovalFlows.wait)
    get = blocking(ApprovalFlows.get)

    def on_decided(
        self, function: decided.OnDecided, **options: Unpack[decided.DecidedOptions]
    ) -> decided.DecidedWatch:
        """Continues runs whose agents left a state in `resume`: each once all its calls are
        decided, in one process, whose lease is renewed while the function runs. Looks every few
        seconds, and at once when `handle_webhook` gets a decision."""
        return decided.DecidedWatch(self, self._flows.deliveries(function, options))

    def deliver_decided(
        self, function: decided.OnDecided, **options: Unpack[decided.DecidedOptions]
    ) -> int:
        """Looks once for such runs, and returns the number of those that it has continued."""
        return self.run(self._flows.deliveries(function, options).deliver())


class AsyncApprovals(AsyncClient[ApprovalFlows]):
    """The same as Approvals, on asyncio."""

    def __init__(
        self,
        base_url: str,
        *,
        http: httpx.AsyncClient | None = None,
        **options: Unpack[ApprovalOptions],
    ) -> None:
        super().__init__(ApprovalFlows(base_url, options), http)

    ask = on_asyncio(ApprovalFlows.ask)
    redeem = on_asyncio(ApprovalFlows.redeem)
    complete = on_asyncio(ApprovalFlows.complete)
    wait = on_asyncio(ApprovalFlows.wait)
    get = on_asyncio(ApprovalFlows.get)

    def on_decided(
        self, function: decided.OnDecidedAsync, **options: Unpack[decided.DecidedOptions]
    ) -> decided.AsyncDecidedWatch:
        """See `Approvals.on_decided`. Needs a running loop."""
        return decided.AsyncDecidedWatch(self, self._flows.deliveries(function, options))

    async def deliver_decided(
        self, function: decided.OnDecidedAsync, **options: Unpack[decided.DecidedOptions]
    ) -> int:
        """See `Approvals.deliver_decided`."""
        return await self.run(self._flows.deliveries(function, options).deliver())
