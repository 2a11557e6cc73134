"""How the options of `ask` become a question of the wire."""

from __future__ import annotations

from typing import Any

import pytest

from holdpoint_client import HoldpointError
from holdpoint_client.ask_options import question_of


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        ({}, {"response_type": "confirm", "fallback_policy": "fail"}),
        (
            {"choices": ["a", {"value": "b", "label": "B", "style": "danger"}], "fallback": "a"},
            {
                "response_type": "choice",
                "choices": [
                    {"value": "a", "label": "a"},
                    {"value": "b", "label": "B", "style": "danger"},
                ],
                "fallback_policy": "complete_with_fallback",
                "fallback_value": "a",
            },
        ),
        (
            {"text": True, "context": {"order": 1}, "timeout": "1h30m"},
            {
                "response_type": "text",
                "context": {"order": 1},
                "timeout_seconds": 5_400,
                "fallback_policy": "fail",
            },
        ),
        (
            {"timeout": "1h", "remind": {"every": "15m"}, "to": "ana"},
            {
                "response_type": "confirm",
                "fallback_policy": "fail",
                "retry_policy": {"interval_seconds": 900, "max_attempts": 4},
                "decision_rule": {"eligible": {"principals": ["ana"], "groups": []}},
            },
        ),
        (
            {"remind": {"every": "90", "times": 1}, "to": {"groups": ["ops"], "channel": "slack"}},
            {
                "response_type": "confirm",
                "fallback_policy": "fail",
                "channel_hint": "slack",
                "decision_rule": {"eligible": {"principals": [], "groups": ["ops"]}},
                "retry_policy": {
                    "interval_seconds": 90,
                    "max_attempts": 2,
                    "escalation_ladder": [
                        {"attempt": 1, "channel_hint": "slack", "notify_to": "ops"},
                        {"attempt": 2, "channel_hint": "slack", "notify_to": "ops"},
                    ],
                },
            },
        ),
        (
            {"to": {"channel": "slack"}, "timeout": "1d2h3m4s"},
            {
                "response_type": "confirm",
                "fallback_policy": "fail",
                "channel_hint": "slack",
                "timeout_seconds": 93_784,
            },
        ),
    ],
)
def test_options_become_fields_of_the_wire(options: Any, sent: dict[str, Any]) -> None:
    assert question_of("Go?", **options) == {"question": "Go?", **sent}


@pytest.mark.parametrize(
    ("options", "field", "text"),
    [
        ({"timeout": "1 h"}, "timeout", "no duration"),
        ({"timeout": "0s"}, "timeout", "no duration"),
        ({"timeout": "36526d"}, "timeout", "at most 100 years"),
        ({"timeout": 60}, "timeout", "no duration"),
        ({"timeout": "٣s"}, "timeout", "no duration"),
        ({"remind": {"every": "1m"}}, "remind", "1 to 99"),
        ({"remind": {"every": "1m", "times": 0}}, "remind", "1 to 99"),
        ({"remind": {"every": "1m", "times": True}}, "remind", "1 to 99"),
        ({"remind": {"every": "7m"}, "timeout": "1h"}, "remind", "divides evenly"),
        ({"remind": {"every": "1m", "times": 3}, "timeout": "5m"}, "timeout", "after 240 seconds"),
        ({"to": {"people": "ana"}}, "to.people", "a list of principals"),
        ({"to": {}}, "to", "names nobody"),
        ({"to": {"channel": "slack", "people": []}}, "to", "names nobody"),
        ({"choices": "ab"}, "choices", "a list such as"),
        ({"text": True, "form": {}}, "choices", "one of choices"),
    ],
)
def test_options_without_a_meaning_are_refused(options: Any, field: str, text: str) -> None:
    with pytest.raises(HoldpointError, match=text) as raised:
        question_of("Go?", **options)
    assert (raised.value.code, raised.value.field) == ("invalid_request", field)
