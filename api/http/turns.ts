import type { RequestHandler } from 'express';
import { AsyncResource } from 'node:async_hooks';

/**
 * Starts one request in each turn of the event loop. Otherwise, when many clients send at the same moment, all of their
 * requests would start in one turn, and a probe of `/health` would wait for the last of them.
 */
export function startInTurns(): RequestHandler {
  const waiting: (() => void)[] = [];
  const startNext = (): void => {
    const next = waiting.shift();
    if (waiting.length > 0) setImmediate(startNext);
    next?.();
  };
  return (_req, _res, next) => {
    // Each continues in its own async context, not in that of the first request.
    waiting.push(
      AsyncResource.bind(() => {
        next();
      }),
    );
    if (waiting.length === 1) setImmediate(startNext);
  };
}
