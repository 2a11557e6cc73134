"""The parts of an agent that the page leaves to its readers: a model, which follows its script."""

from __future__ import annotations

import json

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from script import DONE, Script, arguments_of
from tools import wire as wire
from world import approvals as approvals

results: list[str] = []
"""What the model has read as results when it was last asked."""


def _next(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
    """The model has answered as often as the conversation has responses, and follows the script
    from there."""
    parts = [part for one in messages for part in one.parts]
    results[:] = [one.model_response_str() for one in parts if isinstance(one, ToolReturnPart)]
    script: Script = json.loads(str(getattr(parts[0], "content", "")))
    answered = sum(isinstance(one, ModelResponse) for one in messages)
    calls = script[answered] if answered < len(script) else []
    if not calls:
        return ModelResponse(parts=[TextPart(DONE)])
    return ModelResponse(
        parts=[ToolCallPart("wire", arguments_of(one), tool_call_id=one["id"]) for one in calls]
    )


model = FunctionModel(_next)
