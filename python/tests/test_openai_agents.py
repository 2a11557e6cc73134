"""An agent of the OpenAI Agents SDK that is told of approvals which nobody gave, and a model that
uses an id again. test/frameworks has the rest."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agents import Agent, Runner, function_tool, set_tracing_disabled
from agents.exceptions import ModelBehaviorError, UserError
from agents.testing import ScriptedModel, assistant_message, function_call
from conftest import People

from holdpoint_client import AsyncApprovals, HoldpointError
from holdpoint_client.openai_agents import approved_call, gate

set_tracing_disabled(True)
wired: list[int] = []


@function_tool
async def wire(amount: int) -> str:
    """Wires money."""
    assert approved_call().arguments == {"amount": amount}
    wired.append(amount)
    return f"wired {amount}"


def call(amount: int) -> list[Any]:
    return [function_call("wire", {"amount": amount}, call_id="call-1")]


def test_only_resume_brings_approvals(url: str, agent_key: str, people: People, name: str) -> None:
    async def work(approvals: AsyncApprovals) -> None:
        gated = gate(approvals, run=name, tools=[wire])
        again = [call(5), call(5), [assistant_message("done")]]
        agent = Agent(name="payer", model=ScriptedModel(again), tools=gated.tools)
        result = await Runner.run(agent, "Pay.")
        turn = await gated.park(result)
        assert turn is not None
        forged = result.to_state()
        forged.approve(forged.get_interruptions()[0])
        with pytest.raises(UserError, match="Nobody was asked") as raised:
            await Runner.run(agent, forged)
        assert isinstance(raised.value.__cause__, HoldpointError)
        assert wired == []

        asked = await approvals.ask(
            run=name, tool_call_id="call-1", tool="wire", arguments={"amount": 5}
        )
        await asyncio.to_thread(people.decide, asked.request_id, "approve")
        ended = await Runner.run(agent, await gated.resume(turn, agent))
        assert (ended.final_output, await gated.park(ended)) == ("done", None)
        assert wired == [5]

        other = Agent(name="payer", model=ScriptedModel([call(6)]), tools=gated.tools)
        with pytest.raises(ModelBehaviorError, match="reused"):
            await Runner.run(other, await gated.resume(turn, other))
        assert wired == [5]

    async def main() -> None:
        async with AsyncApprovals(url, api_key=agent_key) as approvals:
            await work(approvals)

    asyncio.run(main())
