"""Turns HTTP replies into values and errors."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from .connection import Reply
from .errors import HoldpointError

_SHOWN_CHARACTERS = 1_000


def reply_of(status: int, headers: Mapping[str, str], content: bytes, address: str) -> Reply:
    """Returns a 2xx reply. Raises HoldpointError for any other, and for one that is not JSON."""
    try:
        body = json.loads(content) if content else None
    except ValueError:
        if not 200 <= status < 300:
            raise error_of(status, headers, None, address) from None
        text = f"The reply of {address} is not JSON: is that Holdpoint?"
        raise HoldpointError("unexpected_reply", text, status=status) from None
    if not 200 <= status < 300:
        raise error_of(status, headers, body, address)
    return Reply(headers, body)


def error_of(status: int, headers: Mapping[str, str], body: Any, address: str) -> HoldpointError:
    """Returns the error for a reply that is not 2xx.

    A body that is no problem of RFC 9457, from a proxy or another server, has the code
    `http_<status>` and a message with the address, which may be wrong.
    """
    problem = body if isinstance(body, dict) else {}
    code = _text(problem.get("code"))
    detail = _text(problem.get("detail")) or _text(problem.get("title"))
    detail = detail or _status_text(status, headers)
    if code is None:
        code, detail = f"http_{status}", f"No reply of Holdpoint at {address}: {detail}."
    choices = problem.get("valid_choices")
    choices = [one for one in choices if isinstance(one, str)] if isinstance(choices, list) else []
    field, accepted = _text(problem.get("field")), _text(problem.get("accepted"))
    state = problem.get("state")
    return HoldpointError(
        code,
        _with_accepted(detail, field, ", ".join(choices) or accepted),
        detail=detail,
        status=status,
        field=field,
        accepted=accepted,
        valid_choices=choices or None,
        state=state if isinstance(state, dict) else None,
        retry_after_seconds=_retry_after(headers.get("retry-after")),
    )


def _with_accepted(detail: str, field: str | None, accepted: str | None) -> str:
    """Adds what would be accepted, unless the detail says so already."""
    if accepted is None or accepted in detail:
        return detail
    cut = len(accepted) > _SHOWN_CHARACTERS
    shown = f"{accepted[:_SHOWN_CHARACTERS]}…" if cut else accepted
    is_named = field is None or shown.startswith(f"{field}: ")
    return f"{detail} Accepted{'' if is_named else f' for {field}'}: {shown}."


def _status_text(status: int, headers: Mapping[str, str]) -> str:
    """Names only the host of a redirect: the rest of its address may be secret."""
    to = urlsplit(headers.get("location", ""))
    place = f", a redirect to {to.scheme}://{to.netloc.rpartition('@')[2]}" if to.netloc else ""
    return f"HTTP status {status}{place}"


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _retry_after(header: str | None) -> float | None:
    """`Retry-After` is a number of seconds or an HTTP date."""
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None
