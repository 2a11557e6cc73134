"""Pydantic AI, as the twelve cases use it. `go` and `pay` are what the page shows to users."""

from __future__ import annotations

import json
import re
from typing import Any

import agent
from page import go as go
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from script import Script
from waiting import pay


def begin(script: Script) -> dict[str, Any]:
    """What a run begins with. Its first message is the script, so that any process can play the
    model."""
    return {"prompt": json.dumps(script)}


async def results(_run: str) -> list[str]:
    """The results of calls that the model has read when it was last asked, as texts."""
    return agent.results


def tampered(turn: dict[str, Any], amount: int, all: bool) -> dict[str, Any]:
    """The parked turn with another amount in its calls; `all`: also without what tells that it is
    another."""
    text = json.dumps(turn["messages"])
    messages = json.loads(re.sub(r'(?<="amount": )\d+', str(amount), text))
    return {"messages": messages, **({} if all else {"keys": turn["keys"]})}


async def delegate(run: str, script: Script) -> str:
    """Runs an agent that has the script carried out by another agent, which waits for people."""

    async def payer(task: str) -> str:
        return await pay(run, task)

    def next_of(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        last = messages[-1].parts[-1]
        if isinstance(last, ToolReturnPart):
            return ModelResponse(parts=[TextPart(last.model_response_str())])
        task = {"task": json.dumps(script)}
        return ModelResponse(parts=[ToolCallPart("payer", task, tool_call_id="delegate-1")])

    outer = Agent(FunctionModel(next_of), tools=[payer])
    return (await outer.run("Delegate it.")).output
