"""Approvals of tool calls, on a running service."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from conftest import People, look_until

from holdpoint_client import (
    ApprovalDenied,
    ApprovalExpired,
    ApprovalPending,
    Approvals,
    AskedRequest,
    AsyncApprovals,
    HoldpointError,
    ProposalMutated,
    Redeemed,
)

WIRE = {"to": "DE1", "amount": 500}


def ask(approvals: Approvals, run: str, tool: str = "wire", **more: Any) -> AskedRequest:
    return approvals.ask(run=run, tool_call_id="call-1", tool=tool, arguments=WIRE, **more)


def test_an_approved_call_is_redeemed_and_completed_once(
    approvals: Approvals, people: People, name: str
) -> None:
    asked = ask(approvals, name, request={"prompt": f"Wire 500 for {name}?"})
    assert (asked.status, ask(approvals, name).request_id) == ("suspended", asked.request_id)
    with pytest.raises(ApprovalPending, match='"wire" waits for approval'):
        approvals.redeem(asked.key)
    people.decide(asked.request_id, "approve", comment="Fine.")
    call = approvals.redeem(asked.key, WIRE, "wire")
    assert (call.arguments, call.edited, call.comment) == (WIRE, False, "Fine.")
    assert call.approvers[0]["principal"] == "alice"
    again = approvals.redeem(asked.key, WIRE)
    assert (again.idempotency_key, again.completed_at) == (call.idempotency_key, None)
    assert approvals.complete(asked.key, {"receipt": 7}).result == {"receipt": 7}
    done = approvals.redeem(asked.key)
    assert (done.result, done.completed_at is None) == ({"receipt": 7}, False)


def test_a_rejected_call_tells_the_model_why(
    approvals: Approvals, people: People, name: str
) -> None:
    asked = ask(approvals, name)
    people.decide(asked.request_id, "reject", comment="Too much.")
    with pytest.raises(ApprovalDenied) as raised:
        approvals.redeem(asked.key)
    assert raised.value.message == (
        'Tool result for "wire": REJECTED by human reviewer. Reason: "Too much."\n'
        "Choose a different approach."
    )
    assert (raised.value.comment, raised.value.respondent) == ("Too much.", "alice")


def test_a_rule_denies_at_once(approvals: Approvals, name: str) -> None:
    asked = ask(approvals, name, "forbidden")
    assert asked.status == "rejected"
    with pytest.raises(ApprovalDenied, match="DENIED by policy"):
        approvals.redeem(asked.key)


def test_an_edited_call_runs_as_it_was_edited(
    approvals: Approvals, people: People, name: str
) -> None:
    schema = {"type": "object", "properties": {"amount": {"type": "number", "maximum": 500}}}
    asked = ask(approvals, name, input_schema=schema)
    edits = [{"call_id": "call-1", "arguments": {"to": "DE1", "amount": 100}}]
    people.post(
        f"/suspensions/{asked.suspension_id}/respond",
        value="approved",
        proposal_hash=asked.proposal_hash,
        edits=edits,
    )
    call = approvals.redeem(asked.key, WIRE)
    assert (call.arguments["amount"], call.edited) == (100, True)


def test_an_undecided_call_expires(approvals: Approvals, name: str) -> None:
    asked = ask(approvals, name, "brief_wire")
    assert approvals.wait(asked.key)["status"] == "expired"
    with pytest.raises(ApprovalExpired, match="NOT APPROVED, because nobody decided in time"):
        approvals.redeem(asked.key)


def test_other_arguments_or_another_tool_do_not_run(
    approvals: Approvals, people: People, name: str
) -> None:
    asked = ask(approvals, name)
    people.decide(asked.request_id, "approve")
    for given, tool in [({"to": "DE2", "amount": 500}, "wire"), (WIRE, "mail")]:
        with pytest.raises(ProposalMutated) as raised:
            approvals.redeem(asked.key, given, tool)
        assert raised.value.noted
    assert approvals.redeem(asked.key, {"amount": 500.0, "to": "DE1"}, "wire").arguments == WIRE


def test_a_call_is_found_by_its_key_after_a_restart(
    url: str, agent_key: str, approvals: Approvals, people: People, name: str
) -> None:
    asked = ask(approvals, name)
    people.decide(asked.request_id, "approve")
    with Approvals(url, api_key=agent_key) as restarted:
        with pytest.raises(HoldpointError) as raised:
            restarted.complete(asked.key, 1)
        assert raised.value.code == "not_redeemed"
        restarted.redeem(asked.key, WIRE)
        assert restarted.complete(asked.key, 1).result == 1


def test_only_the_holder_of_the_lease_has_a_call(
    url: str, agent_key: str, people: People, name: str
) -> None:
    with (
        Approvals(url, api_key=agent_key, holder=f"{name}-1", lease_seconds=1) as first,
        Approvals(url, api_key=agent_key, holder=f"{name}-2") as second,
    ):
        asked = ask(first, name)
        people.decide(asked.request_id, "approve")
        held = first.redeem(asked.key)
        codes = set()

        def taken_over() -> Redeemed | None:
            try:
                return second.redeem(asked.key)
            except HoldpointError as error:
                codes.add(error.code)
                return None

        taken = look_until(taken_over, "the lease does not end")
        assert codes <= {"approval_in_use"}
        assert taken.token > held.token
        assert taken.idempotency_key == held.idempotency_key
        with pytest.raises(HoldpointError) as raised:
            first.complete(asked.key, "lost")
        assert raised.value.code == "stale_token"
        with pytest.raises(HoldpointError, match="other process") as busy:
            first.redeem(asked.key)
        assert busy.value.code == "approval_in_use"


def test_the_async_client_waits_and_redeems(
    url: str, agent_key: str, people: People, name: str
) -> None:
    async def wire() -> tuple[str, Any]:
        async with AsyncApprovals(url, api_key=agent_key) as approvals:
            asked = await approvals.ask(
                run=name, tool_call_id="call-1", tool="wire", arguments=WIRE
            )
            waiting = asyncio.create_task(approvals.wait(asked.key))
            await asyncio.to_thread(people.decide, asked.request_id, "approve")
            status = (await waiting)["status"]
            await approvals.redeem(asked.key, WIRE)
            return status, (await approvals.complete(asked.key, [1])).result

    assert asyncio.run(wire()) == ("approved", [1])


def test_arguments_that_are_no_json_are_refused_before_anything_is_sent(
    approvals: Approvals,
) -> None:
    bad: Any
    for bad in [float("nan"), 2**60 + 1, {"at": object()}]:
        with pytest.raises(HoldpointError) as raised:
            approvals.ask(run="r", tool_call_id="c", tool="wire", arguments={"x": bad})
        assert raised.value.code == "invalid_request"
        assert (raised.value.field or "").startswith("calls[0].arguments.x")
