/**
 * The header with a trace in Temporal's messages, as `{"traceparent": "…"}`. Temporal's own OpenTelemetry
 * interceptors use the same, so an agent's workflow and ours share a trace.
 */
export const TRACE_HEADER = '_tracer-data';

/** The trace, and the span in it, to which something belongs (W3C Trace Context). */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all 0. */
  readonly traceId: string;
  /** 16 of them, not all 0. */
  readonly spanId: string;
  /** Whether the trace is recorded; else it is only handed on. */
  readonly sampled: boolean;
}

/** Versions after 00 are read only in the parts that stand in the same place. */
const TRACEPARENT =
  /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** Reads a `traceparent`; undefined if it is none. */
export function traceContextOf(traceparent: unknown): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId, spanId, flags = '', more] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, sampled: (parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** Writes a `traceparent`. */
export function traceparentOf({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}
