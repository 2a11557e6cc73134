"""The OpenAI Agents SDK, as the twelve cases use it. `go` and `payer` are what the page shows."""

from __future__ import annotations

import json
import re
from typing import Any

import agent
from agent import approvals
from agents import Agent, Runner
from agents.testing import ModelCall, ModelStep, ScriptedModel, assistant_message, function_call
from helper import payer
from page import go as go
from script import Script
from tools import wire

from holdpoint_client.openai_agents import gate


def begin(script: Script) -> dict[str, Any]:
    return {"input": json.dumps(script)}


async def results(_run: str) -> list[str]:
    return agent.results


def tampered(turn: dict[str, Any], amount: int, all: bool) -> dict[str, Any]:
    """Changes each copy of the calls in the state, and takes out the SDK's own record of them."""
    text = re.sub(r'(?<=\\"amount\\":)\d+', str(amount), json.dumps(turn["state"]))
    state = json.loads(text)
    assert state != turn["state"]
    state["context"]["tool_invocations"] = {}
    return {"state": state, **({} if all else {"keys": turn["keys"]})}


async def delegate(run: str, script: Script) -> str:
    """Runs an agent that has the script carried out by another agent."""

    def next_of(call: ModelCall) -> list[Any]:
        items = [one for one in call.input if isinstance(one, dict)]
        told = [one["output"] for one in items if one.get("type") == "function_call_output"]
        task = {"input": json.dumps(script)}
        if told:
            return [assistant_message(told[0])]
        return [function_call("payer", task, call_id="delegate-1")]

    gated = gate(approvals, run=run, tools=[wire])
    model = ScriptedModel([ModelStep.respond(next_of)] * 2)
    outer = Agent(name="outer", model=model, tools=[payer(gated.tools)])
    result = await Runner.run(outer, "Delegate it.")
    while turn := await gated.wait(result):
        result = await Runner.run(outer, await gated.resume(turn, outer))
    return str(result.final_output)
