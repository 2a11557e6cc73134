import assert from 'node:assert/strict';
import type { Attributes, SpanStart, Tracing } from '../../../runtime/tracing/tracing.js';
import { lookUntil } from '../../support/looks.js';
import { createRig } from '../support/harness.js';
import type { Fakes } from '../support/parts.js';
import { INTENT_ID, SUSPENSION_ID } from '../support/records.js';

/** A span as it was when it ended. */
interface Ended {
  readonly name: string;
  readonly parent: SpanStart['parent'];
  readonly attributes: Attributes;
  readonly failed: boolean;
}

/** Keeps the spans that have ended. */
function keeping() {
  const ended: Ended[] = [];
  let begun = 0;
  const tracing: Tracing = {
    start({ name, parent, attributes = {} }) {
      begun += 1;
      let span = { name, parent, attributes, failed: false };
      return {
        context: { traceId: 'a'.repeat(32), spanId: 'a'.repeat(16), sampled: true },
        rename: (to) => (span = { ...span, name: to }),
        set: (more) => (span = { ...span, attributes: { ...span.attributes, ...more } }),
        fail: () => (span = { ...span, failed: true }),
        end: () => ended.push(span),
      };
    },
    close: () => Promise.resolve(),
  };
  /** All but that of the document that the rig itself reads, once none is under way. */
  const all = async (): Promise<readonly Ended[]> => {
    await lookUntil(async () => ended.length === begun, 'a request did not end');
    return ended.filter(({ attributes }) => attributes['http.route'] !== '/v1/openapi.json');
  };
  return { tracing, all };
}

function rigWithTraces(fakes: Fakes = {}) {
  const { tracing, all } = keeping();
  const rig = createRig({}, {}, undefined, undefined, undefined, { tracing }, fakes);
  return { rig, all };
}

describe('the traces of requests', () => {
  it('have the pattern of the route, the operation and ids, and nothing else that was sent', async () => {
    const { rig, all } = rigWithTraces();
    await rig.send('operator', 'get', `/v1/intents/${INTENT_ID}?secret=Zanzibar`);
    await rig.send('operator', 'get', `/v1/suspensions/${SUSPENSION_ID}`);
    await rig.send('operator', 'get', '/v1/Zanzibar');
    await rig.send(undefined, 'get', `/v1/intents/${INTENT_ID}`);
    const get = { 'http.request.method': 'GET' };
    const [first, second, third, fourth] = await all();
    assert.deepEqual(first, {
      name: 'GET /v1/intents/:intentId',
      parent: undefined,
      attributes: {
        ...get,
        'http.route': '/v1/intents/:intentId',
        'holdpoint.operation': 'getIntent',
        'holdpoint.intent.id': INTENT_ID,
        'http.response.status_code': 422,
      },
      failed: false,
    });
    assert.deepEqual(second?.attributes, {
      ...get,
      'http.route': '/v1/suspensions/:suspensionId',
      'holdpoint.operation': 'getSuspension',
      'holdpoint.suspension.id': `${SUSPENSION_ID.slice(0, 8)}…`,
      'http.response.status_code': 200,
    });
    assert.deepEqual(
      [third?.name, third?.attributes],
      ['GET', { ...get, 'http.response.status_code': 404 }],
    );
    assert.deepEqual([fourth?.name, fourth?.failed], ['GET /v1/intents/:intentId', false]);
  });

  it('go on in the trace of the caller, where it is one', async () => {
    const { rig, all } = rigWithTraces();
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${traceId}-b7ad6b7169203331-00`;
    for (const sent of [traceparent, 'none of it']) {
      await rig.send('operator', 'get', `/v1/intents/${INTENT_ID}`).set('traceparent', sent);
    }
    const parent = { traceId, spanId: 'b7ad6b7169203331', sampled: false };
    assert.deepEqual(
      (await all()).map((span) => span.parent),
      [parent, undefined],
    );
  });

  it('are not begun by probes', async () => {
    const { rig, all } = rigWithTraces();
    await rig.send(undefined, 'get', '/health');
    await rig.send(undefined, 'get', '/ready');
    assert.deepEqual(await all(), []);
  });

  it('are marked where the service has failed', async () => {
    const intent = () => Promise.reject(new Error('Zanzibar'));
    const { rig, all } = rigWithTraces({ answers: { intent } });
    await rig.send('operator', 'get', `/v1/intents/${INTENT_ID}`);
    const [span] = await all();
    assert.deepEqual([span?.failed, span?.attributes['http.response.status_code']], [true, 500]);
    assert.ok(!JSON.stringify(span).includes('Zanzibar'));
  });
});
