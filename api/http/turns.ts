import type { RequestHandler } from 'express';
import { AsyncResource } from 'node:async_hooks';

/**
 * Starts one request in each turn of the event loop. Where many clients come in the same moment, all of their requests
 * would else start in one turn, and a probe of `/health` would wait for the last of them.
 */
export function startInTurns(): RequestHandler {
  const waiting: (() => void)[] = [];
  const startNext = (): void => {
    const next = waiting.shift();
    if (waiting.length > 0) setImmediate(startNext);
    next?.();
  };
  return (_req, _res, next) => {
    // Each goes on as itself, not in the context of the request that came first.
    waiting.push(
      AsyncResource.bind(() => {
        next();
      }),
    );
    if (waiting.length === 1) setImmediate(startNext);
  };
}
