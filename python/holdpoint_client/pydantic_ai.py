"""Approvals for the tools of Pydantic AI agents.

`GatedToolset` pauses a run at each call of its tools. `ask` asks people about the paused calls, and
`results` waits for their decisions, with which the run goes on. The tools redeem their calls, so
nothing runs that people have not approved, whatever the framework is told.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pydantic_ai import (
    DeferredToolRequests,
    DeferredToolResults,
    RunContext,
    ToolApproved,
    ToolDenied,
)
from pydantic_ai.exceptions import ApprovalRequired
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset
from pydantic_core import to_jsonable_python

from .approval_errors import ApprovalError, ApprovalPending
from .approvals import AskedRequest, AsyncApprovals, Redeemed
from .errors import HoldpointError
from .json_values import call_key, parse_exact

Deps = TypeVar("Deps")

_KEY = "holdpoint_key"
_REDEEMED = "holdpoint_redeemed"
_HASH_CHARACTERS = 65
"""The end of a key: a colon and the hash of the arguments."""


async def ask(
    approvals: AsyncApprovals,
    requests: DeferredToolRequests,
    *,
    run: str,
    resume: Any = None,
    request: Mapping[str, Any] | None = None,
) -> list[AskedRequest]:
    """Asks for the approval of the paused calls, each once. `run` names the run for good, `resume`
    is the state of an agent that does not wait, and `request` has what people see."""
    return [
        await approvals.ask(
            run=run,
            tool_call_id=call.tool_call_id,
            tool=call.tool_name,
            arguments=_arguments(call),
            resume=resume,
            request=request,
        )
        for call in requests.approvals
    ]


async def results(
    approvals: AsyncApprovals, requests: DeferredToolRequests, *, run: str
) -> DeferredToolResults:
    """Waits until all calls that `ask` has asked about are decided, in this process or another."""
    decided = DeferredToolResults()
    keys = [call_key(run, call.tool_call_id, _arguments(call)) for call in requests.approvals]
    views = await asyncio.gather(*(approvals.wait(key) for key in keys))
    for call, key, view in zip(requests.approvals, keys, views, strict=True):
        if view["status"] == "approved":
            approved = view["proposal"]["calls"][0]["arguments"]
            decided.approvals[call.tool_call_id] = ToolApproved(override_args=approved)
            decided.metadata[call.tool_call_id] = {_KEY: key}
        else:
            reason = await _why_not(approvals, key)
            decided.approvals[call.tool_call_id] = ToolDenied(message=reason)
    return decided


@dataclass
class GatedToolset(WrapperToolset[Deps]):
    """Runs the tools of another toolset only as people have approved their calls."""

    approvals: AsyncApprovals

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Deps], tool: ToolsetTool[Deps]
    ) -> Any:
        if not ctx.tool_call_approved:
            raise ApprovalRequired
        key = (ctx.tool_call_metadata or {}).get(_KEY, "")
        if not key[:-_HASH_CHARACTERS].endswith(f":{ctx.tool_call_id}"):
            raise HoldpointError("not_asked", "The results are not those that results() returned.")
        try:
            call = await self.approvals.redeem(key, named=name)
        except ApprovalPending:
            raise
        except ApprovalError as error:
            return error.message
        result = call.result
        if call.completed_at is None:
            # What runs is what was approved, and not what the framework was told.
            arguments = tool.args_validator.validate_python(call.arguments)
            known = {**ctx.tool_call_metadata, _REDEEMED: call}
            context = replace(ctx, tool_call_metadata=known)
            returned = await self.wrapped.call_tool(name, arguments, context, tool)
            result = to_jsonable_python(returned)
            await self.approvals.complete(key, result)
        if not call.edited:
            return result
        ran = json.dumps(call.arguments, ensure_ascii=False)
        return {"note": f"A person changed the arguments. {name} ran with {ran}.", "result": result}


def redeemed(ctx: RunContext[Any]) -> Redeemed:
    """Returns the approved call that a tool carries out. Its effect needs the `idempotency_key`."""
    call: Redeemed = ctx.tool_call_metadata[_REDEEMED]
    return call


def _arguments(call: ToolCallPart) -> Any:
    args = call.args if call.args is not None else {}
    return parse_exact(args) if isinstance(args, str) else args


async def _why_not(approvals: AsyncApprovals, key: str) -> str:
    """Returns why a call was not approved, for the model."""
    try:
        await approvals.redeem(key)
    except ApprovalError as error:
        return error.message
    raise HoldpointError("unexpected_reply", "The call is approved, although its approval is not.")
