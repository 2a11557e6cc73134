"""An agent that asks people, and waits for the answer."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .ask_options import (
    AskRemind,
    AskResult,
    AskTo,
    Choice,
    ended_by_deadline,
    question_of,
    result_of,
)
from .connection import (
    Connection,
    ConnectionOptions,
    Flow,
    Pause,
    checked,
    logger,
    path_of,
    pause_before_retry,
    random_key,
    supported,
    unexpected,
)
from .drivers import AsyncClient, SyncClient, blocking, on_asyncio
from .errors import HoldpointError, InputCancelledError, InputTimeoutError
from .json_values import JsonObject

if TYPE_CHECKING:
    import httpx
    from typing_extensions import Unpack

_LONG_POLL_SECONDS = 50
"""Under the limit of the service, 60 s, and under the idle limit of common proxies."""
_EXTRA_PATIENCE = 15
_HELD = 1.0
"""A pending reply that comes sooner means that the service could not hold the request."""
_LAST_PATIENCE = 5.0

_STOPPED = (KeyboardInterrupt, SystemExit, asyncio.CancelledError)
"""Who waits gives up."""


class AgentOptions(ConnectionOptions, total=False):
    """How an agent reaches Holdpoint, and how it asks."""

    default_human_retry_policy: Mapping[str, Any] | None
    """The retry policy of this agent, in the words of the wire; that of the service by default."""


class AgentFlows:
    def __init__(self, base_url: str, options: AgentOptions) -> None:
        self._policy = options.get("default_human_retry_policy")
        self.connection = Connection(base_url, checked(AgentOptions, options))

    def ask(
        self,
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
        key: str | None = None,
    ) -> Flow[AskResult]:
        """Asks people, and waits for as long as it takes: for yes or no, unless `choices`, `text`
        or `form` (a JSON Schema) is given.

        `timeout` is how long people have: `90s`, `15m`, `1h30m`, `2d`. `fallback` is the value if
        nobody answers in time. `key` names the question: the same call with the same key finds it
        again, so that nobody is asked twice after a crash.

        Raises InputTimeoutError if nobody answers in time and there is no fallback,
        InputCancelledError if the question is withdrawn, and HoldpointError for options that are
        not accepted. Ctrl-C, or cancelling the task, ends the wait; a question without a key is
        then withdrawn, because nobody could get its answer.
        """
        asked = question_of(
            question,
            choices=choices,
            text=text,
            form=form,
            context=context,
            timeout=timeout,
            remind=remind,
            to=to,
            fallback=fallback,
        )
        body = {**asked, "request_key": key or random_key(), "agent_retry_policy": self._policy}
        try:
            view = yield from _open(self.connection, body)
            settled = yield from wait_until_settled(self.connection, view)
        except _STOPPED:
            if key is None:
                yield from _give_up(self.connection, body)
            raise
        result = result_of(settled["record"])
        if result is None:
            raise _end_without_answer(settled)
        return result

    def open_question(self, /, **question: Any) -> Flow[JsonObject]:
        """Asks in the words of the wire, and returns at once with the question. With a
        `request_key` the same call finds its question again, even in another process."""
        body = {"request_key": random_key(), **question, "agent_retry_policy": self._policy}
        return (yield from _open(self.connection, body))

    def wait_for_question(self, question: Mapping[str, Any]) -> Flow[JsonObject]:
        """Waits for the end of a question, and returns the question as it is then."""
        return (yield from wait_until_settled(self.connection, question))

    def withdraw_question(self, suspension_id: str, reason: str | None = None) -> Flow[JsonObject]:
        """Withdraws a question; its waiters get InputCancelledError."""
        path = path_of("suspensions", suspension_id, "/cancel")
        body = {} if reason is None else {"reason": reason}
        return (yield from supported(self.connection.write(path, body)))


class Agent(SyncClient[AgentFlows]):
    """An agent that asks people."""

    def __init__(
        self, base_url: str, *, http: httpx.Client | None = None, **options: Unpack[AgentOptions]
    ) -> None:
        super().__init__(AgentFlows(base_url, options), http)

    ask = blocking(AgentFlows.ask)
    open_question = blocking(AgentFlows.open_question)
    wait_for_question = blocking(AgentFlows.wait_for_question)
    withdraw_question = blocking(AgentFlows.withdraw_question)


class AsyncAgent(AsyncClient[AgentFlows]):
    """The same as Agent, on asyncio."""

    def __init__(
        self,
        base_url: str,
        *,
        http: httpx.AsyncClient | None = None,
        **options: Unpack[AgentOptions],
    ) -> None:
        super().__init__(AgentFlows(base_url, options), http)

    ask = on_asyncio(AgentFlows.ask)
    open_question = on_asyncio(AgentFlows.open_question)
    wait_for_question = on_asyncio(AgentFlows.wait_for_question)
    withdraw_question = on_asyncio(AgentFlows.withdraw_question)


def _open(connection: Connection, body: Mapping[str, Any]) -> Flow[JsonObject]:
    """Opens a question, or finds the one that its `request_key` has opened."""
    return _view((yield from supported(connection.repeat("/suspensions", body))))


def wait_until_settled(connection: Connection, view: Mapping[str, Any]) -> Flow[JsonObject]:
    """Waits however long it takes, also through restarts of the service."""
    current, hurried = dict(view), 0
    while current["state"] == "pending":
        seen, started = current["attempt"], time.monotonic()
        reply = yield from connection.call(
            "GET",
            path_of("suspensions", current["id"], "/wait"),
            query={"timeout_seconds": _LONG_POLL_SECONDS, "after_attempt": seen},
            tries=math.inf,
            patience=_LONG_POLL_SECONDS + _EXTRA_PATIENCE,
        )
        current = _view(reply.body)
        is_old = current["state"] == "pending" and current["attempt"] <= seen
        hurried = hurried + 1 if is_old and time.monotonic() - started < _HELD else 0
        if hurried > 0:
            yield Pause(pause_before_retry(hurried))
    return current


def _give_up(connection: Connection, body: Mapping[str, Any]) -> Flow[None]:
    """Withdraws a question, which is first found by its key: its reply may have been lost."""
    once: Any = {"tries": 1, "patience": _LAST_PATIENCE}
    try:
        reply = yield from connection.call("POST", "/suspensions", body, **once)
        path = path_of("suspensions", _view(reply.body)["id"], "/cancel")
        yield from connection.call("POST", path, {"reason": "asker_gave_up"}, **once)
    except HoldpointError as error:
        logger.warning("The question could not be withdrawn: %s", error.message)


def _end_without_answer(view: Mapping[str, Any]) -> HoldpointError:
    record = view["record"]
    if record.get("resolution") is None:
        return unexpected("the outcome of a settled suspension")
    if record["resolution"] == "expired" and not ended_by_deadline(record):
        return InputTimeoutError(record, view["attempt"])
    return InputCancelledError(record)


def _view(body: Any) -> JsonObject:
    """Returns the view of a suspension. A proxy may have sent something else."""
    if isinstance(body, dict) and isinstance(body.get("record"), dict) and "attempt" in body:
        return body
    raise unexpected("a suspension")
