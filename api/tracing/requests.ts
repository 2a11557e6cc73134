import type { RequestHandler } from 'express';
import { traceContextOf } from '../../contracts/constants/trace-context.js';
import type { Tracing } from '../../runtime/tracing/tracing.js';
import { keepSpan } from '../http/request-span.js';
import { routePatternOf } from '../http/route.js';

/** Asked every few seconds by whoever watches the service: they would bury what matters. */
const PROBES = /^\/(?:health|ready)$/;

/**
 * Makes a span of each request, in the trace of its `traceparent` if it has one. It is named by its method and by the
 * pattern of its route, and holds neither path nor query nor anything else that was sent, but ids. Of the headers
 * `tracestate` and `baggage` nothing is taken.
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
    // Comes after a whole reply, and also where the client has gone away.
    res.once('close', () => {
      const route = routePatternOf(req);
      if (route !== undefined) {
        span.rename(`${method} ${route}`);
        span.set({ 'http.route': route });
      }
      // A client that goes away before the reply is whole gets no status.
      if (res.writableFinished) span.set({ 'http.response.status_code': res.statusCode });
      if (res.statusCode >= 500) span.fail();
      span.end();
    });
    next();
  };
}
