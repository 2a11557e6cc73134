"""A service that is away for a moment: nothing is lost, and nobody is asked twice."""

from __future__ import annotations

import os
import signal
from typing import Any

import httpx
from conftest import People

from holdpoint_client import Agent


def test_a_question_outlives_the_death_of_the_api(
    agent: Agent, people: People, start: Any, name: str
) -> None:
    waiting = start(lambda: agent.ask(f"{name} before"))
    people.open_id(f"{name} before")
    os.kill(int(os.environ["HOLDPOINT_TEST_API_PID"]), signal.SIGKILL)
    asked = start(lambda: agent.ask(f"{name} after"))
    # A client of its own: plain HTTP does not repeat what the death cuts off.
    opened = agent.open_question(question=f"{name} probe", response_type="confirm")
    agent.withdraw_question(opened["id"])
    for question in (f"{name} before", f"{name} after"):
        assert len([people.open_id(question)]) == len(people.questions(question)) == 1
        people.answer(question, "yes")
    assert waiting.result(120).approved
    assert asked.result(120).approved


class LostReplies(httpx.BaseTransport):
    """Delivers requests, and loses the first replies to those that write."""

    def __init__(self, count: int) -> None:
        self.left = count
        self._inner = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        reply = self._inner.handle_request(request)
        if request.method == "POST" and self.left > 0:
            reply.read()
            self.left -= 1
            raise httpx.ReadError("lost", request=request)
        return reply


def test_a_question_whose_replies_are_lost_is_asked_once(
    url: str, agent_key: str, people: People, start: Any, name: str
) -> None:
    losing = LostReplies(3)
    with Agent(url, api_key=agent_key, http=httpx.Client(transport=losing)) as agent:
        asked = start(lambda: agent.ask(name))
        people.open_id(name)
        assert len(people.questions(name)) == 1
        people.answer(name, "yes")
        assert asked.result(120).approved
    assert losing.left == 0
