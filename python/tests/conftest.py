"""Clients of a running service, and the people who answer there."""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any, TypeVar

import httpx
import pytest

from holdpoint_client import Agent, Approvals

T = TypeVar("T")

DEADLINE_SECONDS = 60


def look_until(look: Callable[[], T | None], what: str) -> T:
    """Looks again and again until there is something to see."""
    until = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < until:
        seen = look()
        if seen is not None:
            return seen
        threading.Event().wait(0.05)
    raise AssertionError(f"In vain: {what}.")


class People:
    """An operator, over plain HTTP."""

    def __init__(self, url: str, key: str) -> None:
        self._http = httpx.Client(base_url=f"{url}/v1", headers={"x-api-key": key}, timeout=60)

    def get(self, path: str, **query: Any) -> Any:
        reply = self._http.get(path, params=query)
        assert reply.is_success, reply.text
        return reply.json()

    def post(self, path: str, **body: Any) -> Any:
        reply = self._http.post(path, json=body)
        assert reply.is_success, reply.text
        return reply.json()

    def questions(self, question: str) -> list[Any]:
        """Returns the open questions with this text."""
        page = self.get("/suspensions", state="pending", limit=200)
        return [one for one in page["suspensions"] if one["record"]["question"] == question]

    def open_id(self, question: str) -> str:
        """Returns the id of a question, once it is asked."""

        def look() -> str | None:
            return next((str(one["id"]) for one in self.questions(question)), None)

        return look_until(look, f"nobody asks {question}")

    def answer(self, question: str, value: Any, **more: Any) -> None:
        self.post(f"/suspensions/{self.open_id(question)}/respond", value=value, **more)

    def decide(self, request_id: str, action: str, **more: Any) -> None:
        self.post(f"/requests/{request_id}/resume", action=action, **more)

    def close(self) -> None:
        self._http.close()


def _setting(name: str) -> str:
    value = os.environ.get(name)
    assert value, f"{name} is not set: these tests run by npm run test:python"
    return value


@pytest.fixture
def url() -> str:
    return _setting("HOLDPOINT_URL")


@pytest.fixture
def agent_key() -> str:
    return _setting("AGENT_KEY")


@pytest.fixture
def agent(url: str, agent_key: str) -> Iterator[Agent]:
    with Agent(url, api_key=agent_key) as one:
        yield one


@pytest.fixture
def approvals(url: str, agent_key: str) -> Iterator[Approvals]:
    with Approvals(url, api_key=agent_key) as one:
        yield one


@pytest.fixture
def people(url: str) -> Iterator[People]:
    one = People(url, _setting("HOLDPOINT_TEST_OPERATOR_KEY"))
    yield one
    one.close()


@pytest.fixture
def name() -> str:
    """A text that no other test uses."""
    return f"test-{uuid.uuid4().hex}"


Start = Callable[[Callable[[], T]], "Future[T]"]


@pytest.fixture
def start() -> Start[Any]:
    """Runs something in a thread, which ends with the process if its test fails."""

    def begin(work: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()

        def run() -> None:
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

        threading.Thread(target=run, daemon=True).start()
        return future

    return begin
