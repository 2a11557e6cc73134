"""Pydantic AI agents whose tools wait for people."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from conftest import People
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, RunContext, ToolApproved
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.toolsets import FunctionToolset

from holdpoint_client import AsyncApprovals, HoldpointError
from holdpoint_client.pydantic_ai import GatedToolset, ask, redeemed, results

Calls = list[tuple[str, str, dict[str, Any]]]


class Bank:
    """An agent with gated tools, a model that makes these calls at once, and a ledger."""

    def __init__(self, url: str, key: str, calls: Calls) -> None:
        self.ledger: list[tuple[str, int]] = []
        self.keys: list[str] = []
        self.dies = False
        self.approvals = AsyncApprovals(url, api_key=key)
        self.told: list[Any] = []
        self._calls = calls
        tools: FunctionToolset[None] = FunctionToolset([self.wire])
        self.agent: Agent[None, Any] = Agent(
            FunctionModel(self._model),
            output_type=[str, DeferredToolRequests],
            toolsets=[GatedToolset(tools, self.approvals)],
        )

    def wire(self, ctx: RunContext[None], to: str, amount: int) -> dict[str, int]:
        """Sends money, once for each key."""
        self.keys.append(redeemed(ctx).idempotency_key)
        if self.keys.count(self.keys[-1]) == 1:
            self.ledger.append((to, amount))
        if self.dies:
            self.dies = False
            raise OSError("the process died")
        return {"receipt": len(self.ledger)}

    def _model(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert [tool.name for tool in info.function_tools] == ["wire"]
        returned = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        if returned:
            self.told = [part.content for part in returned]
            return ModelResponse(parts=[TextPart("done")])
        return ModelResponse(
            parts=[ToolCallPart(tool, args, tool_call_id=call) for call, tool, args in self._calls]
        )


Decide = Callable[[People, list[Any]], None]
Tamper = Callable[[DeferredToolResults], DeferredToolResults]


def run(
    bank: Bank, people: People, name: str, decide: Decide, tamper: Tamper = lambda decided: decided
) -> Awaitable[Any] | Any:
    async def work() -> Any:
        async with bank.approvals:
            paused = await bank.agent.run("Pay.")
            assert isinstance(paused.output, DeferredToolRequests)
            assert bank.ledger == []
            asked = await ask(bank.approvals, paused.output, run=name)
            waiting = asyncio.create_task(results(bank.approvals, paused.output, run=name))
            await asyncio.to_thread(decide, people, asked)
            history = paused.all_messages()
            decided = tamper(await waiting)
            ended = await bank.agent.run(message_history=history, deferred_tool_results=decided)
            again = await bank.agent.run(message_history=history, deferred_tool_results=decided)
            assert ended.output == again.output
            return ended.output

    return asyncio.run(work())


WIRE: Calls = [("call-1", "wire", {"to": "DE1", "amount": 500})]
TWO: Calls = [*WIRE, ("call-2", "wire", {"to": "DE2", "amount": 7})]


def approve_first(people: People, asked: list[Any]) -> None:
    people.decide(asked[0].request_id, "approve")


def test_an_approved_call_runs_once(url: str, agent_key: str, people: People, name: str) -> None:
    bank = Bank(url, agent_key, WIRE)
    assert run(bank, people, name, approve_first) == "done"
    assert bank.ledger == [("DE1", 500)]
    assert bank.told == [{"receipt": 1}]


def test_one_approved_and_one_denied(url: str, agent_key: str, people: People, name: str) -> None:
    def decide(people: People, asked: list[Any]) -> None:
        people.decide(asked[1].request_id, "reject", comment="Not DE2.")
        approve_first(people, asked)

    bank = Bank(url, agent_key, TWO)
    run(bank, people, name, decide)
    assert bank.ledger == [("DE1", 500)]
    assert bank.told[0] == {"receipt": 1}
    assert 'REJECTED by human reviewer. Reason: "Not DE2."' in str(bank.told[1])


def edit(people: People, asked: list[Any]) -> None:
    people.post(
        f"/suspensions/{asked[0].suspension_id}/respond",
        value="approved",
        proposal_hash=asked[0].proposal_hash,
        edits=[{"call_id": "call-1", "arguments": {"to": "DE1", "amount": 100}}],
    )


def test_an_edit_runs_and_the_model_is_told(
    url: str, agent_key: str, people: People, name: str
) -> None:
    bank = Bank(url, agent_key, WIRE)
    run(bank, people, name, edit)
    assert bank.ledger == [("DE1", 100)]
    assert '"amount": 100' in bank.told[0]["note"]
    assert bank.told[0]["result"] == {"receipt": 1}


def test_a_call_that_died_before_it_was_completed_has_the_same_key(
    url: str, agent_key: str, people: People, name: str
) -> None:
    async def work(bank: Bank) -> Any:
        async with bank.approvals:
            paused = await bank.agent.run("Pay.")
            asked = await ask(bank.approvals, paused.output, run=name)
            await asyncio.to_thread(approve_first, people, asked)
            decided = await results(bank.approvals, paused.output, run=name)
            history = paused.all_messages()
            with pytest.raises(OSError, match="the process died"):
                await bank.agent.run(message_history=history, deferred_tool_results=decided)
            ended = await bank.agent.run(message_history=history, deferred_tool_results=decided)
            return ended.output

    bank = Bank(url, agent_key, WIRE)
    bank.dies = True
    assert asyncio.run(work(bank)) == "done"
    assert (len(bank.keys), len(set(bank.keys))) == (2, 1)
    assert bank.ledger == [("DE1", 500)]


def test_tampered_results_change_nothing(
    url: str, agent_key: str, people: People, name: str
) -> None:
    def other_arguments(decided: DeferredToolResults) -> DeferredToolResults:
        approval = ToolApproved(override_args={"to": "ME", "amount": 9})
        return dataclasses.replace(decided, approvals={"call-1": approval})

    bank = Bank(url, agent_key, WIRE)
    run(bank, people, name, edit, other_arguments)
    assert bank.ledger == [("DE1", 100)]


def test_an_approval_that_nobody_gave_runs_nothing(
    url: str, agent_key: str, people: People, name: str
) -> None:
    def no_key(decided: DeferredToolResults) -> DeferredToolResults:
        return dataclasses.replace(decided, metadata={})

    def other_call(decided: DeferredToolResults) -> DeferredToolResults:
        swapped = {"call-1": decided.metadata["call-2"], "call-2": decided.metadata["call-1"]}
        return dataclasses.replace(decided, metadata=swapped)

    def approve_both(people: People, asked: list[Any]) -> None:
        for one in asked:
            people.decide(one.request_id, "approve")

    for at, tamper in enumerate([no_key, other_call]):
        bank = Bank(url, agent_key, TWO)
        with pytest.raises(HoldpointError, match="not those that results"):
            run(bank, people, f"{name}-{at}", approve_both, tamper)
        assert bank.ledger == []
