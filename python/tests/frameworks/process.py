"""The process of an agent: it does one task in one framework, and says how it ends.

Variables: TASK, which test/frameworks/agents/process.ts describes, and those of world.py. The
folder has the modules of one framework: the code of the page, and an `adapter`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import traceback
from typing import Any

from world import approvals, say

from holdpoint_client import DecidedRun, HoldpointError


async def go(run: str, turn: Any) -> None:
    import adapter  # needs a running loop, as some checkpointers do

    end = await adapter.go(run, turn)
    if isinstance(end, str):
        say("done", {"run": run, "end": end, "results": await adapter.results(run)})
    else:
        say("parked", {"run": run, "end": end})


went_on = 0


async def go_on(decided: DecidedRun, _lost: object) -> None:
    """Goes on with a decided run. What another framework's process has left is none of this."""
    global went_on
    if decided.run.rpartition("-")[0] != os.environ["FRAMEWORK"]:
        return
    went_on += 1
    await go(decided.run, decided.state)


def say_refused(error: BaseException) -> None:
    if isinstance(error, HoldpointError):
        say("refused", [type(error).__name__, error.code])
    else:
        say("crashed", "".join(traceback.format_exception(error)))


async def watch() -> None:
    approvals.on_decided(go_on, every_seconds=0.1, on_error=lambda error, _run: say_refused(error))
    await asyncio.Event().wait()


async def perform(task: dict[str, Any]) -> None:
    import adapter

    match task["do"]:
        case "begin":
            await go(task["run"], adapter.begin(task["script"]))
            if task.get("watch"):
                await watch()
        case "go":
            await go(task["run"], task["turn"])
        case "tamper":
            changed = adapter.tampered(task["turn"], task["amount"], task["all"])
            await go(task["run"], changed)
        case "delegate":
            end = await adapter.delegate(task["run"], task["script"])
            results = await adapter.results(task["run"])
            say("done", {"run": task["run"], "end": end, "results": results})
        case "look":
            await approvals.deliver_decided(go_on)
            say("looked", went_on)
        case "watch":
            await watch()
        case unknown:
            raise ValueError(f"There is no task {unknown}.")


try:
    asyncio.run(perform(json.loads(os.environ["TASK"])))
except BaseException as error:
    say_refused(error)
    sys.exit(1)
