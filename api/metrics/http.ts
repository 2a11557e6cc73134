import type { Request, RequestHandler } from 'express';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import { routePatternOf } from '../http/route.js';

const METHODS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);
/** In seconds. An answer may take 10 s, and a long poll as long as its client waits. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Counts requests by the pattern of their route, never by their path: there is one label for each route, and none holds an id.
 * A request that no route takes has the route `none`.
 */
export function measureRequests(registry: Registry): RequestHandler {
  const registers = [registry];
  const requests = new Counter({
    name: 'holdpoint_http_requests_total',
    help: 'Requests that have ended, by how they ended.',
    labelNames: ['method', 'route', 'status'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'holdpoint_http_request_duration_seconds',
    help: 'How long requests took. Long polls and streams count when they end.',
    labelNames: ['method', 'route'] as const,
    buckets: BUCKETS,
    registers,
  });
  const inFlight = new Gauge({
    name: 'holdpoint_http_requests_in_flight',
    help: 'Requests that have begun and not ended, long polls and streams included.',
    registers,
  });
  return (req, res, next) => {
    const end = durations.startTimer();
    inFlight.inc();
    // Emitted after a whole reply, and also if the client goes away.
    res.once('close', () => {
      const labels = { method: methodOf(req), route: routePatternOf(req) ?? 'none' };
      inFlight.dec();
      end(labels);
      requests.inc({ ...labels, status: statusOf(res.statusCode, res.writableFinished) });
    });
    next();
  };
}

function methodOf({ method }: Request): string {
  return METHODS.has(method) ? method : 'other';
}

/** A client that goes away before the end of the reply gets no status. */
function statusOf(code: number, isWhole: boolean): string {
  return isWhole ? String(code) : 'aborted';
}
