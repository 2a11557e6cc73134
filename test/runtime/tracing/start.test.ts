import assert from 'node:assert/strict';
import { pino } from 'pino';
import { StartupError } from '../../../runtime/program.js';
import { startTracing, traceEndpointOf } from '../../../runtime/tracing/start.js';
import { currentSpan, inSpan, spanned } from '../../../runtime/tracing/tracing.js';
import { startCollector } from '../../support/traces.js';

const silent = pino({ level: 'silent' });
const BASE = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

describe('the endpoint for traces', () => {
  for (const [what, env, wanted] of [
    ['is none without a setting', {}, undefined],
    ['is none with an empty one', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
    ['lies under the one for everything', BASE, 'http://collector:4318/v1/traces'],
    [
      'lies under one with a path',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector/otlp/' },
      'https://collector/otlp/v1/traces',
    ],
    [
      'is that of traces as it stands',
      { ...BASE, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces/here' },
      'http://traces/here',
    ],
    ['is none where the SDK is disabled', { ...BASE, OTEL_SDK_DISABLED: 'true' }, undefined],
    ['is none without an exporter', { ...BASE, OTEL_TRACES_EXPORTER: 'none' }, undefined],
    [
      'takes the protocol that there is',
      { ...BASE, OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
      'http://collector:4318/v1/traces',
    ],
    [
      'takes the protocol of traces before that of everything',
      {
        ...BASE,
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      },
      'http://collector:4318/v1/traces',
    ],
    ['is not looked at further without one', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, undefined],
  ] as const) {
    it(what, () => assert.equal(traceEndpointOf(env), wanted));
  }

  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'grpc://collector'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/protobuf'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
  ]) {
    it(`is refused with ${name} ${value}`, () => {
      const named = (error: unknown) =>
        error instanceof StartupError && error.message.startsWith(`${name} is "${value}": `);
      assert.throws(() => traceEndpointOf({ ...BASE, [String(name)]: value }), named);
    });
  }
});

describe('the traces of a process', () => {
  it('are sent with its name, and with the ids that were given', async () => {
    const collector = await startCollector();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
    const tracing = (await startTracing(env, 'a-service', silent)) ?? assert.fail();
    const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true };
    const given = tracing.start({ name: 'given', kind: 'internal', parent, id: 'c'.repeat(16) });
    given.end();
    const work = async () => {
      assert.notEqual(currentSpan(), undefined);
      throw new Error('secret');
    };
    const start = { name: 'failing', kind: 'client', parent: given.context } as const;
    await assert.rejects(spanned(tracing, start, work), /secret/);
    assert.equal(currentSpan(), undefined);
    await tracing.close();
    const [first, second] = collector.spans();
    assert.deepEqual(
      [first?.service, first?.name, first?.traceId, first?.spanId, first?.parentSpanId],
      ['a-service', 'given', parent.traceId, 'c'.repeat(16), parent.spanId],
    );
    assert.deepEqual([second?.parentSpanId, second?.hasFailed], [first?.spanId, true]);
    assert.notEqual(second?.spanId, first?.spanId);
    assert.ok(!collector.text().includes('secret'));
    await collector.close();
  });

  it('hand on what is not recorded, and do not send it', async () => {
    const collector = await startCollector();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
    const tracing = (await startTracing(env, 'a-service', silent)) ?? assert.fail();
    const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: false };
    const span = tracing.start({ name: 'not recorded', kind: 'internal', parent });
    assert.deepEqual([span.context.traceId, span.context.sampled], [parent.traceId, false]);
    inSpan(span, () => assert.equal(currentSpan(), span));
    span.end();
    await tracing.close();
    assert.deepEqual(collector.spans(), []);
    await collector.close();
  });

  it('are said to be lost once, and the process goes on', async () => {
    const collector = await startCollector(400);
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
    const tracing = (await startTracing(env, 'a-service', log)) ?? assert.fail();
    tracing.start({ name: 'lost', kind: 'internal' }).end();
    await tracing.close();
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /"traces cannot be sent"/);
    await collector.close();
  });
});
