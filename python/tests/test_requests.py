"""What is sent, when it is sent again, and what replies mean; the service is a function here."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from holdpoint_client import (
    Agent,
    Approvals,
    AsyncAgent,
    ConnectionError,
    HoldpointError,
    SuspensionUnsupportedError,
    drivers,
)

URL = "http://127.0.0.1:4000"
RECORD = {
    "id": "s1",
    "question": "Go?",
    "response_type": "confirm",
    "fallback_policy": "fail",
    "suspended_at": "2026-01-01T00:00:00.000Z",
}
PENDING = {"id": "s1", "state": "pending", "attempt": 1, "record": RECORD}
SETTLED = {
    **PENDING,
    "state": "settled",
    "record": {**RECORD, "resolution": "responded", "response": "yes", "responded_by": "ana"},
}
Step = httpx.Response | Exception


class Service:
    """Replies with these steps in turn, the last one from then on."""

    def __init__(self, *steps: Step) -> None:
        self.seen: list[httpx.Request] = []
        self._steps = list(steps)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        step = self._steps.pop(0) if len(self._steps) > 1 else self._steps[0]
        if isinstance(step, Exception):
            raise step
        return step

    def agent(self, **options: Any) -> Agent:
        options = {"api_key": "key", **options}
        return Agent(URL, http=httpx.Client(transport=httpx.MockTransport(self)), **options)


def reply(status: int, body: Any = None, **headers: str) -> httpx.Response:
    return httpx.Response(status, json=body, headers=headers)


def problem(status: int, code: str, **more: Any) -> httpx.Response:
    return httpx.Response(status, json={"code": code, "detail": "No.", **more})


def are_doubling(pauses: list[float], first: float = 0.25) -> bool:
    """Whether each pause is twice as long as the last, or up to a fifth shorter than that."""
    wanted = [first * 2**at for at in range(len(pauses))]
    return all(0.8 * full <= one <= full for one, full in zip(pauses, wanted, strict=True))


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Pauses end at once, and are noted."""
    lengths: list[float] = []
    monkeypatch.setattr(drivers.time, "sleep", lengths.append)  # type: ignore[attr-defined]
    return lengths


def test_a_question_is_repeated_under_one_key(pauses: list[float]) -> None:
    service = Service(
        httpx.ConnectError("away"),
        reply(503),
        httpx.ReadTimeout("silent"),
        reply(201, PENDING),
        reply(200, SETTLED),
    )
    assert service.agent().ask("Go?").by == "ana"
    bodies = [json.loads(one.content) for one in service.seen[:4]]
    assert len({body["request_key"] for body in bodies}) == 1
    assert bodies[0]["agent_retry_policy"] is None
    assert len(pauses) == 3
    assert are_doubling(pauses)
    assert {one.headers["x-api-key"] for one in service.seen} == {"key"}
    wait = service.seen[-1].url
    assert (wait.path, dict(wait.params)) == (
        "/v1/suspensions/s1/wait",
        {"timeout_seconds": "50", "after_attempt": "1"},
    )


def test_a_withdrawal_is_repeated_only_if_it_changed_nothing(pauses: list[float]) -> None:
    lost = Service(httpx.ReadError("lost"))
    with pytest.raises(ConnectionError) as raised:
        lost.agent().withdraw_question("s1")
    assert (raised.value.delivered, raised.value.address, len(lost.seen)) == ("unknown", URL, 1)
    busy = Service(problem(429, "busy"), httpx.ConnectError("away"), reply(200, RECORD))
    assert busy.agent().withdraw_question("s1")["id"] == "s1"
    assert len(busy.seen) == 3
    refused = Service(problem(503, "unavailable"))
    with pytest.raises(HoldpointError, match=r"^No\.$"):
        refused.agent().withdraw_question("s1")
    assert len(refused.seen) == 1


def test_a_call_ends_after_its_tries_and_its_time(pauses: list[float]) -> None:
    away = Service(httpx.ConnectError("away"))
    with pytest.raises(ConnectionError, match="cannot be reached at http://127"):
        away.agent().ask("Go?")
    assert len(away.seen) == 10
    assert 20 < sum(pauses) < 75
    short = Service(httpx.ConnectError("away"))
    with pytest.raises(ConnectionError):
        short.agent(within_seconds=0.1).ask("Go?")
    assert len(short.seen) == 1


def test_a_port_that_nobody_listens_on_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ConnectionError, match=rf"at {address} \(ECONNREFUSED\)") as raised:
            Agent(address, api_key="key", tries=1).ask("Go?")
    assert raised.value.delivered == "no"


def test_a_wait_goes_on_however_long_the_service_is_away(pauses: list[float]) -> None:
    service = Service(reply(201, PENDING), *[reply(502)] * 40, reply(200, SETTLED))
    assert service.agent().ask("Go?").approved
    assert max(pauses) <= 15


def test_a_pause_is_at_least_what_the_service_wants(pauses: list[float]) -> None:
    wanted = problem(429, "too_many_requests")
    wanted.headers["retry-after"] = "40"
    service = Service(wanted, reply(201, SETTLED))
    service.agent().ask("Go?")
    assert pauses == [40]


def test_a_service_that_cannot_hold_a_wait_is_not_flooded(pauses: list[float]) -> None:
    service = Service(*[reply(201, PENDING) for _ in range(5)], reply(200, SETTLED))
    service.agent().ask("Go?")
    assert len(pauses) == 4
    assert are_doubling(pauses)


def test_a_refusal_says_what_would_be_accepted() -> None:
    body = {"field": "timeout_seconds", "accepted": "a number", "state": {"now": 1}}
    service = Service(problem(422, "invalid_request", **body))
    with pytest.raises(HoldpointError) as raised:
        service.agent().ask("Go?")
    error = raised.value
    assert error.message == "No. Accepted for timeout_seconds: a number."
    assert (error.detail, error.field, error.status) == ("No.", "timeout_seconds", 422)
    assert (error.accepted, error.state) == ("a number", {"now": 1})


@pytest.mark.parametrize(
    ("step", "code", "text"),
    [
        (httpx.Response(200, text="<html>"), "unexpected_reply", "is not JSON"),
        (reply(200, {"ok": True}), "unexpected_reply", "does not hold a suspension"),
        (httpx.Response(403, text="<html>"), "http_403", "No reply of Holdpoint at http://127"),
        (
            reply(302, None, location="https://evil.example/secret?x=1"),
            "http_302",
            "HTTP status 302, a redirect to https://evil.example.$",
        ),
    ],
)
def test_a_reply_of_something_else_is_an_error(step: Step, code: str, text: str) -> None:
    with pytest.raises(HoldpointError, match=text) as raised:
        Service(step).agent().ask("Go?")
    assert raised.value.code == code


def test_a_server_without_questions_is_told_apart() -> None:
    with pytest.raises(SuspensionUnsupportedError):
        Service(problem(404, "not_found")).agent().ask("Go?")
    with pytest.raises(HoldpointError) as raised:
        Service(problem(404, "suspension_not_found")).agent().withdraw_question("s1")
    assert raised.value.code == "suspension_not_found"


def test_warnings_and_a_server_that_is_away_are_logged(
    pauses: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "holdpoint_client")
    opened = {**PENDING, "warnings": ["Nobody is told."]}
    away = httpx.ConnectError("away")
    service = Service(away, away, reply(201, opened), reply(200, {**SETTLED, "warnings": ["Old."]}))
    service.agent().ask("Go?")
    assert [one.getMessage() for one in caplog.records] == [
        f"Holdpoint cannot be reached at {URL}. Trying again.",
        "Holdpoint warns: Nobody is told.",
    ]


def test_reads_name_the_writes_before_them() -> None:
    written = reply(201, PENDING)
    written.headers["Holdpoint-Written"] = "w1"
    service = Service(written, reply(200, SETTLED))
    service.agent().ask("Go?")
    assert service.seen[1].headers["holdpoint-written"] == "w1"


def test_a_token_is_fetched_before_each_try(pauses: list[float]) -> None:
    tokens = iter(["one", "two", "three"])
    service = Service(reply(503), reply(201, PENDING), reply(200, SETTLED))
    service.agent(api_key=None, token=lambda: next(tokens), traceparent=lambda: "00-a").ask("Go?")
    sent = [one.headers["authorization"] for one in service.seen]
    assert sent == ["Bearer one", "Bearer two", "Bearer three"]
    assert service.seen[0].headers["traceparent"] == "00-a"


def test_the_async_client_takes_an_async_token() -> None:
    service = Service(reply(201, PENDING), reply(200, SETTLED))

    async def token() -> str:
        return "later"

    async def ask() -> str | None:
        http = httpx.AsyncClient(transport=httpx.MockTransport(service))
        async with AsyncAgent(URL, token=token, http=http) as agent:
            return (await agent.ask("Go?")).by

    assert asyncio.run(ask()) == "ana"
    assert service.seen[0].headers["authorization"] == "Bearer later"
    with pytest.raises(TypeError, match="Only the async client"):
        service.agent(api_key=None, token=lambda: 7).ask("Go?")


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("127.0.0.1:4000", "must begin with http://"),
        ("http://127.0.0.1:4000/v1", "must be written without /v1"),
        ("http://127.0.0.1:4000?key=1", "must hold neither a user"),
        ("http://me:secret@127.0.0.1:4000", "^base_url http://127.0.0.1:4000 must hold neither"),
    ],
)
def test_an_address_that_no_call_could_reach_is_refused(address: str, text: str) -> None:
    make: list[Callable[..., Any]] = [Agent, AsyncAgent, Approvals]
    for client in make:
        with pytest.raises(TypeError, match=text):
            client(address, api_key="key")
        with pytest.raises(TypeError, match="no option timeout"):
            client(URL, api_key="key", timeout=3)
    with pytest.raises(TypeError, match="no header can carry"):
        Agent(URL, api_key="“key”")
