import assert from 'node:assert/strict';
import { intentSummarySchema, type Intent } from '../../../contracts/intent/intent.js';
import { createRig, rigOver, sentIn, type Rig } from '../support/harness.js';
import { sent } from '../../support/callers.js';
import { ManualClock, sequences } from '../support/fakes.js';
import { EVENT, INTENT, INTENT_ID, LEASE, LEASE_ID } from '../support/records.js';

const PATH = `/v1/intents/${INTENT_ID}`;

describe('intents', () => {
  it('creates with Location and ETag', async () => {
    const rig = createRig();
    const test = rig.send('agent', 'post', '/v1/intents').set('Idempotency-Key', 'k-1');
    const reply = await test.send({ title: ' Refund ', state: { a: 1 } });
    assert.equal(reply.status, 201);
    assert.equal(reply.headers['location'], `/v1/intents/${reply.body.id}`);
    assert.equal(reply.headers['etag'], '"1"');
    const { intent, creation_hash } = sentIn(rig, 'intent');
    assert.deepEqual(reply.body, intent);
    const expected = {
      title: 'Refund',
      status: 'draft',
      state: { a: 1 },
      constraints: {},
      depends_on: [],
    };
    assert.deepEqual({ ...(intent as Intent), ...expected }, intent);
    assert.match(String(creation_hash), /^[0-9a-f]{64}$/, 'the key has reached the intent');
  });

  it('reads with the version as ETag', async () => {
    const reply = await createRig().send('operator', 'get', PATH);
    assert.deepEqual([reply.status, reply.headers['etag']], [200, '"3"']);
    assert.deepEqual(reply.body, INTENT);
    assert.equal(reply.headers['holdpoint-stale'], undefined);
  });

  it('marks a stale read', async () => {
    const clock = new ManualClock();
    const silent = () => clock.advance(4_000).then(() => new Promise(() => undefined));
    const rig = rigOver({
      clock,
      answers: { intent: silent, position: silent },
      store: { findIntent: async () => INTENT, lastSequences: sequences(() => 0) },
    });
    await rig.send('agent', 'post', '/v1/intents').send({ title: 'Refund' });
    for (const path of [PATH, '/v1/intents', `${PATH}/events`]) {
      const reply = await rig.send('agent', 'get', path);
      assert.equal(reply.headers['holdpoint-stale'], 'true');
    }
  });

  it('lists a page, with defaults', async () => {
    const rig = createRig();
    const reply = await rig.send('agent', 'get', '/v1/intents');
    const intents = [intentSummarySchema.parse(INTENT)];
    assert.deepEqual(reply.body, { intents, next_offset: null });
    await rig.send('agent', 'get', '/v1/intents?limit=5&offset=10&status=active');
    const reader = { principal: 'refund-agent', groups: [] };
    assert.deepEqual(
      rig.asked.flatMap(({ name, args }) => (name === 'listIntents' ? args : [])),
      [
        { limit: 100, offset: 0, reader },
        { limit: 5, offset: 10, status: 'active', reader },
      ],
    );
  });

  const QUERIES = ['limit=0', 'limit=1001', 'limit=x', 'limit=1e2', 'offset=-1', 'limit=1&limit=2'];
  for (const query of [...QUERIES, 'status=failed']) {
    it(`refuses to list with ${query}`, async () => {
      const rig = createRig();
      const reply = await rig.send('agent', 'get', `/v1/intents?${query}`);
      assert.deepEqual([reply.status, reply.body.field], [422, query.split('=')[0]]);
      assert.deepEqual([rig.calls, rig.sent], [[], []]);
    });
  }
});

describe('If-Match', () => {
  const write = (rig: Rig, header?: string) => {
    const test = rig.send('agent', 'post', `${PATH}/status`);
    return (header === undefined ? test : test.set('If-Match', header)).send({ status: 'active' });
  };

  for (const header of ['3', '"3"', 'W/"3"', ' 3 ']) {
    it(`reads ${header}`, async () => {
      const rig = createRig();
      assert.equal((await write(rig, header)).status, 200);
      const written = { ...sent('refund-agent'), status: 'active', if_match: 3 };
      assert.deepEqual(rig.sent[0]?.args, [written]);
    });
  }

  it('is required', async () => {
    for (const kind of ['status', 'state']) {
      const rig = createRig();
      const reply = await rig.send('agent', 'post', `${PATH}/${kind}`).send({ status: 'active' });
      assert.deepEqual([reply.status, reply.body.code], [428, 'precondition_required']);
      assert.deepEqual([rig.calls, rig.sent], [[], []]);
    }
  });

  for (const header of ['*', 'three', '"3', '3.0', '-3', '"3", "4"', '9'.repeat(16)]) {
    it(`refuses ${header}`, async () => {
      const rig = createRig();
      const reply = await write(rig, header);
      assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_request']);
      assert.equal(reply.body.field, 'If-Match');
      assert.deepEqual([rig.calls, rig.sent], [[], []]);
    });
  }
});

describe('state writes', () => {
  const write = (rig: Rig, body: object) =>
    rig.send('agent', 'post', `${PATH}/state`).set('If-Match', '3').send(body);

  it('takes patches as they are', async () => {
    const patches = [
      { op: 'set', path: '/a/b', value: null },
      { op: 'append', path: 'list', value: 1 },
      { op: 'remove', path: 'c' },
    ];
    const rig = createRig();
    const reply = await write(rig, { patches });
    assert.deepEqual([reply.status, reply.headers['etag']], [200, '"3"']);
    assert.deepEqual(rig.sent[0]?.args, [{ ...sent('refund-agent'), if_match: 3, patches }]);
  });

  it('turns a merge into one set for each key', async () => {
    const rig = createRig();
    await write(rig, { state: { a: { b: 1 }, c: null } });
    assert.deepEqual((rig.sent[0]?.args[0] as { patches: unknown }).patches, [
      { op: 'set', path: 'a', value: { b: 1 } },
      { op: 'set', path: 'c', value: null },
    ]);
  });

  const REFUSED = [
    [{}, 'invalid_request', 'patches'],
    [{ patches: [], state: {} }, 'invalid_request', 'patches'],
    [{ patches: [] }, 'invalid_request', 'patches'],
    [{ state: {} }, 'invalid_request', 'state'],
    [{ state: [] }, 'invalid_request', 'state'],
    [{ state: { 'a/b': 1 } }, 'invalid_patch', 'state["a/b"]'],
    [{ state: { '': 1 } }, 'invalid_patch', 'state[""]'],
    [{ patches: [{ op: 'move', path: 'a' }] }, 'invalid_request', 'patches[0].op'],
    [{ patches: [{ op: 'set', path: 'a' }] }, 'invalid_request', 'patches[0].value'],
    [{ patches: [{ op: 'remove', path: '' }] }, 'invalid_request', 'patches[0].path'],
  ] as const;
  for (const [body, code, field] of REFUSED) {
    it(`refuses ${JSON.stringify(body)}`, async () => {
      const rig = createRig();
      const reply = await write(rig, body);
      const { status, body: problem } = reply;
      assert.deepEqual([status, problem.code, problem.field], [422, code, field]);
      assert.deepEqual([rig.calls, rig.sent], [[], []]);
    });
  }
});

describe('events', () => {
  it('reads a page of one type', async () => {
    const rig = createRig();
    const path = `${PATH}/events?limit=1000&offset=2&event_type=intent.resumed`;
    const reply = await rig.send('operator', 'get', path);
    assert.deepEqual(reply.body, { events: [EVENT], next_offset: null });
    const page = { limit: 1000, offset: 2, event_type: 'intent.resumed' };
    const asked = rig.asked.find(({ name }) => name === 'listEvents');
    assert.deepEqual(asked?.args.slice(0, 2), [INTENT_ID, page]);
  });

  it('appends with Location', async () => {
    const rig = createRig();
    const reply = await rig.send('agent', 'post', `${PATH}/events`).send({ event_type: 'comment' });
    assert.deepEqual([reply.status, reply.headers['location']], [201, `${PATH}/events`]);
    const [update] = rig.sent;
    assert.deepEqual([update?.name, update?.workflowId], ['appendEvent', `intent-${INTENT_ID}`]);
    const event = { event_type: 'comment', payload: {}, posted: true };
    assert.deepEqual(update?.args, [{ ...sent('refund-agent'), ...event }]);
  });
});

describe('leases', () => {
  it('are acquired, renewed, released and listed', async () => {
    const rig = createRig();
    const one = `${PATH}/leases/${LEASE_ID}`;
    const by = sent('refund-agent');
    const acquire = rig.send('agent', 'post', `${PATH}/leases`);
    const acquired = await acquire.send({ scope: 'refunds', duration_seconds: 60 });
    assert.deepEqual([acquired.status, acquired.headers['location']], [201, one]);
    const renewed = await rig.send('agent', 'patch', one).send({ duration_seconds: 90 });
    const released = await rig.send('agent', 'delete', one);
    const listed = await rig.send('agent', 'get', `${PATH}/leases`);
    assert.deepEqual(
      [renewed.body, released.body, listed.body],
      [LEASE, LEASE, { leases: [LEASE] }],
    );
    assert.deepEqual(
      rig.sent
        .filter(({ name }) => /lease/i.test(name))
        .map(({ workflowId, name, args: [input] }) => [workflowId, name, input]),
      [
        [`intent-${INTENT_ID}`, 'acquireLease', { ...by, scope: 'refunds', duration_seconds: 60 }],
        [`intent-${INTENT_ID}`, 'renewLease', { ...by, lease_id: LEASE_ID, duration_seconds: 90 }],
        [`intent-${INTENT_ID}`, 'releaseLease', { ...by, lease_id: LEASE_ID }],
        [`intent-${INTENT_ID}`, 'leases', undefined],
      ],
    );
  });
});
