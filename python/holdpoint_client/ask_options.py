"""The options of `ask`, which have short names, and the question of the wire that they make."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypedDict

from .errors import HoldpointError
from .json_values import JsonObject


class AskTo(TypedDict, total=False):
    """Who may answer, and the channel that notifies them."""

    people: Sequence[str]
    groups: Sequence[str]
    channel: str


class AskRemind(TypedDict, total=False):
    """Remind every `every`, `times` times. The question expires one `every` after the last."""

    every: str
    times: int


class Choice(TypedDict, total=False):
    """A choice with a label of its own."""

    value: str
    label: str
    description: str
    style: Literal["primary", "danger", "default"]


@dataclass(frozen=True)
class AskResult:
    """A person's answer, or the fallback if nobody answered in time."""

    value: Any
    choice: JsonObject | None
    """The choice with this value, if the question has choices."""
    approved: bool | None
    """Whether a question of yes or no got a yes; None for other questions."""
    by: str | None
    """Who answered; None for the fallback."""
    comment: str | None
    at: str
    """When it was answered, or when the fallback took effect (ISO-8601)."""
    is_fallback: bool
    suspension_id: str


_MOST_REMINDERS = 99
_MOST_SECONDS = 36_525 * 86_400
_DURATION_FORMS = "'90s', '15m', '1h30m' or '2d', and at most 100 years"
_UNITS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
_DURATION = re.compile(r"(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?", re.ASCII)


def question_of(
    question: str,
    *,
    choices: Sequence[str | Choice] | None = None,
    text: bool = False,
    form: Mapping[str, Any] | None = None,
    context: Mapping[str, Any] | None = None,
    timeout: str | None = None,
    remind: AskRemind | None = None,
    to: str | AskTo | None = None,
    fallback: Any = None,
) -> JsonObject:
    """Converts the options of `ask` into a question of the wire. The service checks the rest.

    Raises HoldpointError `invalid_request` for an invalid duration, and for options that
    contradict each other.
    """
    windows = _windows(timeout, remind)
    sent = {**_kind(choices, text, form), **_recipients(to, windows.get("max_attempts", 1))}
    retry_policy = {**windows, **_defined(escalation_ladder=sent.pop("escalation_ladder", None))}
    return {
        "question": question,
        **sent,
        **_defined(context=context, timeout_seconds=retry_policy.pop("timeout_seconds", None)),
        "fallback_policy": "fail" if fallback is None else "complete_with_fallback",
        **_defined(fallback_value=fallback, retry_policy=retry_policy or None),
    }


def result_of(record: Mapping[str, Any]) -> AskResult | None:
    """Returns the answer of a settled question, or its fallback; None if it has neither."""
    is_fallback = _fallback_counts(record)
    if record.get("resolution") != "responded" and not is_fallback:
        return None
    value = record.get("fallback_value" if is_fallback else "response")
    choices = record.get("choices") or []
    return AskResult(
        value=value,
        choice=next((one for one in choices if one["value"] == value), None),
        approved=value == "yes" if record["response_type"] == "confirm" else None,
        by=record.get("responded_by"),
        comment=record.get("comment"),
        at=record.get("responded_at") or record.get("settled_at") or record["suspended_at"],
        is_fallback=is_fallback,
        suspension_id=record["id"],
    )


def ended_by_deadline(record: Mapping[str, Any]) -> bool:
    """Whether the deadline of a portfolio ended the question, so that no fallback applies."""
    return record.get("resolution") == "expired" and record.get("reason") == "portfolio_deadline"


def _fallback_counts(record: Mapping[str, Any]) -> bool:
    expired = record.get("resolution") == "expired" and not ended_by_deadline(record)
    return expired and record.get("fallback_policy") != "fail"


def _refuse(field: str, detail: str, accepted: str) -> NoReturn:
    raise HoldpointError("invalid_request", detail, field=field, accepted=accepted)


def _defined(**fields: Any) -> JsonObject:
    return {name: value for name, value in fields.items() if value is not None}


def _refuse_unknown(given: Mapping[str, Any], known: list[str], place: str) -> None:
    """Refuses unknown names, because they would have no effect."""
    name = next((each for each in given if each not in known), None)
    if name is not None:
        accepted = ", ".join(known)
        _refuse(f"{place}.{name}", f"{place} has no {name}: it has {accepted}.", accepted)


def _kind(
    choices: Sequence[str | Choice] | None, text: bool, form: Mapping[str, Any] | None
) -> JsonObject:
    if (choices is not None) + text + (form is not None) > 1:
        accepted = "one of choices, text and form"
        _refuse("choices", f"Give {accepted}.", accepted)
    if text:
        return {"response_type": "text"}
    if form is not None:
        return {"response_type": "form", "response_schema": form}
    if choices is None:
        return {"response_type": "confirm"}
    listed = _list(choices, "choices", "a list such as ['refund', 'keep']")
    return {"response_type": "choice", "choices": [_choice(each) for each in listed]}


def _choice(choice: Any) -> Any:
    if isinstance(choice, str):
        return {"value": choice, "label": choice}
    return {"label": choice.get("value"), **choice}


def _list(value: Any, field: str, accepted: str) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        _refuse(field, f"{field} is not {accepted}.", accepted)
    return list(value)


def _seconds(text: Any, field: str) -> int:
    seconds = _seconds_of(text) if isinstance(text, str) else 0
    if not 1 <= seconds <= _MOST_SECONDS:
        _refuse(field, f"{field} is no duration: write {_DURATION_FORMS}.", _DURATION_FORMS)
    return seconds


def _seconds_of(text: str) -> int:
    if re.fullmatch(r"\d{1,10}", text, re.ASCII):
        return int(text)
    found = _DURATION.fullmatch(text)
    counts = found.groups("0") if found else ()
    return sum(each * int(count) for each, count in zip(_UNITS.values(), counts, strict=False))


def _windows(timeout: str | None, remind: AskRemind | None) -> dict[str, int]:
    """Returns the time for an answer: of the only attempt, or of several with an interval."""
    total = None if timeout is None else _seconds(timeout, "timeout")
    if remind is None:
        return _defined(timeout_seconds=total)
    _refuse_unknown(remind, ["every", "times"], "remind")
    every = _seconds(remind.get("every"), "remind.every")
    times = remind.get("times", None if total is None else total / every - 1)
    if times is None or times not in range(1, _MOST_REMINDERS + 1) or isinstance(times, bool):
        accepted = f"times from 1 to {_MOST_REMINDERS}, or a timeout that it divides evenly"
        _refuse("remind", f"remind needs {accepted}.", accepted)
    attempts = 1 + int(times)
    if total not in (None, attempts * every):
        detail = f"With these reminders the question expires after {attempts * every} seconds."
        _refuse("timeout", detail, f"no timeout, or '{attempts * every}s'")
    return {"interval_seconds": every, "max_attempts": attempts}


def _recipients(to: str | AskTo | None, attempts: int) -> JsonObject:
    """Returns the channel, who may answer, and in the ladder who is notified at each attempt."""
    if to is None:
        return {}
    named: AskTo = {"people": [to]} if isinstance(to, str) else to
    _refuse_unknown(named, ["people", "groups", "channel"], "to")
    channel = named.get("channel")
    people = _list(named.get("people", []), "to.people", "a list of principals")
    groups = _list(named.get("groups", []), "to.groups", "a list of groups")
    names = [*people, *groups]
    if not names and (channel is None or "people" in named or "groups" in named):
        accepted = "people, groups or a channel"
        _refuse("to", f"to names nobody: give {accepted}.", accepted)
    rule = {"eligible": {"principals": people, "groups": groups}} if names else None
    ladder = [
        {"attempt": at, "channel_hint": channel, "notify_to": name}
        for at in range(1, attempts + 1)
        for name in names
        if channel is not None
    ]
    return _defined(channel_hint=channel, decision_rule=rule, escalation_ladder=ladder or None)
