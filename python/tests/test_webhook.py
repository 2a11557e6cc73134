"""Signatures of webhook requests (Standard Webhooks)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time

import pytest

from holdpoint_client import WebhookError, verified_webhook

KEY = b"of-the-subscription-32-bytes-long"
SECRET = f"whsec_{base64.b64encode(KEY).decode()}"
OTHER = f"whsec_{base64.b64encode(b'of-another').decode()}"
BODY = '{"event": {"event_type": "approval_resolved", "name": "Zoë"}}'


def signed(body: str = BODY, age: float = 0, key: bytes = KEY) -> dict[str, str]:
    timestamp = str(int(time.time() - age))
    proof = hmac.digest(key, f"evt.{timestamp}.{body}".encode(), hashlib.sha256)
    return {
        "Webhook-Id": "evt",
        "Webhook-Timestamp": timestamp,
        "Webhook-Signature": f"v1a,abc v1,!! v1,{base64.b64encode(proof).decode()}",
    }


def test_a_signed_body_is_returned() -> None:
    for body in (BODY, BODY.encode()):
        event = verified_webhook([OTHER, SECRET], signed(), body)["event"]
        assert event["name"] == "Zoë"


def test_a_known_signature_fits() -> None:
    """The example of the specification of Standard Webhooks, except for its age."""
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time", lambda: 1614265330.0)
        assert verified_webhook([secret], headers, '{"test": 2432232314}') == {"test": 2432232314}


@pytest.mark.parametrize(
    ("headers", "body", "text"),
    [
        ({}, BODY, "is not signed"),
        ({**signed(), "Webhook-Signature": "v1,"}, BODY, "fits no secret"),
        (signed(key=b"another"), BODY, "fits no secret"),
        (signed(), BODY.replace("Zoë", "Zoe"), "fits no secret"),
        ({**signed(), "Webhook-Id": "other"}, BODY, "fits no secret"),
        (signed(age=600), BODY, "too old, or from the future"),
        (signed(age=-600), BODY, "too old, or from the future"),
        ({**signed(), "Webhook-Timestamp": "soon"}, BODY, "too old, or from the future"),
        (signed("no json"), "no json", "is not JSON"),
    ],
)
def test_a_request_that_is_not_proved_is_refused(
    headers: dict[str, str], body: str, text: str
) -> None:
    with pytest.raises(WebhookError, match=text) as raised:
        verified_webhook([SECRET], headers, body)
    assert raised.value.code == "webhook_refused"


def test_a_text_that_is_no_secret_is_refused() -> None:
    for secret in ("abc", "whsec_", "whsec_!"):
        with pytest.raises(TypeError, match="begins with whsec_"):
            verified_webhook([secret], signed(), BODY)
