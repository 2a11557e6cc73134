import { sent } from '../../support/callers.js';
import type { AskingInput } from '../../../workflows/intent/messages.js';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Intent } from '../../../contracts/intent/intent.js';
import type { Coordinator } from '../../../contracts/coordinator/coordinator.js';
import type { Portfolio } from '../../../contracts/portfolio/portfolio.js';
import { refused } from '../../../api/parts/refusals.js';
import { KNOWN_EVENT_TYPES } from '../../../contracts/constants/events.js';
import { askedOf, createRig, rigOver, sentIn, type Rig } from '../support/harness.js';
import { knowingIntent } from '../support/parts.js';
import {
  EVENT,
  INTENT,
  ANSWERED,
  INTENT_ID,
  LEASE_ID,
  SUSPENSION_ID,
  VIEW,
} from '../support/records.js';

const PATH = `/api/v1/intents/${INTENT_ID}`;
const AGENT = { 'X-Agent-ID': 'refunder' };
const read = (rig: Rig, path: string) => rig.send('agent', 'get', path);
const post = (rig: Rig, path: string, body: object, headers: Record<string, string> = {}) =>
  rig.send('agent', 'post', path).set(headers).send(body);

describe('the OpenIntent API', () => {
  it('creates with 200, and keeps created_by as it was sent', async () => {
    const rig = createRig();
    const body = { title: 'Refund', description: '', created_by: 'refunder', trace_id: 'unknown' };
    const reply = await post(rig, '/api/v1/intents', body, AGENT);
    assert.equal(reply.status, 200);
    const { intent, creation_hash } = sentIn(rig, 'intent');
    const { id: _id, created_at: _created, updated_at: _updated, ...made } = intent as Intent;
    assert.deepEqual(made, {
      title: 'Refund',
      description: '',
      status: 'draft',
      version: 1,
      state: {},
      constraints: {},
      created_by: 'refunder',
      owner: 'refund-agent',
      parent_intent_id: null,
      depends_on: [],
    });
    assert.equal(creation_hash, undefined, 'no key was sent');
  });

  it('says which of its writes take any name, or may ask', async () => {
    const rig = createRig();
    const ifMatch = { 'If-Match': '3' };
    await post(rig, `${PATH}/status`, { status: 'active' }, ifMatch);
    await post(rig, '/api/v1/portfolios', { name: 'Refunds', created_by: 'refunder' });
    await post(rig, '/api/v1/coordinators', { intent_id: INTENT_ID, agent_id: 'refunder' });
    const [written] = rig.sent.find(({ name }) => name === 'setStatus')?.args ?? [];
    assert.equal((written as AskingInput).openintent_ask, true);
    const { created_by } = sentIn(rig, 'portfolio')['portfolio'] as Portfolio;
    const { agent_id } = sentIn(rig, 'coordinator')['coordinator'] as Coordinator;
    assert.deepEqual([created_by, agent_id], ['refunder', 'refunder']);
  });

  it('shows times in UTC without a zone, and the parent under both names', async () => {
    const record = { id: SUSPENSION_ID, suspended_at: '2026-11-20T09:00:00.123456', note: 'Z' };
    const state = { _suspension: { ...record, settled_at: '2026-11-20T10:00:00.5Z' } };
    const intent = { ...INTENT, state, parent_intent_id: LEASE_ID };
    const rig = rigOver({ answers: knowingIntent(intent) });
    const { body } = await read(rig, PATH);
    assert.equal(body.created_at, '2026-11-20T10:00:00.000000');
    assert.deepEqual(body.state._suspension, {
      ...record,
      settled_at: '2026-11-20T10:00:00.500000',
    });
    assert.deepEqual([body.parent_intent_id, body.parent_id], [LEASE_ID, LEASE_ID]);
    assert.deepEqual([body.description, body.confidence], ['', 0]);
  });

  it('lists intents under their name, and leases too', async () => {
    const rig = createRig();
    const intents = await read(rig, '/api/v1/intents?limit=5&status=active');
    const reader = { principal: 'refund-agent', groups: [] };
    assert.deepEqual(askedOf(rig, 'listIntents'), [
      { limit: 5, offset: 0, status: 'active', whole: true, reader },
    ]);
    assert.equal(intents.body.intents.length, 1);
    const leases = await read(rig, `${PATH}/leases`);
    assert.equal(leases.body.leases[0].expires_at, '2026-11-20T10:01:00.000000');
    assert.equal(leases.body.leases[0].released_at, null);
  });

  it('takes patches whose path has no slash, and a merge of keys', async () => {
    const rig = createRig();
    const patches = [{ op: 'set', path: 'a', value: 1 }];
    await post(rig, `${PATH}/state`, { patches }, { 'If-Match': '3' });
    await post(rig, `${PATH}/state`, { state: { a: 1 } }, { 'If-Match': '3' });
    const asked = { if_match: 3, openintent_ask: true, patches };
    const written = { ...sent('refund-agent'), ...asked };
    assert.deepEqual(
      rig.sent.map(({ workflowId, args }) => [workflowId, ...args]),
      [
        [`intent-${INTENT_ID}`, written],
        [`intent-${INTENT_ID}`, written],
      ],
    );
  });

  it('takes a POST without a byte, whatever it is declared as', async () => {
    const path = `/api/v1/coordinators/${LEASE_ID}/heartbeat`;
    const open = `${PATH}/leases`;
    for (const type of ['application/json; charset=latin1', 'text/plain', 'x/y; charset=none']) {
      const beat = await createRig().send('agent', 'post', path).set('Content-Type', type);
      assert.equal(beat.status, 200);
      for (const [header, value] of [
        ['Content-Length', '0'],
        ['Transfer-Encoding', 'chunked'],
      ] as const) {
        const test = createRig().send('agent', 'post', open).set('Content-Type', type);
        const { status, body } = await test.set(header, value);
        assert.deepEqual([status, body.code], [422, 'invalid_request'], `${type} ${header}`);
        assert.deepEqual(body.detail[0]?.loc, ['body', 'scope'], `${type} ${header}`);
      }
    }
  });

  it('takes a POST without a byte, declared as JSON', async () => {
    const reply = await createRig()
      .send('agent', 'delete', `${PATH}/leases/${LEASE_ID}`)
      .set('Content-Type', 'application/json');
    assert.deepEqual([reply.status, reply.body], [200, { message: 'Lease released' }]);
  });

  it('asks for the event types alone that the SDK knows, with the actor that was sent', async () => {
    const rig = createRig();
    assert.ok(Array.isArray((await read(rig, `${PATH}/events?since=2026-11-20T10:00:00`)).body));
    assert.deepEqual(rig.asked.find(({ name }) => name === 'listEvents')?.args[1], {
      limit: 100,
      offset: 0,
      event_types: KNOWN_EVENT_TYPES,
      since: '2026-11-20T10:00:00Z',
    });
    for (const type of ['lease_renewed', 'intent.suspension_cancelled', 'x.y']) {
      assert.ok(!KNOWN_EVENT_TYPES.includes(type));
      assert.deepEqual((await read(rig, `${PATH}/events?event_type=${type}`)).body, []);
    }
    const reply = await post(rig, `${PATH}/events`, {
      event_type: 'comment',
      actor: 'a',
      payload: {},
    });
    assert.equal(reply.body.created_at, '2026-11-20T10:00:00.000000');
    const [{ actor }] = rig.sent.at(-1)?.args as [{ actor: string }];
    assert.equal(actor, 'a');
  });

  it('shortens the id of a suspension for a key that did not make the intent [AM-45]', async () => {
    const value = { id: SUSPENSION_ID };
    const payload = { patches: [{ op: 'set', path: '/_suspension', value }] };
    const madeBy = (owner: string) => {
      const intent = {
        ...INTENT,
        owner,
        created_by: 'refund-agent',
        state: { _suspension: value },
      };
      const events = { rows: [{ ...EVENT, payload }], more: false };
      const store = { listEvents: async () => events };
      return rigOver({ answers: knowingIntent(intent), store });
    };
    for (const path of [PATH, `${PATH}/events`]) {
      const byName = await read(madeBy('refunder'), path).set(AGENT);
      const byKey = await read(madeBy('refund-agent'), path).set(AGENT);
      const operator = await madeBy('refunder').send('operator', 'get', path);
      const shown = [byName, byKey, operator].map(({ text }) => text.includes(SUSPENSION_ID));
      assert.deepEqual(shown, [false, true, true]);
    }
  });

  it('answers, with the choice that was taken and no zone in its time', async () => {
    const rig = createRig();
    const body = { suspension_id: SUSPENSION_ID, value: 'yes', metadata: {} };
    const reply = await rig.send('operator', 'post', `${PATH}/suspend/respond`).send(body);
    assert.deepEqual(reply.body, {
      intent_id: INTENT_ID,
      suspension_id: SUSPENSION_ID,
      resolution: 'responded',
      value: 'yes',
      choice_label: 'Yes',
      choice_description: '',
      responded_by: 'alice',
      responded_at: '2026-11-20T10:00:00.000000',
    });
    const [, , request] = rig.calls[0]?.args ?? [];
    const { metadata: _empty, ...answer } = body;
    assert.deepEqual(request, { ...answer, despite_claim: true });
  });

  it('keeps a comment and data in the metadata of an answer, where its readers look', async () => {
    const { metadata: _none, ...answered } = { metadata: {}, ...ANSWERED };
    const result = { ...answered, comment: 'fine', data: { limit: 5 }, metadata: { via: 'tool' } };
    const rig = createRig({ respond: () => Promise.resolve({ accepted: true, result }) });
    const metadata = { via: 'tool', comment: 'fine', data: { limit: 5 } };
    const body = { suspension_id: SUSPENSION_ID, value: 'yes', metadata };
    const reply = await rig.send('operator', 'post', `${PATH}/suspend/respond`).send(body);
    assert.equal(reply.status, 200);
    const { metadata: shown, comment, data } = reply.body;
    assert.deepEqual([shown, comment, data], [metadata, undefined, undefined]);
    assert.deepEqual(rig.calls[0]?.args[2], {
      suspension_id: SUSPENSION_ID,
      value: 'yes',
      despite_claim: true,
      comment: 'fine',
      data: { limit: 5 },
      metadata: { via: 'tool' },
    });
  });

  it('answers without a resolution while more people have to [AM-58]', async () => {
    const { resolution: _open, ...rest } = ANSWERED;
    const result = { ...rest, approvals: 1, required: 2 };
    const rig = createRig({ respond: () => Promise.resolve({ accepted: true, result }) });
    const body = { suspension_id: SUSPENSION_ID, value: 'yes', question_version: 1 };
    const reply = await rig.send('operator', 'post', `${PATH}/suspend/respond`).send(body);
    assert.equal(reply.status, 200);
    const { resolution, approvals, required } = reply.body;
    assert.deepEqual([resolution, approvals, required], [undefined, 1, 2]);
    assert.deepEqual(rig.calls[0]?.args[2], { ...body, despite_claim: true });
  });

  it('returns whole choices if a value is none of them', async () => {
    const rig = createRig({
      respond: () =>
        Promise.reject(
          refused('invalid_value', 'no', { field: 'value', valid_choices: ['yes', 'no'] }),
        ),
      getSuspension: () =>
        Promise.resolve({
          value: {
            ...VIEW,
            record: { ...VIEW.record, choices: [{ value: 'no', label: 'Never' }] },
          },
          stale: false,
        }),
    });
    const body = { suspension_id: SUSPENSION_ID, value: 'maybe' };
    const reply = await rig.send('operator', 'post', `${PATH}/suspend/respond`).send(body);
    assert.equal(reply.status, 422);
    assert.deepEqual(reply.body.detail, {
      error: 'invalid_choice',
      message: "Value 'maybe' is not a valid choice. Expected one of: ['yes', 'no']",
      valid_choices: [
        { value: 'yes', label: 'Yes' },
        { value: 'no', label: 'Never' },
      ],
    });
  });
});

describe('discovery', () => {
  it('needs no key', async () => {
    const retry = { max_attempts: 2, interval_seconds: null };
    const config = { suspension: { default_retry_policy: retry } };
    const rig = createRig({}, config);
    const { body } = await rig.send(undefined, 'get', '/api/v1/server/config');
    assert.deepEqual(body, {
      protocol_version: '0.1',
      suspension: { default_retry_policy: { max_attempts: 2 } },
    });
    const found = await rig.send(undefined, 'get', '/.well-known/openintent.json');
    assert.deepEqual(Object.keys(found.body), [
      'protocol',
      'version',
      'rfcUrls',
      'capabilities',
      'openApiUrl',
    ]);
    const compat = await rig.send(undefined, 'get', '/.well-known/openintent-compat.json');
    assert.equal(compat.body.rfcCompliance['RFC-0025'], 'full');
    assert.equal(compat.body.features.humanInTheLoop, true);
  });

  it('shows no default policy as null', async () => {
    const { body } = await createRig().send(undefined, 'get', '/api/v1/server/config');
    assert.equal(body.suspension.default_retry_policy, null);
  });
});
