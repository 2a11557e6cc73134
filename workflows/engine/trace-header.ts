import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import {
  TRACE_HEADER,
  traceContextOf,
  traceparentOf,
  type TraceContext,
} from '../../contracts/constants/headers.js';

export function withTrace(headers: Headers, context: TraceContext): Headers {
  const traceparent = traceparentOf(context);
  return { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload({ traceparent }) };
}

/** The trace of a message; undefined if it has none, or not in our form. */
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
