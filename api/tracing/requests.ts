import type { RequestHandler } from 'express';
import { traceContextOf } from '../../contracts/constants/trace-context.js';
import type { Tracing } from '../../runtime/tracing/tracing.js';
import { keepSpan } from '../http/request-span.js';
import { routePatternOf } from '../http/route.js';

/** Probes are sent every few seconds, so their spans would bury the others. */
const PROBES = /^\/(?:health|ready)$/;

/**
 * Makes a span of each request, in the trace of its `traceparent` if it has one. The span is named by the method and the
 * pattern of the route. Of the request it holds ids alone: neither path nor query, nor the headers `tracestate` and `baggage`.
 */
export function traceRequests(tracing: Tracing): RequestHandler {
  return (req, res, next) => {
    if (PROBES.test(req.path)) {
      next();
      return;
    }
    const { method } = req;
    const span = tracing.start({
      name: method,
      kind: 'server',
      parent: traceContextOf(req.headers['traceparent']),
      attributes: { 'http.request.method': method },
    });
    keepSpan(req, span);
    // Emitted after a whole reply, and also if the client goes away.
    res.once('close', () => {
      const route = routePatternOf(req);
      if (route !== undefined) {
        span.rename(`${method} ${route}`);
        span.set({ 'http.route': route });
      }
      // A client that goes away before the end of the reply gets no status.
      if (res.writableFinished) span.set({ 'http.response.status_code': res.statusCode });
      if (res.statusCode >= 500) span.fail();
      span.end();
    });
    next();
  };
}
