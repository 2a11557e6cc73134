import { AsyncLocalStorage } from 'node:async_hooks';
import type { TraceContext } from '../../contracts/constants/headers.js';

/** The attributes of a span: ids, names from the code or the configuration, numbers; never text of callers. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  readonly name: string;
  /** `server` serves a request, `client` makes one, `consumer` takes queued work. */
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  /** Its parent; without one it starts a trace. */
  readonly parent?: TraceContext | undefined;
  readonly link?: TraceContext | undefined;
  readonly attributes?: Attributes;
  /** Its start in milliseconds since the epoch; now by default. */
  readonly startedAt?: number;
  /** Its id, if it is already made: 16 lower-case hexadecimal digits. */
  readonly id?: string;
}

export interface Span {
  readonly context: TraceContext;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Marks it as failed, without the text of the error. */
  fail(): void;
  /** @param at - milliseconds since the epoch; now by default */
  end(at?: number): void;
}

export interface Tracing {
  start(span: SpanStart): Span;
  /** Sends the last spans, within a few seconds. Never rejects. */
  close(): Promise<void>;
}

const spans = new AsyncLocalStorage<Span | undefined>();

/** Runs work inside a span, if there is one, which `currentSpan` then returns. */
export function inSpan<T>(span: Span | undefined, work: () => T): T {
  return spans.run(span, work);
}

/** Returns the span of the calling code; undefined outside of all spans. */
export function currentSpan(): Span | undefined {
  return spans.getStore();
}

export async function spanned<T>(
  tracing: Tracing,
  start: SpanStart,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = tracing.start(start);
  try {
    return await inSpan(span, () => work(span));
  } catch (error) {
    span.fail();
    throw error;
  } finally {
    span.end();
  }
}
