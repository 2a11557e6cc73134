import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  type Context,
  type Span as OtelSpan,
  type SpanContext,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  RandomIdGenerator,
  type IdGenerator,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import type { TraceContext } from '../../contracts/constants/headers.js';
import type { Span, SpanStart, Tracing } from './tracing.js';
import { defined } from '../../contracts/constants/defined.js';

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/** The time for sending the last spans when a process ends, in milliseconds. */
const CLOSING_MS = 3_000;

/**
 * Sends spans to a collector by OTLP over HTTP, as JSON. The standard's variables configure it. Nothing is registered
 * globally.
 */
export function createTracing(
  url: string,
  service: string,
  log: Pick<Logger, 'warn' | 'info'>,
): Tracing {
  const ids = new GivenIds();
  const exporter = new OTLPTraceExporter({ url });
  const provider = new BasicTracerProvider({
    idGenerator: ids,
    resource: resourceFromAttributes({ 'service.name': service }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    spanProcessors: [new BatchSpanProcessor(noting(exporter, log))],
  });
  const tracer = provider.getTracer('holdpoint');
  return {
    start({ name, kind, parent, link, attributes = {}, startedAt, id }) {
      const options = {
        kind: KINDS[kind],
        attributes: { ...attributes },
        ...defined({ startTime: startedAt }),
        ...(link && { links: [{ context: spanContextOf(link) }] }),
      };
      return spanOf(ids.use(id, () => tracer.startSpan(name, options, contextOf(parent))));
    },
    close: () => inTime(provider.shutdown()),
  };
}

function contextOf(parent: SpanStart['parent']): Context {
  if (parent === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { ...spanContextOf(parent), isRemote: true });
}

function spanContextOf({ traceId, spanId, sampled }: TraceContext): SpanContext {
  return { traceId, spanId, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE };
}

function spanOf(span: OtelSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const sampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return {
    context: { traceId, spanId, sampled },
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes({ ...attributes }),
    fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
    end: (at) => span.end(at),
  };
}

/** Makes random ids, except for spans with a given id: workflows make theirs deterministically. */
class GivenIds implements IdGenerator {
  private given: string | undefined;
  private readonly random = new RandomIdGenerator();

  generateTraceId(): string {
    return this.random.generateTraceId();
  }

  generateSpanId(): string {
    return this.given ?? this.random.generateSpanId();
  }

  use<T>(id: string | undefined, start: () => T): T {
    this.given = id;
    try {
      return start();
    } finally {
      this.given = undefined;
    }
  }
}

/** Wraps an exporter to log when spans start being lost, and when they no longer are. */
function noting(exporter: SpanExporter, log: Pick<Logger, 'warn' | 'info'>): SpanExporter {
  let isLosing = false;
  return {
    export(spans: ReadableSpan[], done) {
      exporter.export(spans, (result) => {
        const fails = result.error !== undefined;
        if (fails && !isLosing) log.warn({ reason: result.error?.name }, 'traces cannot be sent');
        if (!fails && isLosing) log.info('traces are sent again');
        isLosing = fails;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSING_MS)));
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
