"""The calls of the API as generators, so that both clients share all their logic.

A call yields what it needs from outside: a request to send, or a pause. `drivers.py` has the two
loops that run it, one blocking and one on asyncio.
"""

from __future__ import annotations

import logging
import math
import random
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypedDict, TypeVar
from urllib.parse import quote, urlsplit

from .errors import ConnectionError, HoldpointError, SuspensionUnsupportedError
from .json_values import JsonObject, wire_json

T = TypeVar("T")
Options = TypeVar("Options", bound=Mapping[str, Any])

logger = logging.getLogger("holdpoint_client")


@dataclass(frozen=True)
class Send:
    """A request to send once; `path` begins after /v1."""

    method: str
    path: str
    query: Mapping[str, str | int]
    headers: Mapping[str, str]
    body: bytes | None
    seconds: float
    """How long the reply may take."""


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class Reply:
    """A 2xx reply."""

    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True)
class Work:
    """A function of the user to call with an event, and a flow that goes on until it returns. The
    event is set if that flow fails."""

    function: Callable[[Any], Any]
    beside: Generator[Any, Any, None] | None = None


Step: TypeAlias = Send | Pause | Work
Flow: TypeAlias = Generator[Step, Any, T]
"""What comes back is the reply to a Send, or the result of a Work."""

Repeatable: TypeAlias = Literal["always", "undelivered"]
"""`always` for reads and calls with a key, `undelivered` for calls that must not run twice."""

Token: TypeAlias = str | Callable[[], str] | Callable[[], Awaitable[str]]
"""A bearer token, or a function that returns a valid one and is called before each try."""


_PATIENCE = 45.0
"""Longer than the usual limits of the service, so that it gives up first."""
_WRITTEN = "Holdpoint-Written"
_WRITTEN_KEPT = 60.0
_WRITTEN_CHARACTERS = 4_000
_KNOWN_NOT_FOUND = {"intent_not_found", "suspension_not_found", "lease_not_found"}
_FIRST_PAUSE = 0.25
_LONGEST_PAUSE = 15.0
_PASSING = {408, 429, 500, 502, 503, 504}
"""The temporary statuses of a restarting or busy service, or of a proxy before it."""
_UNTOUCHED = {"moving", "busy", "too_many_requests", "http_429"}
"""The refusals that changed nothing."""


class ConnectionOptions(TypedDict, total=False):
    """How a client signs in, by `api_key` or by `token`, and how long it tries."""

    api_key: str | None
    token: Token | None
    traceparent: Callable[[], str | None]
    """Returns the trace of a call (W3C Trace Context)."""
    tries: int
    """The most tries of a call; 10 by default, which takes about a minute."""
    within_seconds: float
    """The seconds that all tries of a call may take together; no limit by default."""


class Connection:
    """Makes the requests of calls. It sends none itself: see `drivers.py`."""

    def __init__(self, base_url: str, options: ConnectionOptions) -> None:
        self.address = _server_address(base_url)
        self.api_key, self.token = options.get("api_key"), options.get("token")
        if (self.api_key is None) == (self.token is None):
            raise TypeError("A client signs in by api_key or by token: give one of them.")
        if not re.fullmatch("[\x21-\x7e]*", self.api_key or ""):
            raise TypeError("api_key has a character that no header can carry, such as “…”.")
        self._traceparent = options.get("traceparent")
        self._tries = options.get("tries", 10)
        self._within = options.get("within_seconds", math.inf)
        self._written: list[tuple[str, float]] = []
        self._said_away = False

    def call(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        query: Mapping[str, str | int] | None = None,
        repeatable: Repeatable = "always",
        tries: float | None = None,
        patience: float = _PATIENCE,
    ) -> Flow[Reply]:
        """Makes a call, and repeats it if that is safe."""
        content = None if body is None else wire_json(body)
        until = time.monotonic() + self._within
        most = self._tries if tries is None else tries
        failures = 0
        while True:
            seconds = max(0.001, min(patience, until - time.monotonic()))
            try:
                headers = self._headers(method)
                reply: Reply = yield Send(method, path, query or {}, headers, content, seconds)
                break
            except HoldpointError as error:
                failures += 1
                pause = pause_before_retry(failures, error)
                is_last = failures >= most or time.monotonic() + pause >= until
                if is_last or not may_repeat(error, repeatable):
                    raise
                self._say_away(error)
            yield Pause(pause)
        self._said_away = False
        self._note_written(reply.headers.get(_WRITTEN.lower()))
        warnings = reply.body.get("warnings") if isinstance(reply.body, dict) else None
        if method != "GET" and isinstance(warnings, list):
            for text in warnings:
                logger.warning("Holdpoint warns: %s", text)
        return reply

    def read(self, path: str, **query: str | int) -> Flow[JsonObject]:
        return _object_in((yield from self.call("GET", path, query=query)))

    def repeat(self, path: str, body: Mapping[str, Any]) -> Flow[JsonObject]:
        """Posts what may be sent again after a lost reply, because it has a key of its own."""
        return _object_in((yield from self.call("POST", path, body)))

    def write(self, path: str, body: Mapping[str, Any]) -> Flow[JsonObject]:
        """Posts something at most once."""
        return _object_in((yield from self.call("POST", path, body, repeatable="undelivered")))

    def _headers(self, method: str) -> dict[str, str]:
        traceparent = self._traceparent() if self._traceparent else None
        written = self._written_header() if method == "GET" else None
        named = {"traceparent": traceparent, _WRITTEN: written}
        return {name: value for name, value in named.items() if value}

    def _note_written(self, name: str | None) -> None:
        """Notes a write, so that reads at another replica of the service show it."""
        if name:
            others = [one for one in self._written if one[0] != name]
            self._written = [(name, time.monotonic()), *others]

    def _written_header(self) -> str:
        now, room, names = time.monotonic(), _WRITTEN_CHARACTERS, []
        for name, at in self._written:
            room -= len(name) + 1
            if now - at < _WRITTEN_KEPT and room >= 0:
                names.append((name, at))
        self._written = names
        return ",".join(name for name, _ in names)

    def _say_away(self, error: HoldpointError) -> None:
        """Warns if no Holdpoint answers at the address; once, until a call succeeds."""
        is_away = isinstance(error, ConnectionError) or error.code.startswith("http_")
        if is_away and not self._said_away:
            self._said_away = True
            logger.warning("%s Trying again.", error.message)


def pause_before_retry(failures: int, error: HoldpointError | None = None) -> float:
    """Returns the seconds before the next try: at least `Retry-After`, and else up to 15 s.

    They are up to a fifth shorter, so that many clients do not return in step.
    """
    full: float = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(failures - 1, 10))
    wanted = error.retry_after_seconds if error else None
    return max(full * (1 - random.random() / 5), wanted or 0)


def may_repeat(error: HoldpointError, repeatable: Repeatable) -> bool:
    if isinstance(error, ConnectionError):
        return repeatable == "always" or error.delivered == "no"
    if error.status is None:
        return False
    return error.status in _PASSING if repeatable == "always" else error.code in _UNTOUCHED


def checked(kind: type, options: Options) -> Options:
    """Returns the options of a call. Raises TypeError for one that has no effect."""
    names = kind.__annotations__
    for name in options:
        if name not in names:
            raise TypeError(f"There is no option {name}. Known are {', '.join(names)}.")
    return options


def path_of(collection: str, name: str, rest: str = "") -> str:
    """Returns the path of an entity. The name is escaped, because it may come from outside."""
    return f"/{collection}/{quote(name, safe='')}{rest}"


def random_key() -> str:
    return secrets.token_hex(16)


def supported(call: Flow[JsonObject]) -> Flow[JsonObject]:
    """Tells a server without questions from one that does not know this question."""
    try:
        return (yield from call)
    except HoldpointError as error:
        if error.status == 404 and error.code not in _KNOWN_NOT_FOUND:
            raise SuspensionUnsupportedError from error
        raise


def unexpected(wanted: str) -> HoldpointError:
    return HoldpointError("unexpected_reply", f"The reply does not hold {wanted}.")


def _object_in(reply: Reply) -> JsonObject:
    if not isinstance(reply.body, dict):
        raise unexpected("an object")
    return reply.body


def _server_address(base_url: str) -> str:
    """Returns the address without a slash at its end. Raises TypeError for an unusable one."""
    if not re.match("https?://", base_url, re.IGNORECASE):
        raise TypeError(
            f"base_url {base_url} must begin with http:// or https://, as in http://127.0.0.1:4000."
        )
    parts = urlsplit(base_url)
    address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}".rstrip("/")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise TypeError(
            f"base_url {address} must hold neither a user, a query nor a fragment; "
            "the key is api_key."
        )
    if re.match("/v1(/|$)", parts.path) or address.endswith("/v1"):
        raise TypeError(f"base_url {address} must be written without /v1, which the client adds.")
    return address
