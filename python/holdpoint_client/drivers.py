"""The two loops that run calls: one blocking, one on asyncio."""

from __future__ import annotations

import asyncio
import functools
import inspect
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar

import httpx

from .connection import Connection, Flow, Pause, Reply, Send, Step, Work
from .errors import ConnectionError, HoldpointError
from .replies import reply_of

T = TypeVar("T")
P = ParamSpec("P")
Flows = TypeVar("Flows", bound="HasConnection")
Client = TypeVar("Client", bound="SyncClient[Any] | AsyncClient[Any]")

_LIMITS = httpx.Limits(max_connections=None)
"""Each wait for an answer has a connection."""
_NOT_CONNECTED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class HasConnection(Protocol):
    """The calls of a client, as generators."""

    @property
    def connection(self) -> Connection: ...


class SyncClient(Generic[Flows]):
    """Runs calls in the calling thread; several threads may share a client. `close`, or the end of
    `with`, ends its connections."""

    def __init__(self, flows: Flows, http: httpx.Client | None) -> None:
        self._flows = flows
        self._http = http or httpx.Client(limits=_LIMITS)

    def close(self) -> None:
        self._http.close()

    def __enter__(self: Client) -> Client:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def run(self, flow: Flow[T], pause: Callable[[float], object] | None = None) -> T:
        try:
            step = next(flow)
            while True:
                try:
                    result = self._do(step, pause or time.sleep)
                except BaseException as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(result)
        except StopIteration as end:
            value: T = end.value
            return value

    def _do(self, step: Step, pause: Callable[[float], object]) -> Any:
        if isinstance(step, Pause):
            return pause(step.seconds)
        if isinstance(step, Work):
            return self._work(step, step.beside) if step.beside else step.function(None)
        given = self._flows.connection.token
        token = given() if callable(given) else given
        if token is not None and not isinstance(token, str):
            raise TypeError("token returns no text. Only the async client takes an async function.")
        with _transport_errors(self._flows.connection):
            request = _request(self._http, self._flows.connection, step, token)
            response = self._http.send(request, follow_redirects=False)
        return _reply(response, self._flows.connection)

    def _work(self, work: Work, flow: Flow[None]) -> Any:
        done, lost = threading.Event(), threading.Event()

        def pause(seconds: float) -> None:
            if done.wait(seconds):
                raise _DoneError

        def beside() -> None:
            try:
                self.run(flow, pause)
            except _DoneError:
                return
            except HoldpointError:
                lost.set()

        thread = threading.Thread(target=beside, daemon=True)
        thread.start()
        try:
            return work.function(lost)
        finally:
            done.set()
            thread.join()


class AsyncClient(Generic[Flows]):
    """Runs calls on asyncio. `aclose`, or the end of `async with`, ends its connections."""

    def __init__(self, flows: Flows, http: httpx.AsyncClient | None) -> None:
        self._flows = flows
        self._http = http or httpx.AsyncClient(limits=_LIMITS)

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self: Client) -> Client:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()

    async def run(
        self, flow: Flow[T], pause: Callable[[float], Awaitable[object]] = asyncio.sleep
    ) -> T:
        try:
            step = next(flow)
            while True:
                try:
                    result = await self._do(step, pause)
                except BaseException as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(result)
        except StopIteration as end:
            value: T = end.value
            return value

    async def _do(self, step: Step, pause: Callable[[float], Awaitable[object]]) -> Any:
        if isinstance(step, Pause):
            return await pause(step.seconds)
        if isinstance(step, Work):
            working = self._work(step, step.beside) if step.beside else step.function(None)
            return await working
        given = self._flows.connection.token
        found = given() if callable(given) else given
        token = await found if inspect.isawaitable(found) else found
        with _transport_errors(self._flows.connection):
            request = _request(self._http, self._flows.connection, step, token)
            response = await self._http.send(request, follow_redirects=False)
        return _reply(response, self._flows.connection)

    async def _work(self, work: Work, flow: Flow[None]) -> Any:
        lost = asyncio.Event()

        async def beside() -> None:
            try:
                await self.run(flow)
            except HoldpointError:
                lost.set()

        task = asyncio.create_task(beside())
        try:
            return await work.function(lost)
        finally:
            task.cancel()
            await asyncio.wait([task])


class _DoneError(Exception):
    """The work is done, so nothing needs to go on beside it."""


def blocking(
    flow: Callable[Concatenate[Flows, P], Flow[T]],
) -> Callable[Concatenate[SyncClient[Flows], P], T]:
    """Makes a method of a sync client from a call."""

    @functools.wraps(flow)
    def method(self: SyncClient[Flows], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.run(flow(self._flows, *args, **kwargs))

    return method


def on_asyncio(
    flow: Callable[Concatenate[Flows, P], Flow[T]],
) -> Callable[Concatenate[AsyncClient[Flows], P], Coroutine[Any, Any, T]]:
    """Makes a method of an async client from a call."""

    @functools.wraps(flow)
    async def method(self: AsyncClient[Flows], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.run(flow(self._flows, *args, **kwargs))

    return method


def _request(
    http: httpx.Client | httpx.AsyncClient, connection: Connection, step: Send, token: str | None
) -> httpx.Request:
    headers = {"accept": "application/json", **step.headers}
    if step.body is not None:
        headers["content-type"] = "application/json"
    if connection.api_key is not None:
        headers["x-api-key"] = connection.api_key
    else:
        headers["authorization"] = f"Bearer {token}"
    return http.build_request(
        step.method,
        f"{connection.address}/v1{step.path}",
        params=dict(step.query) or None,
        headers=headers,
        content=step.body,
        timeout=step.seconds,
    )


@contextmanager
def _transport_errors(connection: Connection) -> Iterator[None]:
    try:
        yield
    except httpx.TransportError as error:
        delivered: Any = "no" if isinstance(error, _NOT_CONNECTED) else "unknown"
        raise ConnectionError(delivered, error, connection.address) from error


def _reply(response: httpx.Response, connection: Connection) -> Reply:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return reply_of(response.status_code, headers, response.content, connection.address)
