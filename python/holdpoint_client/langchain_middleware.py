"""The middleware that gates the tools of a LangChain agent."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ToolCallRequest
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from langgraph.types import Command, interrupt
from typing_extensions import TypedDict

from .approval_errors import ApprovalError, ApprovalPending
from .approvals import Approvals, AsyncApprovals
from .connection import Flow
from .errors import HoldpointError
from .framework_calls import (
    RunCalls,
    WaitingCall,
    edit_note,
    id_of_use,
    is_of_same_call,
    run_once,
    with_note,
)
from .json_values import JsonObject

MARK = "holdpoint"
"""Where the value of an interrupt has the call."""
_NOT_ASKED = "Nobody was asked about this call. Resume with what `resume` of the gate returned."

Result = ToolMessage | Command[Any]


class Answer(TypedDict):
    """What continues an interrupted call."""

    holdpoint_key: str


class GateMiddleware(AgentMiddleware[Any, Any, Any]):
    """Interrupts an agent at each call of its tools. When the agent resumes, redeems the call,
    runs what people approved, and tells the model first what a person edited."""

    name = "holdpoint"

    def __init__(
        self, approvals: Approvals | AsyncApprovals, calls: RunCalls, tools: Sequence[BaseTool]
    ) -> None:
        super().__init__()
        self.tools = tools
        self._approvals = approvals
        self._calls = calls

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Result]
    ) -> Result:
        if not isinstance(self._approvals, Approvals):
            raise TypeError("An agent that runs by `invoke` needs Approvals.")
        if not self._is_gated(request):
            return handler(request)
        key = self._key(request)
        return self._approvals.run(self._redeemed(request, key, handler))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Result]]
    ) -> Result:
        if not isinstance(self._approvals, AsyncApprovals):
            raise TypeError("An agent that runs by `ainvoke` needs AsyncApprovals.")
        if not self._is_gated(request):
            return await handler(request)
        key = self._key(request)
        return await self._approvals.run(self._redeemed(request, key, handler))

    def _is_gated(self, request: ToolCallRequest) -> bool:
        return any(tool.name == request.tool_call["name"] for tool in self.tools)

    def _key(self, request: ToolCallRequest) -> str:
        """Raises the interrupt the first time. When the agent resumes, returns what `resume` of
        the gate gave."""
        call = _waiting_call(request)
        # LangGraph checks the answer before it saves it.
        key = interrupt({MARK: call}, response_schema=Answer)["holdpoint_key"]
        if not is_of_same_call(key, self._calls.key(call)):
            raise HoldpointError("not_asked", _NOT_ASKED)
        return key

    def _redeemed(
        self, request: ToolCallRequest, key: str, handler: Callable[[ToolCallRequest], Any]
    ) -> Flow[Result]:
        call = request.tool_call
        names = {"name": call["name"], "tool_call_id": call["id"]}
        try:
            redeemed = yield from self._calls.flows.redeem(key, call["args"], call["name"])
        except ApprovalPending:
            raise
        except ApprovalError as refusal:
            return ToolMessage(refusal.message, status="error", **names)
        results: list[Result] = []

        def content(result: Result) -> Any:
            results.append(result)
            return getattr(result, "content", None)

        async def awaited(result: Awaitable[Result]) -> Any:
            return content(await result)

        def execute(arguments: JsonObject) -> Any:
            tool = None if request.tool is None else _checked_tool(request.tool, arguments)
            own = replace(request, tool=tool, tool_call={**call, "args": arguments})
            result = handler(own)
            return awaited(result) if inspect.isawaitable(result) else content(result)

        recorded = yield from run_once(self._calls.flows, key, redeemed, execute)
        result = results[0] if results else ToolMessage(recorded or "", **names)
        if isinstance(result, ToolMessage):
            result.content = _told(edit_note(redeemed), result.content)
        return result


def _checked_tool(tool: BaseTool, approved: JsonObject) -> BaseTool:
    """Returns a copy of the tool that runs with the approved arguments only, whatever another
    middleware makes of the call. LangGraph may add arguments that are not the model's."""

    def check(call: Any) -> None:
        if any(call["args"].get(name) != value for name, value in approved.items()):
            detail = "A middleware changed the approved arguments. List that of the gate last."
            raise HoldpointError("proposal_mutation_detected", detail)

    def invoke(call: Any, config: Any = None, **more: Any) -> Any:
        check(call)
        return tool.invoke(call, config, **more)

    async def ainvoke(call: Any, config: Any = None, **more: Any) -> Any:
        check(call)
        return await tool.ainvoke(call, config, **more)

    copy: BaseTool = tool.model_copy()
    # A tool is a model of Pydantic, which lets no method be set.
    object.__setattr__(copy, "invoke", invoke)
    object.__setattr__(copy, "ainvoke", ainvoke)
    return copy


def _told(note: str | None, content: Any) -> Any:
    if note is not None and isinstance(content, list):
        return [{"type": "text", "text": note}, *content]
    return with_note(note, content)


def _waiting_call(request: ToolCallRequest) -> WaitingCall:
    call, messages = request.tool_call, request.state["messages"]
    name = call["id"] or call["name"]
    results = sum(isinstance(one, ToolMessage) and one.tool_call_id == name for one in messages)
    return {
        "tool_call_id": id_of_use(name, results),
        "tool": call["name"],
        "arguments": call["args"],
    }
