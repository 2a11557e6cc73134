import { AsyncLocalStorage } from 'node:async_hooks';
import type { TraceContext } from '../../contracts/constants/trace-context.js';

/** What a span says besides its name: ids, names from the code or the configuration, numbers; never what callers wrote. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A span that begins. */
export interface SpanStart {
  readonly name: string;
  /** `server` serves a request, `client` makes one, `consumer` takes up work that was left for it. */
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  /** What it is part of; without it, a trace begins. */
  readonly parent?: TraceContext | undefined;
  /** What it belongs to besides. */
  readonly link?: TraceContext | undefined;
  readonly attributes?: Attributes;
  /** When it began, in milliseconds since the epoch; now by default. */
  readonly startedAt?: number;
  /** Its id, if it has been made already: 16 lower-case hexadecimal digits. */
  readonly id?: string;
}

/** A span that is under way. */
export interface Span {
  readonly context: TraceContext;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Marks it as failed, without a word of the error. */
  fail(): void;
  /** @param at - milliseconds since the epoch; now by default */
  end(at?: number): void;
}

/** The traces of one process. */
export interface Tracing {
  start(span: SpanStart): Span;
  /** Sends what is left, for a few seconds at most. Never rejects. */
  close(): Promise<void>;
}

const spans = new AsyncLocalStorage<Span>();

/** Runs work as part of a span: what it calls finds the span by `currentSpan`. */
export function inSpan<T>(span: Span, work: () => T): T {
  return spans.run(span, work);
}

/** The span that the calling code is part of; undefined outside of all spans, so always where nothing is traced. */
export function currentSpan(): Span | undefined {
  return spans.getStore();
}

/** Runs work as a span of its own, which is marked as failed if the work rejects. */
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
