"""What the process of an agent has around it: Holdpoint, the bank, and moments to kill it."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from typing import Any

import httpx

from holdpoint_client import AsyncApprovals

_HOLD_AT = os.environ.get("HOLD_AT")
_MOST_SECONDS = 180
"""No test needs a process for longer."""


def say(what: str, detail: Any) -> None:
    text = json.dumps(detail, ensure_ascii=False, separators=(",", ":"))
    print(f"{what} {text}", flush=True)


def _give_up() -> None:
    say("crashed", "It was never killed.")
    os._exit(1)


_limit = threading.Timer(_MOST_SECONDS, _give_up)
_limit.daemon = True
_limit.start()


class _Moments(httpx.AsyncHTTPTransport):
    """Sends requests. Just before and just after each one that changes something is a moment.
    After the moment of HOLD_AT, by its number or name, nothing is sent any more."""

    moments = 0
    is_held = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.method != "POST":
            return await super().handle_async_request(request)
        is_bank = request.url.host == _BANK.host and request.url.port == _BANK.port
        name = "bank" if is_bank else request.url.path.rpartition("/")[2]
        await self._reached(f"before {name}")
        reply = await super().handle_async_request(request)
        await self._reached(f"after {name}")
        return reply

    async def _reached(self, name: str) -> None:
        self.moments += 1
        holds = _HOLD_AT in (name, str(self.moments))
        if not self.is_held:
            say("held" if holds else "at", {"name": name, "moments": self.moments})
        self.is_held = self.is_held or holds
        if self.is_held:
            await asyncio.Event().wait()


_BANK = httpx.URL(os.environ["BANK_URL"])
_http = httpx.AsyncClient(transport=_Moments())

approvals = AsyncApprovals(
    os.environ["HOLDPOINT_URL"],
    api_key=os.environ["HOLDPOINT_API_KEY"],
    holder=os.environ.get("HOLDER", ""),
    lease_seconds=int(os.environ.get("LEASE_SECONDS", "60")),
    http=_http,
)


async def transfer(to: str, amount: int, key: str) -> str:
    """Has the bank wire once for a key; returns the receipt, as JSON."""
    wire = {"to": to, "amount": amount}
    reply = await _http.post(_BANK.join(f"/{to}"), json=wire, headers={"idempotency-key": key})
    return reply.text
