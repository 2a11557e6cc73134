import { WorkflowNotFoundError } from '@temporalio/client';
import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createApp } from '../../../api/app.js';
import { KeyRing } from '../../../api/sign-in/key-ring.js';
import { createSignIn } from '../../../api/sign-in/sign-in.js';
import { createPartsOf } from '../../../api/parts/index.js';
import { queriesIn, queriesOf } from '../../../api/parts/reads/from-store.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { WorkflowType } from '../../../contracts/constants/names.js';
import { patientClock } from '../../support/patience.js';
import { feedOf } from '../../support/events.js';
import { ID_SECRET, KEYS, REFUND, RealStack } from '../../support/real-stack.js';
import { settledInStore } from '../../support/stored-questions.js';
import { fakeClient, silent } from '../support/fakes.js';
import request from 'supertest';
import { pino } from 'pino';
import { createAgentStates } from '../../../runtime/agent-state.js';

const QUIET = pino({ enabled: false });

describe('what Temporal has forgotten after its retention', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  /** Waits for the end of a workflow: from then on the store has all that the API does not write. */
  async function ended(type: WorkflowType, id: string): Promise<void> {
    await stack.client.workflow.getHandle(workflowIdOf(type, id)).result();
  }

  /** Sends a request to an API over the same store and a Temporal that knows no workflow and starts none. */
  async function afterwards(path: string, body: object, headers: Record<string, string> = {}) {
    const gone = () => {
      throw new WorkflowNotFoundError('gone', '', undefined);
    };
    const { client } = fakeClient({ query: gone, update: gone });
    const config = serverConfigSchema.parse({});
    const feed = feedOf(stack.store);
    const partsOf = createPartsOf({
      agentStates: createAgentStates([]),
      client,
      agentsIn: () => new Set(),
      idSecrets: [ID_SECRET],
      store: queriesOf(stack.store.db),
      storeIn: (space) => queriesIn(stack.store.db, space),
      feed,
      config,
      log: silent,
      now: Date.now,
      clock: patientClock(),
    });
    const keys = Object.values(KEYS).map((key) => ({ ...key, roles: [...key.roles] }));
    const signIn = createSignIn(new KeyRing(keys));
    const app = createApp({ partsOf, feed, signIn, config, log: QUIET });
    return request(app).post(path).set('X-API-Key', KEYS.agent.key).set(headers).send(body);
  }

  it('is given again under the Idempotency-Key of an intent, and not started anew', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const body = { title: 'Refund', status: 'active' };
    const first = await stack.post('/v1/intents', 'agent', body, key);
    const path = `/v1/intents/${first.body.id}`;
    await stack.post(`${path}/status`, 'agent', { status: 'completed' }, { 'If-Match': '1' });
    await ended('intent', first.body.id);
    const again = await afterwards('/v1/intents', body, key);
    assert.deepEqual([again.status, again.body.id], [201, first.body.id]);
    assert.deepEqual([again.body.status, again.body.version], ['completed', 2]);
    const other = await afterwards('/v1/intents', { title: 'Another' }, key);
    assert.equal(other.body.code, 'idempotency_key_reused');
  });

  it('is given again under the Idempotency-Key of a portfolio and of a plan', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const portfolio = await stack.post('/v1/portfolios', 'agent', { name: 'Q4' }, key);
    const status = `/v1/portfolios/${portfolio.body.id}/status`;
    await stack.patch(status, 'agent', { status: 'abandoned' });
    await ended('portfolio', portfolio.body.id);
    const again = await afterwards('/v1/portfolios', { name: 'Q4' }, key);
    assert.deepEqual([again.body.id, again.body.status], [portfolio.body.id, 'abandoned']);

    const intent = await stack.post('/v1/intents', 'agent', { title: 'x', status: 'active' });
    const body = { intent_id: intent.body.id, tasks: [{ name: 'one' }], state: 'active' };
    const plan = await stack.post('/v1/plans', 'agent', body, key);
    const ifMatch = { 'If-Match': String(plan.body.version) };
    const cancelled = { state: 'cancelled' };
    const end = await stack.patch(`/v1/plans/${plan.body.id}`, 'agent', cancelled, ifMatch);
    assert.equal(end.status, 200, JSON.stringify(end.body));
    await ended('plan', plan.body.id);
    const repeated = await afterwards('/v1/plans', body, key);
    assert.deepEqual([repeated.body.id, repeated.body.state], [plan.body.id, 'cancelled']);
  });

  it('is given again under the request_key of a question without an intent', async () => {
    const body = { ...REFUND, request_key: randomUUID() };
    const first = await stack.post('/v1/suspensions', 'agent', body);
    const path = `/v1/suspensions/${first.body.id}`;
    await stack.post(`${path}/respond`, 'operator', { value: 'deny' });
    await ended('suspension', first.body.id);
    await settledInStore(stack.store, first.body.id);
    const again = await afterwards('/v1/suspensions', body);
    assert.deepEqual([again.status, again.body.id], [200, first.body.id]);
    assert.equal(again.body.record.response, 'deny');
    const refused = await afterwards('/v1/suspensions', { ...body, question: 'Another?' });
    assert.equal(refused.body.code, 'request_key_reused');
  });
});
