"""Questions to people, on a running service."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from conftest import People, look_until

from holdpoint_client import (
    Agent,
    AsyncAgent,
    HoldpointError,
    InputCancelledError,
    InputTimeoutError,
)


def test_a_yes_is_returned_with_who_said_it(
    agent: Agent, people: People, start: Any, name: str
) -> None:
    asked = start(lambda: agent.ask(name, context={"order": 12345}, timeout="1h"))
    question = people.open_id(name)
    people.answer(name, "yes", comment="It was late.")
    answer = asked.result(120)
    assert (answer.value, answer.approved, answer.by) == ("yes", True, "alice")
    assert (answer.comment, answer.is_fallback) == ("It was late.", False)
    assert answer.suspension_id == question
    assert answer.at == people.get(f"/suspensions/{question}")["record"]["responded_at"]


def test_a_no_is_not_approved(agent: Agent, people: People, start: Any, name: str) -> None:
    asked = start(lambda: agent.ask(name))
    people.answer(name, "no")
    assert asked.result(120).approved is False


def test_a_choice_is_returned_with_its_label(
    agent: Agent, people: People, start: Any, name: str
) -> None:
    choices: Any = ["refund", {"value": "keep", "label": "Keep the money", "style": "danger"}]
    asked = start(lambda: agent.ask(name, choices=choices))
    people.answer(name, "keep")
    answer = asked.result(120)
    assert (answer.value, answer.approved) == ("keep", None)
    assert answer.choice["label"] == "Keep the money"


def test_a_text_and_a_form_are_returned(
    agent: Agent, people: People, start: Any, name: str
) -> None:
    text = start(lambda: agent.ask(f"{name} text", text=True))
    schema = {"type": "object", "properties": {"amount": {"type": "integer"}}}
    form = start(lambda: agent.ask(f"{name} form", form=schema))
    people.answer(f"{name} text", "Zoë 😀")
    people.answer(f"{name} form", {"amount": 7})
    assert text.result(120).value == "Zoë 😀"
    assert form.result(120).value == {"amount": 7}


def test_silence_raises(agent: Agent, name: str) -> None:
    with pytest.raises(InputTimeoutError) as raised:
        agent.ask(name, timeout="1s")
    assert (raised.value.code, raised.value.attempts) == ("input_timeout", 1)
    assert raised.value.suspension["question"] == name


def test_silence_returns_the_fallback(agent: Agent, name: str) -> None:
    answer = agent.ask(name, timeout="1s", fallback="no")
    assert (answer.value, answer.approved, answer.by) == ("no", False, None)
    assert answer.is_fallback


def test_a_withdrawn_question_raises(agent: Agent, people: People, start: Any, name: str) -> None:
    asked = start(lambda: agent.ask(name))
    agent.withdraw_question(people.open_id(name), "the order is gone")
    with pytest.raises(InputCancelledError, match="the order is gone"):
        asked.result(120)


def test_the_same_key_asks_once(agent: Agent, people: People, start: Any, name: str) -> None:
    both = [start(lambda: agent.ask(name, key=name)) for _ in range(2)]
    people.answer(name, "yes")
    assert len({one.result(120).suspension_id for one in both}) == 1
    assert agent.ask(name, key=name).approved is True


def test_a_question_is_opened_now_and_awaited_later(
    agent: Agent, people: People, name: str
) -> None:
    opened = agent.open_question(question=name, response_type="confirm")
    people.answer(name, "yes")
    assert agent.wait_for_question(opened)["record"]["response"] == "yes"


def test_bad_input_is_refused_with_its_field(agent: Agent, name: str) -> None:
    for options, field in [
        ({"timeout": "soon"}, "timeout"),
        ({"to": {"people": []}}, "to"),
        ({"remind": {"every": "1m", "often": 3}}, "remind.often"),
        ({"choices": ["a"], "text": True}, "choices"),
        ({"choices": []}, "choices"),
        ({"context": {"at": {1, 2}}}, "context.at"),
        ({"context": {"half": "\ud800"}}, "context.half"),
        ({"form": {"type": "nothing"}}, "response_schema.type"),
    ]:
        with pytest.raises(HoldpointError) as raised:
            agent.ask(name, **options)  # type: ignore[arg-type]
        assert raised.value.field == field, options
    with pytest.raises(TypeError, match="timeout_seconds"):
        agent.ask(name, timeout_seconds=3600)  # type: ignore[call-arg]


def test_a_missing_key_and_a_wrong_one_are_told_apart(url: str, name: str) -> None:
    with pytest.raises(TypeError, match="api_key or by token"):
        Agent(url)
    with Agent(url, api_key="wrong") as wrong, pytest.raises(HoldpointError) as raised:
        wrong.ask(name)
    assert (raised.value.code, raised.value.status) == ("unauthenticated", 401)
    missing = Agent(url, token="wrong")
    with missing, pytest.raises(HoldpointError) as refused:
        missing.ask(name)
    assert refused.value.message != raised.value.message


def test_the_async_client_asks_many_at_once(
    url: str, agent_key: str, people: People, name: str
) -> None:
    async def ask() -> list[Any]:
        async with AsyncAgent(url, api_key=agent_key) as agent:
            asked = [asyncio.create_task(agent.ask(f"{name} {at}")) for at in range(5)]
            for at in range(5):
                await asyncio.to_thread(people.answer, f"{name} {at}", "yes" if at % 2 else "no")
            return [answer.approved for answer in await asyncio.gather(*asked)]

    assert asyncio.run(ask()) == [False, True, False, True, False]


def test_a_cancelled_task_withdraws_its_question(
    url: str, agent_key: str, people: People, name: str
) -> None:
    async def give_up(key: str | None, question: str) -> str:
        async with AsyncAgent(url, api_key=agent_key) as agent:
            task = asyncio.create_task(agent.ask(question, key=key))
            asked = await asyncio.to_thread(people.open_id, question)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return asked

    withdrawn = people.get(f"/suspensions/{asyncio.run(give_up(None, name))}")["record"]
    assert (withdrawn["resolution"], withdrawn["reason"]) == ("cancelled", "asker_gave_up")
    kept = people.get(f"/suspensions/{asyncio.run(give_up(name, f'{name} kept'))}")
    assert kept["state"] == "pending"
    people.answer(f"{name} kept", "no")


def test_reminders_and_recipients_reach_the_service(
    agent: Agent, people: People, start: Any, name: str
) -> None:
    asked = start(
        lambda: agent.ask(name, to={"people": ["alice"]}, remind={"every": "1h", "times": 2})
    )
    record = people.get(f"/suspensions/{people.open_id(name)}")["record"]
    assert record["retry_policy"]["max_attempts"] == 3
    assert record["decision_rule"]["eligible"]["principals"] == ["alice"]
    people.answer(name, "yes")
    assert look_until(lambda: asked.result(120) if asked.done() else None, "no answer").approved
