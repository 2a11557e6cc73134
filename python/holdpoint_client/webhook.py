"""Verifies that a webhook request comes from Holdpoint (Standard Webhooks, HMAC-SHA-256)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import math
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

from .errors import WebhookError
from .json_values import parse_exact

_TOLERANCE_SECONDS = 300
"""How much two clocks may differ, and how long a copy of a request is valid."""
_PREFIX = "whsec_"


def verified_webhook(secrets: Sequence[str], headers: Mapping[str, str], body: str | bytes) -> Any:
    """Returns the parsed body of a request that one of the secrets has signed.

    `body` is the raw body. Raises WebhookError if no secret fits, if the request is more than five
    minutes old, and for a body that is not JSON.
    """
    found = {name.lower(): value for name, value in headers.items()}
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    identity, timestamp, signatures = (found.get(name) for name in names)
    if identity is None or timestamp is None or signatures is None:
        raise WebhookError("The request is not signed.")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or not _is_fresh(int(timestamp)):
        raise WebhookError("The signature is too old, or from the future.")
    content = body.encode() if isinstance(body, str) else body
    signed = f"{identity}.{timestamp}.".encode() + content
    for secret in secrets:
        proof = hmac.digest(_key_of(secret), signed, hashlib.sha256)
        if any(hmac.compare_digest(proof, given) for given in _proofs(signatures)):
            return _parsed(content)
    raise WebhookError("The signature fits no secret.")


def _is_fresh(seconds: int) -> bool:
    return abs(time.time() - seconds) <= _TOLERANCE_SECONDS


def _proofs(signatures: str) -> list[bytes]:
    versioned = (one.partition(",") for one in signatures.split(" "))
    decoded = (_decoded(text) for version, _, text in versioned if version == "v1")
    return [proof for proof in decoded if proof]


def _decoded(text: str) -> bytes:
    """Returns the bytes of base64, or none of them if the text is not base64."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _key_of(secret: str) -> bytes:
    key = _decoded(secret[len(_PREFIX) :]) if secret.startswith(_PREFIX) else b""
    if not key:
        raise TypeError(f"A secret of a subscription begins with {_PREFIX}.")
    return key


def _parsed(content: bytes) -> Any:
    # An event may quote values as deep as a request, and adds its own levels.
    try:
        return parse_exact(content, math.inf)
    except ValueError:
        raise WebhookError("The body is not JSON.") from None
