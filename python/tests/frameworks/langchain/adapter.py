"""LangChain, as the twelve cases use it. `go` and `payer` are what the page shows to users."""

from __future__ import annotations

import json
import re
import sqlite3
from typing import Any

from agent import THREADS, ScriptedModel, approvals, checkpointer, last_read, results_in
from helper import payer
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command
from page import go as go
from script import Script
from tools import wire

from holdpoint_client.langchain import gate


def begin(script: Script) -> dict[str, Any]:
    return {"messages": json.dumps(script)}


async def results(run: str) -> list[str]:
    """What the model has read in the whole run, or in that of the other agent. The process that
    ends a run need not ask its model."""
    saved = await checkpointer.aget_tuple({"configurable": {"thread_id": run}})
    assert saved
    messages: list[BaseMessage] = saved.checkpoint["channel_values"]["messages"]
    is_delegated = any(isinstance(one, ToolMessage) and one.name == "payer" for one in messages)
    return last_read if is_delegated else results_in(messages)


def tampered(turn: dict[str, Any], amount: int, all: bool) -> dict[str, Any]:
    """Changes what the checkpointer keeps, too."""
    text = json.dumps(turn["calls"])
    calls = json.loads(re.sub(r'(?<="amount": )\d+', str(amount), text))
    with sqlite3.connect(THREADS, timeout=60) as database:
        _change_amounts(database, amount)
    return {"calls": calls, **({} if all else {"keys": turn["keys"]})}


def _change_amounts(database: sqlite3.Connection, amount: int) -> None:
    """Amounts are kept as MessagePack, in two bytes."""

    def changed(blob: bytes) -> bytes:
        new = b"\xa6amount\xcd" + amount.to_bytes(2, "big")
        return re.sub(rb"\xa6amount\xcd..", lambda _old: new, blob, flags=re.DOTALL)

    database.create_function("changed", 1, changed)
    count = database.execute("UPDATE checkpoints SET checkpoint = changed(checkpoint)").rowcount
    count += database.execute("UPDATE writes SET value = changed(value)").rowcount
    assert count > 1


class _Delegating(ScriptedModel):
    """Gives the whole script to the other agent, and repeats its last words."""

    task: str

    def next(self, messages: list[BaseMessage]) -> AIMessage:
        if isinstance(messages[-1], ToolMessage):
            return AIMessage(messages[-1].text)
        call = {"id": "delegate-1", "name": "payer", "args": {"task": self.task}}
        return AIMessage("", tool_calls=[call])


async def delegate(run: str, script: Script) -> Any:
    """Runs an agent that has the script carried out by another agent."""
    gated = gate(approvals, run=run, tools=[wire])
    model = _Delegating(messages=iter([]), task=json.dumps(script))
    agent = create_agent(model, [payer([gated.middleware])], checkpointer=checkpointer)
    thread: RunnableConfig = {"configurable": {"thread_id": run}}
    result = await agent.ainvoke({"messages": [{"role": "user", "content": "Pay."}]}, thread)
    while turn := await gated.wait(result):
        result = await agent.ainvoke(Command(resume=await gated.resume(turn)), thread)
    return result["messages"][-1].text
