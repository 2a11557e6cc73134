import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { reasonOf } from './errors.js';

const POLL_MS = 50;
const CALL_MS = 2_000;

export interface Wanted {
  /** `host:port` of a gRPC frontend without TLS. */
  address: string;
  namespace: string;
  searchAttributes: readonly string[];
}

/**
 * Resolves when the server answers, knows the namespace and its search attributes, and can list
 * workflows there: the last means that its caches have caught up and a workflow can be started.
 *
 * @throws Error after `limitMs` milliseconds, with what the server said last; the reason of `signal`
 * when that is aborted.
 */
export async function untilReady(
  wanted: Wanted,
  limitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const connection = Connection.lazy({
    address: wanted.address,
    // The first attempt usually meets a closed port; gRPC would then wait a second.
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': POLL_MS,
      'grpc.max_reconnect_backoff_ms': POLL_MS,
    },
  });
  const deadline = Date.now() + limitMs;
  try {
    for (;;) {
      const obstacle = await obstacleOf(connection, wanted);
      if (obstacle === undefined) return;
      signal.throwIfAborted();
      if (Date.now() > deadline) {
        throw new Error(`it was not ready after ${limitMs / 1000} s: ${obstacle}`);
      }
      await pause(POLL_MS, undefined, { signal });
    }
  } finally {
    await connection.close();
  }
}

async function obstacleOf(connection: Connection, wanted: Wanted): Promise<string | undefined> {
  const { namespace, searchAttributes } = wanted;
  try {
    return await connection.withDeadline(Date.now() + CALL_MS, async () => {
      await connection.workflowService.describeNamespace({ namespace });
      const known = await connection.operatorService.listSearchAttributes({ namespace });
      await connection.workflowService.listWorkflowExecutions({ namespace, pageSize: 1 });
      const missing = searchAttributes.find((name) => !(name in known.customAttributes));
      return missing === undefined ? undefined : `search attribute ${missing} is missing`;
    });
  } catch (error) {
    return reasonOf(error);
  }
}
