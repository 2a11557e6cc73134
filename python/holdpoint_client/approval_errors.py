"""Why a call that needs approval does not run."""

from __future__ import annotations

from .errors import HoldpointError

_ADVICE = "Choose a different approach."


class ApprovalError(HoldpointError):
    """Base of the errors that stop a tool call that needs approval. The call must not run."""

    def __init__(self, tool: str, message: str, refusal: HoldpointError) -> None:
        super().__init__(refusal.code, message, **refusal.details())
        self.tool = tool


class ApprovalPending(ApprovalError):
    """Nobody has decided yet. Redeem again later, or leave the run to `on_decided`."""

    def __init__(self, tool: str, refusal: HoldpointError) -> None:
        super().__init__(tool, f'"{tool}" waits for approval.', refusal)


class ApprovalDenied(ApprovalError):
    """The call was rejected, denied or withdrawn. The message is for the model, as its result."""

    def __init__(self, tool: str, refusal: HoldpointError) -> None:
        text = f'Tool result for "{tool}": {_denied_text(refusal)}\n{_ADVICE}'
        super().__init__(tool, text, refusal)
        self.comment = _text_at(refusal, "comment")
        self.respondent = _text_at(refusal, "respondent")


class ApprovalExpired(ApprovalError):
    """Nobody decided in time, or nobody redeemed the call in time."""

    def __init__(self, tool: str, refusal: HoldpointError) -> None:
        text = "NOT APPROVED, because nobody decided in time."
        super().__init__(tool, f'Tool result for "{tool}": {text}\n{_ADVICE}', refusal)


class ProposalMutated(ApprovalError):
    """The call differs from the approved one, so it does not run. If `noted`, the log of the run
    records it."""

    def __init__(self, tool: str, refusal: HoldpointError, noted: bool = True) -> None:
        text = f'What "{tool}" was to run is not what was approved, so nothing runs.'
        super().__init__(tool, text, refusal)
        self.noted = noted


def approval_error_of(tool: str, error: HoldpointError) -> HoldpointError:
    """Returns the error for a refusal to redeem; the refusal itself if it is about other things."""
    if error.code == "approval_pending":
        return ApprovalPending(tool, error)
    if error.code == "proposal_mutation_detected":
        return ProposalMutated(tool, error)
    if error.code != "approval_decided":
        return error
    is_expired = _text_at(error, "status") == "expired"
    return ApprovalExpired(tool, error) if is_expired else ApprovalDenied(tool, error)


def _denied_text(refusal: HoldpointError) -> str:
    comment = _text_at(refusal, "comment")
    why = _text_at(refusal, "reason") if comment is None else comment
    reason = "" if why is None else f' Reason: "{why}"'
    if _text_at(refusal, "by") == "policy":
        return f"DENIED by policy.{reason}"
    if _text_at(refusal, "status") == "rejected":
        return f"REJECTED by human reviewer.{reason}"
    return f"NOT APPROVED, because the request was withdrawn.{reason}"


def _text_at(refusal: HoldpointError, name: str) -> str | None:
    value = (refusal.state or {}).get(name)
    return value if isinstance(value, str) else None
