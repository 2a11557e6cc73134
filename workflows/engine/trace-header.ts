import { defaultPayloadConverter } from '@temporalio/common';
import type { Headers } from '@temporalio/common';
import {
  TRACE_HEADER,
  traceContextOf,
  traceparentOf,
} from '../../contracts/constants/trace-context.js';
import type { TraceContext } from '../../contracts/constants/trace-context.js';

/** The headers of a message, with the trace that it belongs to. */
export function withTrace(headers: Headers, context: TraceContext): Headers {
  const traceparent = traceparentOf(context);
  return { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload({ traceparent }) };
}

/** The trace that a message belongs to; undefined if none, or if it is not ours. */
export function traceIn(headers: Headers): TraceContext | undefined {
  const payload = headers[TRACE_HEADER];
  if (payload === undefined) return undefined;
  try {
    const sent = defaultPayloadConverter.fromPayload<{ traceparent?: unknown } | null>(payload);
    return traceContextOf(sent?.traceparent);
  } catch {
    // Another encoding than JSON.
    return undefined;
  }
}
