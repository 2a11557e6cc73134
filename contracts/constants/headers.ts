/** The header of replies that names the request's write, and of requests that names the sender's recent writes. */
export const WRITTEN_HEADER = 'Holdpoint-Written';

/** How long a client names a write, in milliseconds: after that the store shows it, or each replica knows of it. */
const KEPT_MS = 60_000;
/** Proxies accept a header of 8,000 characters; one write takes about 150. */
const MOST_CHARACTERS = 4_000;

interface Named {
  readonly by: string;
  readonly at: number;
}

/**
 * A client's recent writes, taken from the replies. The client sends them with its reads, so that a replica without
 * these writes waits for them, or says that it is behind.
 */
export class RecentWrites {
  /** Newest first. */
  kept: readonly Named[];

  constructor(kept: readonly Named[] = []) {
    this.kept = kept;
  }

  /**
   * Notes what a request wrote.
   *
   * @param by - the header `Holdpoint-Written` of the reply, if it has one
   * @param now - milliseconds, from any beginning
   */
  note(by: string | null, now: number): void {
    if (by === null || by === '') return;
    this.kept = [{ by, at: now }, ...this.kept.filter((one) => one.by !== by)];
  }

  /** Returns the header of a read, newest write first; undefined if nothing was written recently. */
  toSend(now: number): string | undefined {
    let room = MOST_CHARACTERS;
    this.kept = this.kept.filter(({ by, at }) => {
      room -= by.length + 1;
      return now - at < KEPT_MS && room >= 0;
    });
    return this.kept.length === 0 ? undefined : this.kept.map(({ by }) => by).join(',');
  }
}

/**
 * The header with a trace in Temporal's messages, as `{"traceparent": "…"}`. Temporal's OpenTelemetry interceptors
 * use it too, so an agent's workflow and ours share a trace.
 */
export const TRACE_HEADER = '_tracer-data';

/** A trace and a span in it (W3C Trace Context). */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all 0. */
  readonly traceId: string;
  /** 16 lower-case hexadecimal digits, not all 0. */
  readonly spanId: string;
  /** Whether the trace is recorded; otherwise it is only propagated. */
  readonly sampled: boolean;
}

/** Of versions after 00, only the parts in the same positions are read. */
const TRACEPARENT =
  /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** Parses a `traceparent`; undefined if it is invalid. */
export function traceContextOf(traceparent: unknown): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId, spanId, flags = '', more] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, spanId, sampled: (parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export function traceparentOf({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}
