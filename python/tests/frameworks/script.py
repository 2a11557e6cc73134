"""What a model does: its calls in each turn. After the last turn it says that it is done."""

from __future__ import annotations

from typing import Any, TypedDict


class ScriptedCall(TypedDict):
    """A call of the tool `wire` that a model is to make."""

    id: str
    to: str
    amount: int


Script = list[list[ScriptedCall]]

DONE = "All done."


def arguments_of(call: ScriptedCall) -> dict[str, Any]:
    return {"to": call["to"], "amount": call["amount"]}
