"""What the adapters of all frameworks share: how a call waits, is decided, and runs once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypedDict

from .approval_errors import ApprovalError, ApprovalPending
from .approvals import ApprovalFlows, Redeemed
from .connection import Flow, Work
from .errors import HoldpointError
from .json_values import JsonObject, call_key

_HASH_CHARACTERS = 64
_approved: ContextVar[Redeemed] = ContextVar("holdpoint_approved_call")


def approved_call() -> Redeemed:
    """Returns the approved call that a gated tool runs for: its approvers, and the
    `idempotency_key` for its effect. Raises LookupError in a tool that is not gated."""
    try:
        return _approved.get()
    except LookupError:
        raise LookupError("This tool runs without an approval: gate it first.") from None


class GateOptions(TypedDict, total=False):
    """What people see of the calls of a gate, and which edits they may make."""

    request: Mapping[str, Any]
    """Further fields of each request: for whom, why, and what people see."""
    edit_schemas: Mapping[str, JsonObject]
    """The JSON Schemas that edited arguments must fit, by tool, where Holdpoint refuses the tool's
    own; `{}` fits all."""


class WaitingCall(TypedDict):
    """A call that waits, as the framework keeps it."""

    tool_call_id: str
    tool: str
    arguments: JsonObject


@dataclass(frozen=True)
class Decision:
    """What people decided about a call, and the key of what they were asked about."""

    key: str
    reason: str | None
    """What the model reads instead of a result; None if the call is approved."""


@dataclass(frozen=True)
class RunCalls:
    """The calls of one run of an agent."""

    flows: ApprovalFlows
    run: str
    schemas: Mapping[str, Any]
    """The JSON Schemas of the tools."""
    options: GateOptions

    def key(self, call: WaitingCall) -> str:
        return call_key(self.run, call["tool_call_id"], call["arguments"])

    def park(
        self, calls: Mapping[str, WaitingCall], turn: JsonObject, state: Any
    ) -> Flow[JsonObject | None]:
        """Asks about each call of a turn, once, and returns the parked turn: the given one with
        `keys`; None if there are no calls. `calls` has what the framework calls each. `state` is
        what `on_decided` gets; the parked turn unless given."""
        if not calls:
            return None
        parked = self._with_keys(calls, turn)
        for call in calls.values():
            yield from self._ask(call, parked if state is None else state)
        return parked

    def wait(self, calls: Mapping[str, WaitingCall], turn: JsonObject) -> Flow[JsonObject | None]:
        """The same, and waits until all calls are decided. `on_decided` gets nothing."""
        if not calls:
            return None
        for call in calls.values():
            yield from self._ask(call, None)
        parked = self._with_keys(calls, turn)
        for key in parked["keys"].values():
            yield from self.flows.wait(key)
        return parked

    def _with_keys(self, calls: Mapping[str, WaitingCall], turn: JsonObject) -> JsonObject:
        return {**turn, "keys": {name: self.key(call) for name, call in calls.items()}}

    def decision(self, call: WaitingCall, given: str | None) -> Flow[Decision]:
        """Returns what people decided about a call; an approved one is leased to this process.
        Raises ApprovalPending if they have not. `given` is the key in the parked turn."""
        own = self.key(call)
        key = given if given is not None and is_of_same_call(given, own) else own
        if key == own:
            # Asks again, in case the process died while it parked the turn; but not about a call
            # that was changed since.
            asked = yield from self._ask(call, None)
            if asked.status == "approved":
                return Decision(key, None)
        try:
            yield from self.flows.redeem(key, call["arguments"], call["tool"])
        except ApprovalPending:
            raise
        except ApprovalError as refusal:
            return Decision(key, refusal.message)
        return Decision(key, None)

    def _ask(self, call: WaitingCall, resume: Any) -> Flow[Any]:
        tool, given = call["tool"], self.options.get("edit_schemas", {})
        schema = given[tool] if tool in given else self.schemas.get(tool)
        more = {"input_schema": schema, "resume": resume, "request": self.options.get("request")}
        return (yield from self.flows.ask(run=self.run, **call, **more))


def is_of_same_call(given: str, key: str) -> bool:
    """Whether two keys differ in the hash of the arguments at most, so that a turn brings no
    approval of another run or call."""
    return given[:-_HASH_CHARACTERS] == key[:-_HASH_CHARACTERS]


def id_of_use(tool_call_id: str, results: int) -> str:
    """Returns the id of a call. A model may use an id again in a later turn, so the id counts the
    results that it already has."""
    return tool_call_id if results == 0 else f"{tool_call_id}#{results + 1}"


def run_once(
    flows: ApprovalFlows, key: str, call: Redeemed, execute: Callable[[JsonObject], Any]
) -> Flow[Any]:
    """Runs a redeemed call and records its result, which is JSON; a call that has run returns the
    recorded one. Raises HoldpointError `result_unrecorded` if it has run and cannot be recorded."""
    if call.completed_at is not None:
        return call.result
    token = _approved.set(call)
    try:
        output = yield Work(lambda _lost: execute(call.arguments))
    finally:
        _approved.reset(token)
    try:
        yield from flows.complete(key, output)
    except HoldpointError as error:
        detail = f'"{call.tool}" has run, but its result is not recorded. Do not call it again.'
        raise HoldpointError("result_unrecorded", detail) from error
    return output


def edit_note(call: Redeemed) -> str | None:
    """Returns what the model must read before the result, if a person edited the arguments."""
    if not call.edited:
        return None
    ran = json.dumps(call.arguments, ensure_ascii=False, separators=(",", ":"))
    return f'A human reviewer edited the arguments of "{call.tool}". It ran with: {ran}'


def with_note(note: str | None, output: Any) -> Any:
    """Returns a result as the model reads it."""
    if note is None:
        return output
    text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
    return f"{note}\n{text}"
