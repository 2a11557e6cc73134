import { startReceiver, status, type Receiver } from './subscribers.js';

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
}

interface Attribute {
  readonly key: string;
  readonly value: Value;
}

interface OtlpSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly Attribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** A span as a collector gets it. */
export interface SentSpan {
  readonly service: string;
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly links: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly hasFailed: boolean;
  readonly ms: number;
}

/** A collector of traces on loopback, which speaks OTLP over HTTP. */
export interface Collector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string;
  /** Everything that was sent, as it came. */
  text(): string;
  spans(): readonly SentSpan[];
  readonly receiver: Receiver;
  close(): Promise<void>;
}

/** Starts a collector; `code` is what it answers with. */
export async function startCollector(code = 200): Promise<Collector> {
  const receiver = await startReceiver(status(code));
  const bodies = () => receiver.received.map(({ body }) => body);
  return {
    endpoint: `http://127.0.0.1:${receiver.port}`,
    text: () => bodies().join('\n'),
    spans: () => bodies().flatMap((body) => spansOf(JSON.parse(body) as OtlpBody)),
    receiver,
    close: () => receiver.close(),
  };
}

function spansOf({ resourceSpans }: OtlpBody): readonly SentSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name']);
    const all = scopeSpans.flatMap(({ spans }) => spans);
    return all.map((span) => ({
      service,
      name: span.name,
      kind: span.kind,
      traceId: span.traceId,
      spanId: span.spanId,
      parentSpanId: span.parentSpanId,
      links: (span.links ?? []).map(({ traceId, spanId }) => `${traceId} ${spanId}`),
      attributes: attributesOf(span.attributes ?? []),
      hasFailed: span.status?.code === FAILED,
      ms: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
    }));
  });
}

const FAILED = 2;

function attributesOf(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? doubleValue ?? boolValue ?? Number(intValue),
    ]),
  );
}
