"""The parts of an agent that the page leaves to its readers: a model, which follows its script."""

from __future__ import annotations

import json
from typing import Any

from agents import set_tracing_disabled
from agents.testing import ModelCall, ModelStep, ScriptedModel, assistant_message, function_call
from script import DONE, Script, arguments_of
from world import approvals as approvals

set_tracing_disabled(True)
_MOST_ANSWERS = 20
"""No process asks its model more often."""

results: list[str] = []
"""What the model has read as results when it was last asked."""


def _next(call: ModelCall) -> list[Any]:
    """Each result answers a call. The model makes the calls of the first turn that has none.

    The SDK takes a call with the id of an earlier one for the same call, and does not run it
    again. So the later call has an id of its own here, and people are asked about it.
    """
    first, *items = call.input if isinstance(call.input, list) else [{"content": call.input}]
    script: Script = json.loads(first["content"])
    results[:] = [one["output"] for one in items if one.get("type") == "function_call_output"]
    used = [one["call_id"] for one in items if one.get("type") == "function_call"]
    done = len(results)
    for turn in script:
        if done == 0:
            return [
                function_call("wire", arguments_of(one), call_id=_fresh(one["id"], used))
                for one in turn
            ]
        done -= len(turn)
    return [assistant_message(DONE)]


def _fresh(id: str, used: list[str]) -> str:
    return f"{id}-{len(used)}" if id in used else id


model = ScriptedModel([ModelStep.respond(_next)] * _MOST_ANSWERS)
