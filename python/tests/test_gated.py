"""Plain functions that run only once people have approved the call."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from conftest import People, look_until

from holdpoint_client import (
    ApprovalDenied,
    ApprovalPending,
    Approvals,
    AsyncApprovals,
    HoldpointError,
    Redeemed,
    ToolCall,
    gated,
)


def request_of(people: People, run: str) -> Any:
    def look() -> Any:
        found = people.get("/approvals", run_id=run, limit=10)["approvals"]
        return found[0] if found else None

    return look_until(look, f"nobody asks in {run}")


def test_a_gated_function_runs_once_as_it_was_approved(
    approvals: Approvals, people: People, start: Any, name: str
) -> None:
    ran: list[Any] = []

    @gated(approvals, prompt="Wire {amount} to {to}?")
    def wire(call: Redeemed, to: str, amount: int = 500) -> dict[str, Any]:
        """Sends money."""
        ran.append((to, amount, call.idempotency_key))
        return {"receipt": len(ran)}

    running = start(lambda: wire(ToolCall(name, "call-1"), to="DE1"))
    asked = request_of(people, name)
    assert ran == []
    assert asked["proposal"]["prompt"] == "Wire 500 to DE1?"
    assert asked["proposal"]["calls"][0]["tool"] == "wire"
    edited = {"to": "DE1", "amount": 100}
    people.post(
        f"/suspensions/{asked['suspension_id']}/respond",
        value="approved",
        proposal_hash=asked["proposal_hash"],
        edits=[{"call_id": "call-1", "arguments": edited}],
    )
    assert running.result(120) == {"receipt": 1}
    assert wire(ToolCall(name, "call-1"), "DE1", 500) == {"receipt": 1}
    assert [one[:2] for one in ran] == [("DE1", 100)]
    assert (wire.__name__, wire.__doc__) == ("wire", "Sends money.")


def test_no_edit_gives_a_gated_function_other_parameters(
    approvals: Approvals, people: People, start: Any, name: str
) -> None:
    @gated(approvals)
    def wire(call: Redeemed, amount: int) -> int:
        return amount

    running = start(lambda: wire(ToolCall(name, "call-1"), amount=1))
    asked = request_of(people, name)
    for arguments in ({"sum": 1}, {"amount": 1, "to": "me"}, {}):
        with pytest.raises(AssertionError, match="invalid_edit"):
            people.post(
                f"/suspensions/{asked['suspension_id']}/respond",
                value="approved",
                proposal_hash=asked["proposal_hash"],
                edits=[{"call_id": "call-1", "arguments": arguments}],
            )
    people.decide(asked["approval_id"], "approve")
    assert running.result(120) == 1


def test_a_rejected_function_does_not_run(
    approvals: Approvals, people: People, start: Any, name: str
) -> None:
    @gated(approvals, tool="drop_table", waits=False)
    def drop(call: Redeemed) -> None:
        raise AssertionError("it ran")

    with pytest.raises(ApprovalPending, match="drop_table"):
        drop(ToolCall(name, "call-1"))
    people.decide(request_of(people, name)["approval_id"], "reject", comment="Never.")
    with pytest.raises(ApprovalDenied, match="Never"):
        drop(ToolCall(name, "call-1"))


def test_an_async_function_is_gated_too(
    url: str, agent_key: str, people: People, name: str
) -> None:
    async def run() -> int:
        async with AsyncApprovals(url, api_key=agent_key) as approvals:

            @gated(approvals)
            async def double(call: Redeemed, amount: int) -> int:
                return amount * 2

            running = asyncio.ensure_future(double(ToolCall(name, "call-1"), 4))
            asked = await asyncio.to_thread(request_of, people, name)
            await asyncio.to_thread(people.decide, asked["approval_id"], "approve")
            return await running

    assert asyncio.run(run()) == 8


def test_a_function_that_fails_may_run_again_under_the_same_key(
    approvals: Approvals, people: People, name: str
) -> None:
    keys: list[str] = []

    @gated(approvals, waits=False)
    def wire(call: Redeemed) -> str:
        keys.append(call.idempotency_key)
        if len(keys) == 1:
            raise OSError("the bank is away")
        return "sent"

    with pytest.raises(ApprovalPending):
        wire(ToolCall(name, "call-1"))
    people.decide(request_of(people, name)["approval_id"], "approve")
    with pytest.raises(OSError, match="the bank is away"):
        wire(ToolCall(name, "call-1"))
    assert wire(ToolCall(name, "call-1")) == "sent"
    assert len(set(keys)) == 1


def test_a_function_whose_parameters_have_no_names_is_refused(approvals: Approvals) -> None:
    with pytest.raises(TypeError, match="a name for each parameter"):

        @gated(approvals)
        def wire(call: Redeemed, *amounts: int) -> None:
            raise AssertionError(amounts)

    with pytest.raises(TypeError, match="An async function needs AsyncApprovals"):

        @gated(approvals)
        async def later(call: Redeemed) -> None:
            raise AssertionError("it ran")

    with pytest.raises(TypeError, match="no option timeout"):
        gated(approvals, timeout="1h")  # type: ignore[call-arg]

    @gated(approvals)
    def half(call: Redeemed, text: str) -> None:
        raise AssertionError(text)

    with pytest.raises(HoldpointError, match="surrogate"):
        half(ToolCall("run", "call-1"), "\ud800")
