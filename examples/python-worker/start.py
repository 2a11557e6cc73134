"""Starts a refund and waits for its end. Usage: python start.py <order>"""

import asyncio
import os
import sys

from temporalio.client import Client

from worker import TASK_QUEUE, Refund


async def main(order: str) -> None:
    client = await Client.connect(os.environ.get("TEMPORAL_ADDRESS", "127.0.0.1:7233"))
    print(await client.execute_workflow(Refund.run, order, id=f"refund-{order}", task_queue=TASK_QUEUE))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
