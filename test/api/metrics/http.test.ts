import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import request from 'supertest';
import { lookUntil } from '../../support/looks.js';
import { SEEDS } from '../../support/secrets.js';
import { createRig } from '../support/harness.js';
import { INTENT_ID, SUSPENSION_ID } from '../support/records.js';

type Value = readonly [labels: Readonly<Record<string, string | number>>, value: number];

/** The values of a metric, but for the document that the rig itself reads. */
async function valuesOf(registry: Registry, name: string): Promise<readonly Value[]> {
  const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
  return values
    .map(({ labels, value }): Value => [{ ...labels } as Value[0], value])
    .filter(([{ route }]) => route !== '/v1/openapi.json');
}

/** The requests so far, once none is under way: one is counted a moment after its reply has come. */
async function requestsOf(registry: Registry): Promise<readonly Value[]> {
  await lookUntil(async () => {
    const [[, inFlight] = []] = await valuesOf(registry, 'holdpoint_http_requests_in_flight');
    return inFlight === 0;
  }, 'a request did not end');
  return valuesOf(registry, 'holdpoint_http_requests_total');
}

function rigWithMetrics() {
  const registry = new Registry();
  const rig = createRig(
    {},
    { limits: { requests_per_minute: 4 } },
    undefined,
    undefined,
    undefined,
    {
      metrics: registry,
    },
  );
  return { rig, registry };
}

describe('the metrics of requests', () => {
  it('count them by route, method and status, and hold nothing that was sent', async () => {
    const { rig, registry } = rigWithMetrics();
    await rig.send('operator', 'get', `/v1/intents/${INTENT_ID}`);
    await rig.send('operator', 'get', `/v1/intents/${INTENT_ID}?secret=${SEEDS.context}`);
    await rig.send('operator', 'get', `/v1/${SEEDS.context}`);
    await rig.send('operator', 'delete', `/v1/suspensions/${SUSPENSION_ID}`);
    await rig.send('operator', 'get', `/v1/intents/${INTENT_ID}`);
    await rig.send(undefined, 'get', `/v1/intents/${INTENT_ID}`);
    const intent = { method: 'GET', route: '/v1/intents/:intentId' };
    assert.deepEqual(await requestsOf(registry), [
      [{ ...intent, status: '200' }, 1],
      [{ ...intent, status: '422' }, 1],
      [{ method: 'GET', route: 'none', status: '404' }, 1],
      [{ method: 'DELETE', route: '/v1/suspensions/:suspensionId', status: '405' }, 1],
      [{ ...intent, status: '429' }, 1],
      [{ ...intent, status: '401' }, 1],
    ]);
    const text = await registry.metrics();
    for (const sent of [SEEDS.context, INTENT_ID, SUSPENSION_ID, SEEDS.operatorKey]) {
      assert.ok(!text.includes(sent), sent);
    }
    assert.match(
      text,
      /^holdpoint_http_request_duration_seconds_count\{method="GET",route="\/v1\/intents\/:intentId"\} 4$/m,
    );
  });

  it('know the routes of the other API and the pages besides', async () => {
    const { rig, registry } = rigWithMetrics();
    await rig.send(undefined, 'get', '/health');
    await rig.send('operator', 'get', `/api/v1/intents/${INTENT_ID}`);
    assert.deepEqual(
      (await requestsOf(registry)).map(([{ route }]) => route),
      ['/health', '/api/v1/intents/:intentId'],
    );
  });

  it('have one label for all methods that the API does not know', async () => {
    const { rig, registry } = rigWithMetrics();
    await request(rig.app).propfind('/health');
    await request(rig.app).unlock('/health');
    assert.deepEqual(await requestsOf(registry), [
      [{ method: 'other', route: '/health', status: '405' }, 2],
    ]);
  });

  it('show how many are under way', async () => {
    let underWay: readonly Value[] = [];
    const registry = new Registry();
    const intent = async () => {
      underWay = await valuesOf(registry, 'holdpoint_http_requests_in_flight');
      throw new TypeError('a defect');
    };
    const rig = createRig(
      {},
      {},
      undefined,
      undefined,
      undefined,
      { metrics: registry },
      {
        answers: { intent },
      },
    );
    await rig.send('operator', 'get', `/v1/intents/${INTENT_ID}`);
    assert.deepEqual(underWay, [[{}, 1]]);
    assert.deepEqual(await requestsOf(registry), [
      [{ method: 'GET', route: '/v1/intents/:intentId', status: '500' }, 1],
    ]);
  });

  it('tell a client that went away from a reply', async () => {
    const registry = new Registry();
    const intent = () => new Promise<never>(() => undefined);
    const rig = createRig(
      {},
      {},
      undefined,
      undefined,
      undefined,
      { metrics: registry },
      {
        answers: { intent },
      },
    );
    const sent = rig.send('operator', 'get', `/v1/intents/${INTENT_ID}`);
    const ended = sent.then(undefined, () => 'aborted');
    await lookUntil(async () => {
      const [[, inFlight] = []] = await valuesOf(registry, 'holdpoint_http_requests_in_flight');
      return inFlight === 1;
    }, 'the request did not begin');
    sent.abort();
    assert.deepEqual(await requestsOf(registry), [
      [{ method: 'GET', route: '/v1/intents/:intentId', status: 'aborted' }, 1],
    ]);
    void ended;
  });
});
