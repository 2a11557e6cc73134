"""A worker in Python. Its workflow asks a person, by the name of a child workflow, before it refunds an order."""

import asyncio
import os
from datetime import timedelta
from typing import Any

from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.exceptions import ApplicationError, ChildWorkflowError
from temporalio.worker import Worker

TASK_QUEUE = "refunds"


@activity.defn
async def refund(order: str) -> str:
    return f"order #{order} is refunded"


@workflow.defn
class Refund:
    @workflow.run
    async def run(self, order: str) -> str:
        question = {
            "question": f"Refund order #{order}?",
            "response_type": "confirm",
            "timeout_seconds": 3600,
        }
        try:
            answer: dict[str, Any] = await workflow.execute_child_workflow(
                "ask", question, task_queue="holdpoint"
            )
        except ChildWorkflowError as error:
            if isinstance(error.cause, ApplicationError) and error.cause.type == "InputTimeoutError":
                return "nobody answered within an hour"
            raise
        if not answer["approved"]:
            return f"{answer['responded_by']} said no"
        return await workflow.execute_activity(
            refund, order, start_to_close_timeout=timedelta(seconds=10)
        )


async def main() -> None:
    client = await Client.connect(os.environ.get("TEMPORAL_ADDRESS", "127.0.0.1:7233"))
    async with Worker(client, task_queue=TASK_QUEUE, workflows=[Refund], activities=[refund]):
        print("the worker runs; Ctrl-C ends it", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
