import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { Headers } from '@temporalio/common';
import { workflowAttributes } from '../../domain/kernel/span-attributes.js';
import { currentSpan, spanned, type Span, type Tracing } from '../../runtime/tracing/tracing.js';
import { writeRows } from '../../store/journal-writer.js';
import { withTrace } from '../../workflows/engine/trace-header.js';
import type { RunQuery } from '../parts/reads/from-store.js';
import type { RequestHandler } from 'express';
import { traceContextOf } from '../../contracts/constants/headers.js';
import { keepSpan } from '../http/request-span.js';
import { routePatternOf } from '../http/route.js';

/**
 * Makes a span of each start, Update and Signal of a request, and passes it to the workflow in a header. Queries have
 * no header, because they leave nothing in a history.
 */
export function traceCalls(tracing: Tracing): WorkflowClientInterceptor {
  async function call<T>(
    name: string,
    workflowId: string,
    headers: Headers,
    send: (headers: Headers, span?: Span) => Promise<T>,
  ): Promise<T> {
    const parent = currentSpan()?.context;
    if (parent === undefined) return send(headers);
    const attributes = workflowAttributes(workflowId);
    return spanned(tracing, { name, kind: 'client', parent, attributes }, (span) =>
      send(withTrace(headers, span.context), span),
    );
  }
  return {
    startWithDetails: (input, next) =>
      call(`start ${input.workflowType}`, input.options.workflowId, input.headers, (headers) =>
        next({ ...input, headers }),
      ),
    signal: (input, next) =>
      call(
        `signal ${input.signalName}`,
        input.workflowExecution.workflowId,
        input.headers,
        (headers) => next({ ...input, headers }),
      ),
    startUpdate: (input, next) =>
      call(
        `update ${input.updateName}`,
        input.workflowExecution.workflowId,
        input.headers,
        async (headers, span) => {
          const output = await next({ ...input, headers });
          if (output.outcome?.failure) span?.set({ 'holdpoint.outcome': 'refused' });
          return output;
        },
      ),
  };
}

export function tracedWrites(tracing: Tracing, run: RunQuery): RunQuery {
  return (query, ...args) => {
    const parent = currentSpan()?.context;
    const isWrite = (query as unknown) === writeRows;
    if (parent === undefined || !isWrite) return run(query, ...args);
    return spanned(tracing, { name: 'store write', kind: 'client', parent }, () =>
      run(query, ...args),
    );
  };
}

/** Probes come every few seconds, so their spans would hide the others. */
const PROBES = /^\/(?:health|ready)$/;

/**
 * Makes a span of each request, in the trace of its `traceparent` if it has one, named by method and route pattern.
 * It holds only ids of the request: no path or query, nor the headers `tracestate` and `baggage`.
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
