import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { Headers } from '@temporalio/common';
import { workflowAttributes } from '../../domain/kernel/span-attributes.js';
import { currentSpan, spanned } from '../../runtime/tracing/tracing.js';
import type { Span, Tracing } from '../../runtime/tracing/tracing.js';
import { writeRows } from '../../store/journal-writer.js';
import { withTrace } from '../../workflows/engine/trace-header.js';
import type { RunQuery } from '../parts/reads/from-store.js';

/**
 * Makes a span of each start, Update and Signal that a request sends to Temporal, and passes it to the workflow in a header.
 * Calls outside of requests begin no trace. Queries have no header: they leave nothing in a history.
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

/** Makes a span of each write of a request to the store. */
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
