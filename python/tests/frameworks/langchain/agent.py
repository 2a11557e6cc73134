"""The parts of an agent that the page leaves to its readers: a model, which follows its script, and
a checkpointer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import aiosqlite
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatResult
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from script import DONE, Script, arguments_of
from world import approvals as approvals

THREADS = Path(__file__).parent / "threads.sqlite"

# Another process may be writing.
checkpointer = AsyncSqliteSaver(aiosqlite.connect(THREADS, timeout=60))


last_read: list[str] = []
"""What the model has read as results when it was last asked."""


class ScriptedModel(GenericFakeChatModel):
    """A model that answers what `next` returns."""

    def bind_tools(self, tools: Any, **_more: Any) -> ScriptedModel:
        return self

    def _generate(self, messages: list[BaseMessage], *more: Any, **named: Any) -> ChatResult:
        self.messages = iter([self.next(messages)])
        return super()._generate(messages, *more, **named)

    def next(self, messages: list[BaseMessage]) -> AIMessage:
        """The model has answered as often as the conversation has messages of its own, and follows
        the script from there."""
        last_read[:] = results_in(messages)
        script: Script = json.loads(messages[0].text)
        answered = sum(isinstance(one, AIMessage) for one in messages)
        calls = script[answered] if answered < len(script) else []
        made = [{"id": one["id"], "name": "wire", "args": arguments_of(one)} for one in calls]
        return AIMessage("" if made else DONE, tool_calls=made)


def results_in(messages: list[BaseMessage]) -> list[str]:
    return [one.text for one in messages if isinstance(one, ToolMessage)]


model = ScriptedModel(messages=iter([]))
