import type { ConnectionLike } from '@temporalio/client';
import type { LocalTemporal } from './local-temporal.js';
import { localService } from './service.js';

/** A connection to a Temporal in this process. */
export function localConnection(server: LocalTemporal): ConnectionLike {
  const run = <T>(_given: unknown, fn: () => Promise<T>): Promise<T> => fn();
  return {
    workflowService: localService(server) as unknown as ConnectionLike['workflowService'],
    operatorService: undefined as never,
    plugins: [],
    close: () => Promise.resolve(),
    ensureConnected: () => Promise.resolve(),
    withDeadline: run,
    withMetadata: run,
    withAbortSignal: run,
  };
}
