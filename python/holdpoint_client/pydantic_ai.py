"""The adapter for Pydantic AI: the tools of an agent run only as people approved their calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from pydantic_ai import (
    DeferredToolRequests,
    DeferredToolResults,
    ModelRetry,
    RunContext,
    ToolApproved,
    ToolDenied,
)
from pydantic_ai.exceptions import ApprovalRequired
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.run import AgentRunResult
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset, ToolsetTool, WrapperToolset
from pydantic_core import to_jsonable_python

from .approval_errors import ApprovalError, ApprovalPending
from .approvals import AsyncApprovals
from .connection import Flow, checked
from .errors import HoldpointError
from .framework_calls import (
    GateOptions,
    RunCalls,
    WaitingCall,
    edit_note,
    id_of_use,
    run_once,
    with_note,
)
from .framework_calls import approved_call as approved_call
from .json_values import JsonObject, parse_exact

if TYPE_CHECKING:
    from typing_extensions import Unpack

_MARK = "holdpoint"


def gate(
    approvals: AsyncApprovals,
    *,
    run: str,
    tools: AbstractToolset[AgentDepsT] | Sequence[Any],
    **options: Unpack[GateOptions],
) -> Gate[AgentDepsT]:
    """Gates tools. A run of the agent ends when its model calls one of them. `park` asks people,
    and the process may end; `resume` continues. A tool runs only if `redeem` allows it, with the
    approved arguments, whatever the messages say.

    `run` names the agent's run for good, and its calls wait together. `tools` are functions and
    tools, or a toolset.
    """
    toolset = FunctionToolset[AgentDepsT](tools) if isinstance(tools, Sequence) else tools
    own = toolset.tools if isinstance(toolset, FunctionToolset) else {}
    schemas = {name: tool.tool_def.parameters_json_schema for name, tool in own.items()}
    calls = RunCalls(approvals._flows, run, schemas, checked(GateOptions, options))
    return Gate(approvals, calls, toolset)


class Gate(Generic[AgentDepsT]):
    """Gated tools, and the turns of one run."""

    toolset: AbstractToolset[AgentDepsT]
    """Give it to the agent, whose `output_type` has DeferredToolRequests."""

    def __init__(
        self, approvals: AsyncApprovals, calls: RunCalls, tools: AbstractToolset[AgentDepsT]
    ) -> None:
        self._approvals = approvals
        self._calls = calls
        self._keys: dict[str, str] = {}
        self.toolset = _GatedToolset(tools, approvals, self._keys)

    async def park(self, result: AgentRunResult[Any], state: Any = None) -> JsonObject | None:
        """Asks people about each waiting call, once, and returns the parked turn, which is JSON;
        None if no call waits. `state` is what `on_decided` gets; the parked turn unless given."""
        calls, turn = _waiting(result)
        return await self._approvals.run(self._calls.park(calls, turn, state))

    async def wait(self, result: AgentRunResult[Any]) -> JsonObject | None:
        """Asks people about each waiting call, waits for their decisions in this process, and
        returns the turn to resume; None if no call waits."""
        calls, turn = _waiting(result)
        return await self._approvals.run(self._calls.wait(calls, turn))

    async def resume(self, turn: Any) -> dict[str, Any]:
        """Returns what the agent's `run` gets: of a parked turn, or of a first one `{"prompt": …}`.
        Raises ApprovalPending unless all calls of the turn are decided."""
        if "messages" not in turn:
            return {"user_prompt": turn["prompt"]}
        messages = ModelMessagesTypeAdapter.validate_python(turn["messages"])
        results = await self._approvals.run(self._decided(messages, turn.get("keys", {})))
        return {"message_history": messages, "deferred_tool_results": results}

    def _decided(
        self, messages: list[ModelMessage], keys: Mapping[str, str]
    ) -> Flow[DeferredToolResults]:
        results = DeferredToolResults()
        for call in _unanswered(messages):
            name = call.tool_call_id
            if name not in keys and call.tool_name not in self._calls.schemas:
                continue
            waiting = _waiting_call(call, messages)
            decision = yield from self._calls.decision(waiting, keys.get(name))
            self._keys[name] = decision.key
            is_approved = decision.reason is None
            results.approvals[name] = (
                ToolApproved() if is_approved else ToolDenied(message=decision.reason or "")
            )
        return results


@dataclass
class _GatedToolset(WrapperToolset[AgentDepsT]):
    """Tools that redeem their calls, run what people approved, and tell the model first what a
    person edited."""

    approvals: AsyncApprovals
    keys: dict[str, str]
    """By the id of each decided call that has not run yet, the key that it redeems."""

    async def call_tool(
        self,
        name: str,
        tool_args: dict[str, Any],
        ctx: RunContext[AgentDepsT],
        tool: ToolsetTool[AgentDepsT],
    ) -> Any:
        if not ctx.tool_call_approved:
            raise ApprovalRequired(metadata={_MARK: True})
        key = self.keys.pop(ctx.tool_call_id or "", None)
        if key is None:
            detail = (
                f'Nobody was asked about this call of "{name}". Give `run` what `resume` gives.'
            )
            raise HoldpointError("not_asked", detail)
        try:
            call = await self.approvals.redeem(key, named=name)
        except ApprovalPending:
            raise
        except ApprovalError as refusal:
            return refusal.message
        note = edit_note(call)

        async def execute(arguments: JsonObject) -> Any:
            # What runs is what was approved, and not what the framework was told.
            validated = tool.args_validator.validate_python(arguments)
            return to_jsonable_python(await self.wrapped.call_tool(name, validated, ctx, tool))

        try:
            output = await self.approvals.run(run_once(self.approvals._flows, key, call, execute))
        except ModelRetry as retry:
            raise ModelRetry(with_note(note, retry.message)) from retry
        return with_note(note, output)


def _waiting(result: AgentRunResult[Any]) -> tuple[dict[str, WaitingCall], JsonObject]:
    if not isinstance(result.output, DeferredToolRequests):
        return {}, {}
    messages, asked = result.all_messages(), result.output
    own = [one for one in asked.approvals if _MARK in asked.metadata.get(one.tool_call_id, {})]
    calls = {call.tool_call_id: _waiting_call(call, messages) for call in own}
    return calls, {"messages": ModelMessagesTypeAdapter.dump_python(messages, mode="json")}


def _unanswered(messages: Sequence[ModelMessage]) -> list[ToolCallPart]:
    """Returns the calls of the model's last response that have no result yet."""
    responses = [at for at, one in enumerate(messages) if isinstance(one, ModelResponse)]
    last = responses[-1] if responses else len(messages)
    calls = [
        part for one in messages[last:] for part in one.parts if isinstance(part, ToolCallPart)
    ]
    return [call for call in calls if not _results_of(call, messages[last:])]


def _waiting_call(call: ToolCallPart, messages: Sequence[ModelMessage]) -> WaitingCall:
    args = call.args or {}
    return {
        "tool_call_id": id_of_use(call.tool_call_id, _results_of(call, messages)),
        "tool": call.tool_name,
        "arguments": parse_exact(args) if isinstance(args, str) else args,
    }


def _results_of(call: ToolCallPart, messages: Sequence[ModelMessage]) -> int:
    """Counts the results of calls with the same id."""
    parts = [part for one in messages for part in one.parts if isinstance(part, ToolReturnPart)]
    return sum(part.tool_call_id == call.tool_call_id for part in parts)
