import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type {
  NewSubscription,
  Subscription,
} from '../../../contracts/subscription/subscription.js';
import { PUMP, workflowIdOf } from '../../../contracts/constants/names.js';
import { ensurePump } from '../../../workers/ensure-upkeep.js';
import { silent } from '../support/fakes.js';
import { readFresh } from '../../support/fresh-reads.js';
import { lookUntil } from '../../support/looks.js';
import { RealStack, type KeyName } from '../../support/real-stack.js';
import { startReceiver, status } from '../../support/subscribers.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

/** What every reply but the first shows. */
const shown = ({ secret: _secret, ...subscription }: NewSubscription): Subscription => subscription;

describe('webhook subscriptions', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({
      subscriptions: { secrets: [SECRET] },
    });
  });
  after(() => stack.close());

  async function createIntent(): Promise<string> {
    const reply = await stack.post('/v1/intents', 'agent', { title: 'Refund', status: 'active' });
    return (reply.body as { id: string }).id;
  }

  async function subscribe(body: object, as: KeyName = 'agent'): Promise<NewSubscription> {
    const reply = await stack.post('/v1/subscriptions', as, body);
    assert.equal(reply.status, 201, reply.text);
    return reply.body as NewSubscription;
  }

  it('deliver in order what happens, over a failure, until they are deleted [R25-18]', async () => {
    let taken = (): void => undefined;
    const all = new Promise<void>((resolve) => (taken = resolve));
    const receiver = await startReceiver(status(200), status(503), (response, { body }) => {
      if (body.includes('"third"')) taken();
      response.writeHead(200).end();
    });
    const intent_id = await createIntent();
    const event_types = ['first', 'second', 'third'];
    const made = await subscribe({ intent_id, webhook_url: receiver.publicUrl, event_types });
    assert.equal(made.active, true);
    for (const event_type of ['first', 'other', 'second', 'third']) {
      await stack.post(`/v1/intents/${intent_id}/events`, 'agent', { event_type });
    }
    await all;
    const shown = receiver.received.map(({ body, headers }) => {
      const verified = new Webhook(made.secret).verify(body, headers as Record<string, string>);
      return verified as { subscription_id: string; event: IntentEvent };
    });
    assert.deepEqual(
      shown.map(({ event }) => event.event_type),
      ['first', 'second', 'second', 'third'],
    );
    assert.ok(shown.every(({ subscription_id }) => subscription_id === made.id));
    const path = `/v1/subscriptions/${made.id}`;
    const foreign = await stack.delete(path, 'agent2');
    assert.deepEqual([foreign.status, foreign.body.code], [403, 'forbidden']);
    const deleted = await stack.delete(path, 'agent');
    assert.deepEqual([deleted.body.active, deleted.body.end_reason], [false, 'deleted']);
    assert.deepEqual((await stack.delete(path, 'agent')).body, deleted.body);
    await receiver.close();
  });

  it('have a secret each, which only the reply shows that creates them', async () => {
    const webhook_url = 'https://hooks.example.com/events';
    const made = [await subscribe({ webhook_url }), await subscribe({ webhook_url })];
    const sdks = await stack.post('/api/v1/subscriptions', 'agent', { webhook_url });
    const secrets = [...made.map(({ secret }) => secret), String(sdks.body.secret)];
    for (const secret of secrets) assert.match(secret, /^whsec_[\w+/]{43}=$/);
    assert.equal(new Set([SECRET, ...secrets]).size, 4);
    const ids = [...made.map(({ id }) => id), String(sdks.body.id)];
    const replies = [
      await stack.get('/v1/subscriptions', 'agent'),
      await stack.get('/api/v1/subscriptions', 'admin'),
    ];
    for (const id of ids) replies.push(await stack.delete(`/v1/subscriptions/${id}`, 'agent'));
    for (const { status: code, text } of replies) {
      assert.equal(code, 200);
      assert.doesNotMatch(text, /whsec_|"secret"/);
    }
    const stored = await stack.store.db.selectFrom('subscriptions').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(stored), /whsec_/);
  });

  it('cost nothing while nothing happens, but for one pump, and are woken by an event', async () => {
    const receiver = await startReceiver();
    const intents = await Promise.all(Array.from({ length: 10 }, createIntent));
    // What is stored only after somebody subscribes is delivered to them.
    await lookUntil(async () => {
      const events = stack.store.db.selectFrom('events').select('intent_id');
      const stored = await events.where('intent_id', 'in', intents).execute();
      return stored.length === intents.length;
    }, 'the creation of an intent is not stored');
    const made = await Promise.all(
      intents.map((intent_id) => subscribe({ intent_id, webhook_url: receiver.publicUrl })),
    );
    const underWay = async (workflowId: string) => {
      const { raw } = await stack.client.workflow.getHandle(workflowId).describe();
      return raw.pendingActivities?.map(({ activityType }) => activityType?.name) ?? [];
    };
    for (const { id } of made) {
      const workflowId = workflowIdOf('subscription', id);
      await lookUntil(async () => (await underWay(workflowId)).length === 0, 'it does not sleep');
    }
    const isPumping = async () => (await underWay(PUMP.id)).join() === 'wakeSubscriptions';
    await lookUntil(isPumping, 'the pump does not wait for events');
    assert.equal(receiver.received.length, 0);
    const event = { event_type: 'woken' };
    await stack.post(`/v1/intents/${intents[3] ?? ''}/events`, 'agent', event);
    await lookUntil(async () => receiver.received.length === 1, 'nothing is delivered');
    assert.match(receiver.received[0]?.body ?? '', new RegExp(made[3]?.id ?? 'none'));
    await stack.client.workflow.getHandle(PUMP.id).terminate();
    await stack.post(`/v1/intents/${intents[5] ?? ''}/events`, 'agent', event);
    await ensurePump(stack.client, stack.store.db, silent);
    await lookUntil(async () => receiver.received.length === 2, 'a dead pump is not replaced');
    for (const { id } of made) await stack.delete(`/v1/subscriptions/${id}`, 'agent');
    await receiver.close();
  });

  it('are neither denied nor called over while no worker is there', async () => {
    const webhook_url = 'https://hooks.example.com/events';
    const intent_id = await createIntent();
    const known = await subscribe({ intent_id, webhook_url });
    const list = () => stack.get(`/v1/subscriptions?intent_id=${intent_id}`, 'agent');
    assert.deepEqual((await list()).body.subscriptions, [shown(known)]);
    await stack.stopWorker();
    const fresh = await subscribe({ webhook_url });
    const stale = await list();
    assert.equal(stale.headers['holdpoint-stale'], 'true');
    const paths = [known, fresh].map(({ id }) => `/v1/subscriptions/${id}`);
    for (const path of paths) {
      const refused = await stack.delete(path, 'agent');
      assert.deepEqual([refused.status, refused.body.code], [503, 'workflow_unavailable']);
    }
    await stack.startWorker();
    for (const path of paths) {
      const deleted = await stack.delete(path, 'agent');
      assert.deepEqual([deleted.status, deleted.body.active], [200, false], deleted.text);
    }
    await readFresh(stack, `/v1/subscriptions?intent_id=${intent_id}`);
  });
});
