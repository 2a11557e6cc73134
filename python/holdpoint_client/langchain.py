"""The adapter for LangChain: the tools of an agent run only as people approved their calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from langchain_core.tools import BaseTool
from pydantic import BaseModel

from .approvals import Approvals, AsyncApprovals
from .connection import Flow, checked
from .framework_calls import GateOptions, RunCalls, WaitingCall
from .framework_calls import approved_call as approved_call
from .json_values import JsonObject
from .langchain_middleware import MARK, Answer, GateMiddleware

if TYPE_CHECKING:
    from typing_extensions import Unpack


@overload
def gate(
    approvals: AsyncApprovals,
    *,
    run: str,
    tools: Sequence[BaseTool],
    **options: Unpack[GateOptions],
) -> AsyncGate: ...
@overload
def gate(
    approvals: Approvals, *, run: str, tools: Sequence[BaseTool], **options: Unpack[GateOptions]
) -> Gate: ...
def gate(
    approvals: Approvals | AsyncApprovals,
    *,
    run: str,
    tools: Sequence[BaseTool],
    **options: Unpack[GateOptions],
) -> Gate | AsyncGate:
    """Gates tools. An agent is interrupted when its model calls one of them. `park` asks people,
    and the process may end; `resume` continues. A tool runs only if `redeem` allows it, with the
    approved arguments, whatever the checkpoint says.

    An agent that runs by `ainvoke` takes AsyncApprovals, and one that runs by `invoke` Approvals.
    `run` names the agent's run for good, and its calls wait together.
    """
    schemas = {tool.name: _schema_of(tool) for tool in tools}
    calls = RunCalls(approvals._flows, run, schemas, checked(GateOptions, options))
    middleware = GateMiddleware(approvals, calls, tools)
    if isinstance(approvals, AsyncApprovals):
        return AsyncGate(approvals, calls, middleware)
    return Gate(approvals, calls, middleware)


@dataclass(frozen=True)
class Gate:
    """The turns of one run of an agent that runs by `invoke` and has a checkpointer."""

    _approvals: Approvals
    _calls: RunCalls
    middleware: GateMiddleware
    """Give it to the agent, last. It brings the tools."""

    def park(self, result: Any, state: Any = None) -> JsonObject | None:
        """Asks people about each waiting call, once, and returns the parked turn, which is JSON;
        None if no call waits. `result` is what the agent returned, or the state of its graph.
        `state` is what `on_decided` gets; the parked turn unless given."""
        calls = _waiting(result)
        return self._approvals.run(self._calls.park(calls, {"calls": calls}, state))

    def wait(self, result: Any) -> JsonObject | None:
        """Asks people about each waiting call, waits for their decisions in this process, and
        returns the turn to resume; None if no call waits."""
        calls = _waiting(result)
        return self._approvals.run(self._calls.wait(calls, {"calls": calls}))

    def resume(self, turn: Any) -> dict[str, Answer] | None:
        """Returns the `resume` of the Command that continues a parked turn; None for any other
        turn. Raises ApprovalPending unless all its calls are decided."""
        return self._approvals.run(_resume(self._calls, turn))


@dataclass(frozen=True)
class AsyncGate:
    """The same as Gate, for an agent that runs by `ainvoke`."""

    _approvals: AsyncApprovals
    _calls: RunCalls
    middleware: GateMiddleware

    async def park(self, result: Any, state: Any = None) -> JsonObject | None:
        """See `Gate.park`."""
        calls = _waiting(result)
        return await self._approvals.run(self._calls.park(calls, {"calls": calls}, state))

    async def wait(self, result: Any) -> JsonObject | None:
        """See `Gate.wait`."""
        calls = _waiting(result)
        return await self._approvals.run(self._calls.wait(calls, {"calls": calls}))

    async def resume(self, turn: Any) -> dict[str, Answer] | None:
        """See `Gate.resume`."""
        return await self._approvals.run(_resume(self._calls, turn))


def _waiting(result: Any) -> dict[str, WaitingCall]:
    """Returns the waiting calls in what an agent returned, by the id of their interrupt."""
    found = result.get("__interrupt__", ()) if isinstance(result, dict) else result.interrupts
    own = [one for one in found if isinstance(one.value, dict) and MARK in one.value]
    return {one.id: one.value[MARK] for one in own}


def _resume(calls: RunCalls, turn: Any) -> Flow[dict[str, Answer] | None]:
    if "calls" not in turn:
        return None
    keys: dict[str, str] = turn.get("keys", {})
    resume: dict[str, Answer] = {}
    for name, call in turn["calls"].items():
        decision = yield from calls.decision(call, keys.get(name))
        resume[name] = {"holdpoint_key": decision.key}
    return resume


def _schema_of(tool: BaseTool) -> Any:
    """Returns nothing for a model of Pydantic 1, so that its edits are not checked."""
    schema = tool.tool_call_schema
    if isinstance(schema, dict):
        return schema
    return schema.model_json_schema() if issubclass(schema, BaseModel) else None
