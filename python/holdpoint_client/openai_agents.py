"""The adapter for the OpenAI Agents SDK: tools run only as people approved their calls."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agents import Agent, FunctionTool, RunContextWrapper, RunResult, RunResultStreaming, RunState
from agents.items import ToolApprovalItem
from agents.tool_context import ToolContext
from pydantic_core import to_jsonable_python

from .approval_errors import ApprovalError, ApprovalPending
from .approvals import AsyncApprovals
from .connection import checked
from .errors import HoldpointError
from .framework_calls import GateOptions, RunCalls, WaitingCall, edit_note, run_once, with_note
from .framework_calls import approved_call as approved_call
from .json_values import JsonObject, parse_exact

if TYPE_CHECKING:
    from typing_extensions import Unpack

_STRUCTURED = ("text", "image", "file")
"""The types of outputs that the SDK gives to the model as they are."""


def gate(
    approvals: AsyncApprovals,
    *,
    run: str,
    tools: Sequence[FunctionTool],
    **options: Unpack[GateOptions],
) -> Gate:
    """Gates tools. A run of the agent is interrupted when its model calls one of them. `park` asks
    people, and the process may end; `resume` continues. A tool runs only if `redeem` allows it,
    with the approved arguments, whatever the state of the run says.

    `run` names the agent's run for good, and its calls wait together.
    """
    schemas = {tool.name: tool.params_json_schema for tool in tools}
    calls = RunCalls(approvals._flows, run, schemas, checked(GateOptions, options))
    return Gate(approvals, calls, tools)


class Gate:
    """Gated tools, and the turns of one run."""

    tools: list[Any]
    """Give them to the agent, or to an agent that is a tool of it."""

    def __init__(
        self, approvals: AsyncApprovals, calls: RunCalls, tools: Sequence[FunctionTool]
    ) -> None:
        self._approvals = approvals
        self._calls = calls
        self._keys: dict[str, str] = {}
        """By the id of each decided call that has not run yet, the key that it redeems."""
        self._names = {tool.name for tool in tools}
        self.tools = [self._gated(tool) for tool in tools]

    async def park(
        self, result: RunResult | RunResultStreaming, state: Any = None
    ) -> JsonObject | None:
        """Asks people about each waiting call, once, and returns the parked turn, which is JSON;
        None if no call waits. `state` is what `on_decided` gets; the parked turn unless given."""
        calls, turn = self._waiting(result)
        return await self._approvals.run(self._calls.park(calls, turn, state))

    async def wait(self, result: RunResult | RunResultStreaming) -> JsonObject | None:
        """Asks people about each waiting call, waits for their decisions in this process, and
        returns the turn to resume; None if no call waits."""
        calls, turn = self._waiting(result)
        return await self._approvals.run(self._calls.wait(calls, turn))

    async def resume(self, turn: Any, agent: Agent[Any], context: Any = None) -> Any:
        """Returns what `Runner.run` gets: of a parked turn, or of a first one `{"input": …}`.
        Raises ApprovalPending unless all calls of the turn are decided. `context` is that of the
        run; the parked one unless given."""
        if "state" not in turn:
            return turn["input"]
        given = None if context is None else RunContextWrapper(context)
        state = await RunState.from_json(agent, turn["state"], context_override=given)
        keys = turn.get("keys", {})
        for item in filter(self._is_own, state.get_interruptions()):
            call = _waiting_call(item)
            name = call["tool_call_id"]
            decision = await self._approvals.run(self._calls.decision(call, keys.get(name)))
            if decision.reason is None:
                self._keys[name] = decision.key
                state.approve(item)
            else:
                state.reject(item, rejection_message=decision.reason)
        return state

    def _waiting(
        self, result: RunResult | RunResultStreaming
    ) -> tuple[dict[str, WaitingCall], JsonObject]:
        state = result.to_state()
        calls = [_waiting_call(one) for one in state.get_interruptions() if self._is_own(one)]
        turn = {"state": state.to_json()} if calls else {}
        return {call["tool_call_id"]: call for call in calls}, turn

    def _is_own(self, item: ToolApprovalItem) -> bool:
        return item.tool_name in self._names

    def _gated(self, tool: FunctionTool) -> FunctionTool:
        """Returns a tool that redeems its call, runs what people approved, and tells the model
        first what a person edited."""

        async def invoke(context: ToolContext[Any], given: str) -> Any:
            key = self._keys.pop(context.tool_call_id, None)
            if key is None:
                detail = f'Nobody was asked about this call of "{tool.name}".'
                raise HoldpointError(
                    "not_asked", f"{detail} Run the agent with what `resume` gives."
                )
            try:
                call = await self._approvals.redeem(key, parse_exact(given or "{}"), tool.name)
            except ApprovalPending:
                raise
            except ApprovalError as refusal:
                return refusal.message

            async def execute(arguments: JsonObject) -> Any:
                own = copy.copy(context)
                own.tool_arguments = json.dumps(arguments) if call.edited else given
                output = await tool.on_invoke_tool(own, own.tool_arguments)
                return to_jsonable_python(output, fallback=str)

            output = await self._approvals.run(run_once(self._calls.flows, key, call, execute))
            return _told(edit_note(call), output)

        gated = copy.copy(tool)
        gated.needs_approval = True
        gated.on_invoke_tool = invoke
        return gated


def _told(note: str | None, output: Any) -> Any:
    if note is None:
        return output
    outputs = output if isinstance(output, list) else [output]
    if all(isinstance(one, dict) and one.get("type") in _STRUCTURED for one in outputs):
        return [{"type": "text", "text": note}, *outputs]
    return with_note(note, output)


def _waiting_call(item: ToolApprovalItem) -> WaitingCall:
    """Ids need no count: the SDK refuses to use one again in a run."""
    return {
        "tool_call_id": item.call_id or "",
        "tool": item.tool_name or "",
        "arguments": parse_exact(item.arguments or "{}"),
    }
