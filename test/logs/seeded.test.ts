import { Runtime } from '@temporalio/worker';
import { sql } from 'kysely';
import { after, afterEach, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { lookUntil } from '../support/looks.js';
import { RealStack } from '../support/real-stack.js';
import { SEEDS, seedsIn } from '../support/secrets.js';
import { onServer } from '../support/stack-temporal.js';

const QUESTION = {
  question: SEEDS.question,
  choices: [
    { value: SEEDS.choice, label: SEEDS.choice, metadata: { note: SEEDS.context } },
    { value: 'deny', label: 'Deny' },
  ],
  context: { customer: { name: SEEDS.context } },
};
const BEARER = { Authorization: `Bearer ${SEEDS.bearer}` };

/** What is logged while everything that callers send holds a seed. */
describe('the logs of API and worker', () => {
  let stack: RealStack;
  let intent = '';
  const logger = () => mock.method(Runtime.instance().logger, 'log');

  before(async () => {
    stack = await RealStack.start({}, onServer());
    const body = { title: SEEDS.question, status: 'active', state: { note: SEEDS.state } };
    const created = await stack.post('/v1/intents', 'agent', body, BEARER);
    assert.equal(created.status, 201);
    intent = `/v1/intents/${created.body.id}`;
  });

  afterEach(() => {
    mock.restoreAll();
    const lines = stack.logged.join('').trim().split('\n');
    assert.ok(lines.length > 1);
    assert.deepEqual(lines.flatMap(seedsIn), []);
  });

  after(() => stack.close());

  /** What the worker logged as a warning, from `entries` on, or the API at any time. */
  async function warned(entries: ReturnType<typeof logger>, message: RegExp): Promise<void> {
    await lookUntil(async () => {
      const isSaid =
        entries.mock.calls.some(({ arguments: [, text] }) => message.test(text)) ||
        stack.logged.some((line) => message.test(line));
      // A read of the intent leaves lines too.
      if (!isSaid) await stack.get(intent);
      return isSaid;
    }, `nobody said ${message.source}`);
  }

  async function ask(body: object = {}): Promise<string> {
    const asked = await stack.post(`${intent}/suspend`, 'agent', { ...QUESTION, ...body }, BEARER);
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    return asked.body.id as string;
  }

  it('hold nothing of a question whose channel fails and quotes it', async () => {
    const entries = logger();
    stack.channelIsBroken = true;
    const suspension_id = await ask();
    await warned(entries, /Activity failed/i);
    stack.channelIsBroken = false;
    const respond = (body: object) =>
      stack.post(`${intent}/suspend/respond`, 'operator', { suspension_id, ...body }, BEARER);
    assert.equal((await respond({ value: SEEDS.answer })).status, 422);
    const metadata = { note: SEEDS.answer };
    assert.equal((await respond({ value: SEEDS.choice, metadata })).status, 200);
    assert.equal((await respond({ value: SEEDS.choice, metadata: {} })).status, 409);
  });

  it('hold nothing of a question without a channel, withdrawn for a reason', async () => {
    const entries = logger();
    const suspension_id = await ask({ channel_hint: 'nowhere' });
    await warned(entries, /no channel "nowhere" is configured/);
    const body = { suspension_id, reason: SEEDS.reason };
    assert.equal((await stack.post(`${intent}/suspend/cancel`, 'agent', body)).status, 200);
  });

  it('hold nothing of rows that the database refuses and quotes', async () => {
    const { db } = stack.store;
    const entries = logger();
    await sql`alter table suspensions add constraint none check (false) not valid`.execute(db);
    await ask({ response_type: 'text', choices: undefined });
    await warned(entries, /journal row refused/);
    await sql`alter table suspensions drop constraint none`.execute(db);
  });

  it('hold nothing of rows that a broken database fails to write', async () => {
    const { db } = stack.store;
    const body = { title: SEEDS.question, status: 'active' };
    const created = await stack.post('/v1/intents', 'agent', body, BEARER);
    intent = `/v1/intents/${created.body.id}`;
    const entries = logger();
    await sql`alter table suspensions rename to away`.execute(db);
    const suspension_id = await ask({ response_type: 'text', choices: undefined });
    await warned(entries, /journal rows not written/);
    await sql`alter table away rename to suspensions`.execute(db);
    const answer = { suspension_id, value: SEEDS.answer };
    assert.equal((await stack.post(`${intent}/suspend/respond`, 'operator', answer)).status, 200);
  });

  it('hold nothing of what is refused at the door', async () => {
    const key = 'X-API-Key';
    const statuses = [
      await stack.get(`/v1/${SEEDS.context}?q=${SEEDS.answer}`),
      await stack.get(intent).set(key, SEEDS.bearer),
      await stack.get(`/v1/suspensions/${SEEDS.answer}`),
      await stack.post(`${intent}/suspend`, 'agent', { question: [SEEDS.question] }),
      await stack.post(`${intent}/suspend/respond`, 'agent', { value: SEEDS.answer }),
      await stack.post(`${intent}/state`, 'agent', { state: { note: SEEDS.state } }),
      await stack.post(`${intent}/events`, 'agent', {
        event_type: 'note',
        payload: { a: SEEDS.state },
      }),
    ].map(({ status }) => status);
    assert.deepEqual(statuses, [404, 401, 404, 422, 403, 428, 201]);
  });
});
