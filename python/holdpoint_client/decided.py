"""Continues agents that did not wait: each run once, as soon as all its calls are decided."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypedDict

from .connection import Connection, Flow, Pause, Work, logger, may_repeat, path_of, unexpected
from .drivers import AsyncClient, SyncClient
from .errors import HoldpointError, WebhookError
from .json_values import JsonObject
from .webhook import verified_webhook

_PAGE = 1_000
_PARTS = 4
"""A lease is renewed after a quarter of its time, and each try may take another quarter."""
_MOST_FAILURES = 2
_DECIDED = ("approval_resolved", "proposal_mutation_detected")


@dataclass(frozen=True)
class DecidedRun:
    """A run whose calls are all decided, for the one process that continues it."""

    run: str
    approvals: list[JsonObject]
    """Those that nobody has picked up yet, oldest first."""
    state: Any
    """The last state that the agent left."""


OnDecided: TypeAlias = Callable[[DecidedRun, threading.Event], object]
"""Continues a run. Once it returns, nobody else gets the run; if it raises, the run is delivered
again. The event is set if another process may have taken the run over: then it must stop."""
OnDecidedAsync: TypeAlias = Callable[[DecidedRun, asyncio.Event], Awaitable[object]]


class DecidedOptions(TypedDict, total=False):
    """How `on_decided` looks for runs."""

    every_seconds: float
    """The seconds between two looks; 5 by default."""
    webhook_secrets: Sequence[str]
    """The secrets of the subscriptions that post to `handle_webhook`."""
    migrate: Callable[[Any, str], Any]
    """Upgrades a state that an earlier version of the agent left."""
    schema_version: str
    """The current version of the states; `composer_v1` by default."""
    on_error: Callable[[Exception, str | None], None]
    """Gets what the function raises, with the run, and the errors of looks; logged by default."""


@dataclass(frozen=True)
class Deliveries:
    """Continues the decided runs that no other process has."""

    connection: Connection
    lease: JsonObject
    function: Callable[..., object]
    options: DecidedOptions

    def deliver(self, is_over: Callable[[], bool] = lambda: False) -> Flow[int]:
        """Looks once, and returns the number of runs that it has continued."""
        count = 0
        for run, approvals in (yield from self._open_runs()).items():
            if is_over():
                break
            if any(one["status"] == "pending" for one in approvals):
                continue
            try:
                count += yield from self._deliver(run, approvals)
            except Exception as error:
                self._report(error, run)
        return count

    def watch(self, is_over: Callable[[], bool]) -> Flow[None]:
        """Looks again and again. Something may end the pauses between two looks."""
        while not is_over():
            try:
                yield from self.deliver(is_over)
            except Exception as error:
                self._report(error, None)
            if not is_over():
                yield Pause(self.options.get("every_seconds", 5))

    def _report(self, error: Exception, run: str | None) -> None:
        on_error = self.options.get("on_error")
        if on_error is None:
            logger.error("A decided run was not continued: %s", run or "", exc_info=error)
        else:
            on_error(error, run)

    def tells_of_decision(self, headers: Mapping[str, str], body: str | bytes) -> bool:
        """Whether a webhook request reports a decision. Raises WebhookError without a proof."""
        secrets = self.options.get("webhook_secrets", ())
        if not secrets:
            raise WebhookError("No secret is configured.")
        posted = verified_webhook(secrets, headers, body)
        event = posted.get("event") if isinstance(posted, dict) else None
        return isinstance(event, dict) and event.get("event_type") in _DECIDED

    def _open_runs(self) -> Flow[dict[str, list[JsonObject]]]:
        """Returns all approvals with an open checkpoint, by run: the oldest may be last."""
        found: dict[str, JsonObject] = {}
        offset: int | None = 0
        while offset is not None:
            query: dict[str, Any] = {"checkpoint": "open", "limit": _PAGE, "offset": offset}
            page = yield from self.connection.read("/approvals", **query)
            # New approvals push others to the next page, so pages may repeat some.
            found.update({one["approval_id"]: one for one in _listed(page)})
            offset = page.get("next_offset")
        runs: dict[str, list[JsonObject]] = {}
        for one in sorted(found.values(), key=lambda it: (it["created_at"], it["approval_id"])):
            runs.setdefault(one["proposal"]["run_id"], []).append(one)
        return runs

    def _deliver(self, run: str, approvals: list[JsonObject]) -> Flow[bool]:
        query: dict[str, Any] = {"run_id": run, "status": "pending", "limit": 1}
        if _listed((yield from self.connection.read("/approvals", **query))):
            return False
        claimed = yield from self._claim(approvals)
        if not claimed:
            return False
        state = self._state(claimed[-1]["checkpoint"])
        decided = DecidedRun(run, [one["approval"] for one in claimed], state)
        yield Work(lambda lost: self.function(decided, lost), self._keep_renewed(claimed))
        # Oldest first: if this process dies in between, the newest state remains.
        for one in claimed:
            path = _checkpoint_path(one["approval_id"], "finish")
            yield from self.connection.repeat(path, {"token": one["token"]})
        return True

    def _claim(self, approvals: list[JsonObject]) -> Flow[list[JsonObject]]:
        """Claims a run, without the checkpoints that are over. The holder of the oldest one has
        the run; returns nothing if that is another process."""
        claimed = []
        for one in approvals:
            path = _checkpoint_path(one["approval_id"], "claim")
            try:
                claimed.append((yield from self.connection.repeat(path, self.lease)))
            except HoldpointError as error:
                if error.code in ("approval_in_use", "invalid_transition"):
                    return []
                if error.code != "approval_decided":
                    raise
        return claimed

    def _keep_renewed(self, claimed: list[JsonObject]) -> Flow[None]:
        """Renews a lease for ever; raises HoldpointError once it is lost."""
        part, failures = self.lease["lease_seconds"] / _PARTS, 0
        while True:
            yield Pause(part)
            try:
                for one in claimed:
                    path = _checkpoint_path(one["approval_id"], "claim")
                    reply = yield from self.connection.call(
                        "POST", path, self.lease, tries=1, patience=part
                    )
                    if reply.body["token"] != one["token"]:
                        raise HoldpointError("lease_lost", "Another process has the run.")
                failures = 0
            except HoldpointError as error:
                failures += 1
                if failures >= _MOST_FAILURES or not may_repeat(error, "always"):
                    raise

    def _state(self, checkpoint: Mapping[str, Any] | None) -> Any:
        if checkpoint is None:
            return None
        version, state = checkpoint["schema_version"], checkpoint["state"]
        if version == self.options.get("schema_version", "composer_v1"):
            return state
        migrate = self.options.get("migrate")
        if migrate is not None:
            return migrate(state, version)
        detail = f"The agent left a state of the form {version}, and nothing migrates it."
        raise HoldpointError("unknown_schema_version", detail)


class _Watch:
    def __init__(self, deliveries: Deliveries, wake: Callable[[], None]) -> None:
        self._deliveries = deliveries
        self._is_over = False
        self.wake = wake
        """Looks at once."""

    def handle_webhook(self, headers: Mapping[str, str], body: str | bytes) -> None:
        """Handles a request of a webhook subscription, and looks at once if it reports a decision.
        `body` is the raw body. Raises WebhookError if the signature does not fit."""
        if self._deliveries.tells_of_decision(headers, body):
            self.wake()


class DecidedWatch(_Watch):
    """Looks for decided runs, in a thread, until it is stopped."""

    def __init__(self, client: SyncClient[Any], deliveries: Deliveries) -> None:
        waking = threading.Event()
        super().__init__(deliveries, waking.set)

        def pause(seconds: float) -> None:
            if waking.wait(seconds):
                waking.clear()

        flow = deliveries.watch(lambda: self._is_over)
        self._thread = threading.Thread(target=client.run, args=(flow, pause), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Starts no further run, and returns once the current one has ended."""
        self._is_over = True
        self.wake()
        self._thread.join()


class AsyncDecidedWatch(_Watch):
    """Looks for decided runs, in a task, until it is stopped."""

    def __init__(self, client: AsyncClient[Any], deliveries: Deliveries) -> None:
        waking = asyncio.Event()
        super().__init__(deliveries, waking.set)

        async def pause(seconds: float) -> None:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(waking.wait(), seconds)
            waking.clear()

        flow = deliveries.watch(lambda: self._is_over)
        self._task = asyncio.create_task(client.run(flow, pause))

    async def stop(self) -> None:
        """Starts no further run, and returns once the current one has ended."""
        self._is_over = True
        self.wake()
        await self._task


def _checkpoint_path(approval_id: str, verb: str) -> str:
    return path_of("approvals", approval_id, f"/checkpoint/{verb}")


def _listed(page: Mapping[str, Any]) -> list[JsonObject]:
    found = page.get("approvals")
    if not isinstance(found, list):
        raise unexpected("a list of approvals")
    return found
