"""Runs whose agents did not wait are continued once, in one process."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import threading
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from conftest import People, look_until

from holdpoint_client import Approvals, AsyncApprovals, DecidedRun, HoldpointError, WebhookError

KEY = b"of-the-subscription-32-bytes-long"
SECRET = f"whsec_{base64.b64encode(KEY).decode()}"


def ask(approvals: Approvals, run: str, call: str = "call-1", resume: Any = None) -> str:
    asked = approvals.ask(
        run=run, tool_call_id=call, tool="wire", arguments={"amount": 5}, resume=resume
    )
    return asked.request_id


def only(run: str, work: Callable[..., Any]) -> Callable[..., Any]:
    """Continues the runs of one test; other tests' runs stay for the next look."""

    def function(decided: DecidedRun, lost: threading.Event) -> Any:
        if decided.run != run:
            raise HoldpointError("not_mine", "This run is of another test.")
        return work(decided, lost)

    return function


def ignore(_error: Exception, _run: str | None) -> None:
    """Runs of other tests raise `not_mine`."""


def test_a_run_is_continued_once_all_its_calls_are_decided(
    approvals: Approvals, people: People, name: str
) -> None:
    first = ask(approvals, name, "call-1", {"step": 1})
    second = ask(approvals, name, "call-2", {"step": 2})
    seen: list[DecidedRun] = []
    look = only(name, lambda run, _lost: seen.append(run))
    people.decide(first, "approve")
    approvals.deliver_decided(look, on_error=ignore)
    assert seen == []
    people.decide(second, "reject")
    approvals.deliver_decided(look, on_error=ignore)
    assert [(one.run, one.state) for one in seen] == [(name, {"step": 2})]
    assert [one["approval_id"] for one in seen[0].approvals] == [first, second]
    approvals.deliver_decided(look, on_error=ignore)
    assert len(seen) == 1


def test_a_run_whose_function_raised_is_delivered_again(
    approvals: Approvals, people: People, name: str
) -> None:
    people.decide(ask(approvals, name, resume="state"), "approve")
    errors: list[Any] = []

    def note(error: Exception, run: str | None) -> None:
        if run == name:
            errors.append(error)

    def fail(_run: DecidedRun, _lost: threading.Event) -> None:
        raise OSError("away")

    approvals.deliver_decided(only(name, fail), on_error=note)
    assert [type(one) for one in errors] == [OSError]
    states: list[Any] = []
    approvals.deliver_decided(
        only(name, lambda run, _lost: states.append(run.state)), on_error=note
    )
    assert states == ["state"]


def test_a_state_of_an_older_form_is_migrated(
    approvals: Approvals, people: People, name: str
) -> None:
    resume = {"schema_version": "v1", "state": {"n": 1}}
    people.decide(ask(approvals, name, resume=resume), "approve")
    states: list[Any] = []
    look = only(name, lambda run, _lost: states.append(run.state))
    codes: list[str] = []

    def note(error: Exception, run: str | None) -> None:
        if run == name and isinstance(error, HoldpointError):
            codes.append(error.code)

    approvals.deliver_decided(look, on_error=note)
    assert (states, codes) == ([], ["unknown_schema_version"])
    approvals.deliver_decided(look, on_error=note, migrate=lambda state, version: [state, version])
    assert states == [[{"n": 1}, "v1"]]


def test_another_process_does_not_get_a_run_that_is_continued(
    url: str, agent_key: str, people: People, start: Any, name: str
) -> None:
    with (
        Approvals(url, api_key=agent_key, holder=f"{name}-1", lease_seconds=1) as first,
        Approvals(url, api_key=agent_key, holder=f"{name}-2") as second,
    ):
        people.decide(ask(first, name, resume=1), "approve")
        began, may_end = threading.Event(), threading.Event()
        lost: list[bool] = []

        def work(_run: DecidedRun, gone: threading.Event) -> None:
            began.set()
            assert may_end.wait(60)
            lost.append(gone.is_set())

        delivering = start(lambda: first.deliver_decided(only(name, work), on_error=ignore))
        assert began.wait(60)
        others: list[Any] = []
        until = time.monotonic() + 2.5  # longer than two leases, which are renewed meanwhile
        while time.monotonic() < until:
            second.deliver_decided(only(name, lambda *_: others.append(1)), on_error=ignore)
        may_end.set()
        delivering.result(120)
        assert (lost, others) == ([False], [])


def test_a_watch_hears_of_a_decision_by_webhook(
    approvals: Approvals, people: People, name: str
) -> None:
    seen: list[Any] = []
    watch = approvals.on_decided(
        only(name, lambda run, _lost: seen.append(run.state)),
        every_seconds=3_600,
        webhook_secrets=[SECRET],
        on_error=ignore,
    )
    try:
        people.decide(ask(approvals, name, resume="later"), "approve")
        other = '{"event": {"event_type": "intent.created"}}'
        watch.handle_webhook(signed(other), other)
        body = '{"event": {"event_type": "approval_resolved"}}'
        with pytest.raises(WebhookError):
            watch.handle_webhook({**signed(body), "webhook-id": "other"}, body)

        def look() -> bool | None:
            watch.handle_webhook(signed(body), body)
            return True if seen else None

        look_until(look, "the run is not continued")
    finally:
        watch.stop()
    assert seen == ["later"]


def test_a_watch_without_a_secret_refuses_webhooks(approvals: Approvals) -> None:
    watch = approvals.on_decided(lambda *_: None, every_seconds=3_600, on_error=ignore)
    with pytest.raises(WebhookError, match="No secret"):
        watch.handle_webhook(signed("{}"), "{}")
    watch.stop()
    with pytest.raises(TypeError, match="no option every"):
        approvals.deliver_decided(lambda *_: None, every=1)  # type: ignore[call-arg]


def test_the_async_client_watches_too(
    url: str, agent_key: str, approvals: Approvals, people: People, name: str
) -> None:
    async def watch() -> list[Any]:
        seen: list[Any] = []
        told = asyncio.Event()

        async def work(decided: DecidedRun, lost: asyncio.Event) -> None:
            if decided.run != name:
                raise HoldpointError("not_mine", "This run is of another test.")
            seen.append((decided.state, lost.is_set()))
            told.set()

        async with AsyncApprovals(url, api_key=agent_key) as client:
            watching = client.on_decided(work, every_seconds=0.1, on_error=ignore)
            await asyncio.to_thread(
                lambda: people.decide(ask(approvals, name, resume=[1]), "approve")
            )
            await asyncio.wait_for(told.wait(), 60)
            await watching.stop()
        return seen

    assert asyncio.run(watch()) == [([1], False)]


APPROVAL = {
    "approval_id": "a1",
    "status": "approved",
    "created_at": "2026-01-01T00:00:00Z",
    "proposal": {"run_id": "r"},
}


def test_a_lost_lease_is_told_to_the_function() -> None:
    """The service gives the run to another process at the second claim."""
    tokens = iter([1, 2])

    def service(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/approvals":
            is_open = request.url.params.get("checkpoint") == "open"
            return httpx.Response(200, json={"approvals": [APPROVAL] if is_open else []})
        if request.url.path.endswith("/claim"):
            claim = {"approval_id": "a1", "approval": APPROVAL, "checkpoint": None}
            return httpx.Response(200, json={**claim, "token": next(tokens)})
        return httpx.Response(409, json={"code": "stale_token", "detail": "No."})

    errors: list[Any] = []
    http = httpx.Client(transport=httpx.MockTransport(service))
    options: Any = {"api_key": "key", "http": http, "lease_seconds": 0.01}
    with Approvals("http://127.0.0.1:4000", **options) as approvals:
        found: list[bool] = []
        count = approvals.deliver_decided(
            lambda _run, lost: found.append(lost.wait(60)),
            on_error=lambda error, _run: errors.append(error),
        )
    assert (count, found) == (0, [True])
    assert [one.code for one in errors] == ["stale_token"]


def signed(body: str) -> dict[str, str]:
    timestamp = str(int(time.time()))
    proof = hmac.digest(KEY, f"evt.{timestamp}.{body}".encode(), hashlib.sha256)
    return {
        "webhook-id": "evt",
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{base64.b64encode(proof).decode()}",
    }
