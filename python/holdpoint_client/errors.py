"""The errors of the client, with the names and codes of the TypeScript client."""

from __future__ import annotations

import builtins
import errno
from typing import Any, Literal


class HoldpointError(Exception):
    """Base of all errors. `code` is an error code of the service or of the client."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        detail: str | None = None,
        status: int | None = None,
        field: str | None = None,
        accepted: str | None = None,
        valid_choices: list[str] | None = None,
        state: dict[str, Any] | None = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.detail = message if detail is None else detail
        """What is wrong. `message` also says what would be accepted."""
        self.status = status
        """The HTTP status; None if the error is not about a reply."""
        self.field = field
        """The path of the field at fault."""
        self.accepted = accepted
        self.valid_choices = valid_choices
        self.state = state
        """The current state, as far as the service tells it."""
        self.retry_after_seconds = retry_after_seconds

    def details(self) -> dict[str, Any]:
        """Returns the details, for an error that this refusal causes."""
        names = ("status", "field", "accepted", "valid_choices", "state", "retry_after_seconds")
        return {name: getattr(self, name) for name in names}


class ConnectionError(HoldpointError, builtins.ConnectionError):
    """No reply came. `delivered` is "no" if the request certainly did not reach the service."""

    def __init__(
        self, delivered: Literal["no", "unknown"], cause: BaseException, address: str
    ) -> None:
        reason = _reason(cause)
        text = "" if reason is None else f" ({reason})"
        super().__init__("connection_failed", f"Holdpoint cannot be reached at {address}{text}.")
        self.delivered = delivered
        self.address = address


def _reason(error: BaseException | None) -> str | None:
    """Returns the first error code of the operating system, such as ECONNREFUSED."""
    while error is not None:
        if isinstance(error, OSError) and (error.errno or 0) in errno.errorcode:
            return errno.errorcode[error.errno or 0]
        error = error.__cause__ or error.__context__
    return None


class SuspensionUnsupportedError(HoldpointError):
    """The server answers, but it has no endpoints for questions."""

    def __init__(self) -> None:
        text = "This server has no suspension endpoints: it cannot ask an operator."
        super().__init__("suspension_unsupported", text, status=404)


class InputTimeoutError(HoldpointError):
    """Nobody answered in time, and there is no fallback."""

    def __init__(self, suspension: dict[str, Any], attempts: int) -> None:
        super().__init__("input_timeout", f"Nobody answered after {attempts} attempt(s).")
        self.suspension = suspension
        self.attempts = attempts


class InputCancelledError(HoldpointError):
    """The question was withdrawn, or the deadline of a portfolio ended it."""

    def __init__(self, suspension: dict[str, Any]) -> None:
        past = suspension.get("resolution") == "expired"
        reason = "portfolio_deadline_exceeded" if past else suspension.get("reason")
        text = "." if reason is None else f": {reason}"
        super().__init__("input_cancelled", f"The question was withdrawn{text}")
        self.suspension = suspension
        self.reason: str | None = reason


class InexactJsonError(HoldpointError):
    """JSON that the service would not keep as it is. `field` says where."""

    def __init__(self, code: str, detail: str, *, field: str, accepted: str | None = None) -> None:
        super().__init__(code, detail, field=field, accepted=accepted)


class WebhookError(HoldpointError):
    """The request is not proved to come from Holdpoint. Answer it with 401."""

    def __init__(self, message: str) -> None:
        super().__init__("webhook_refused", message)
