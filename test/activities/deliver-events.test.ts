import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { createWebhookSender } from '../../activities/channels/webhook/sender.js';
import { deliverEvents } from '../../activities/deliver-events.js';
import type { EventDelivery } from '../../activities/types.js';
import { serverConfigSchema } from '../../contracts/server/config.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import { subscriptionSecret } from '../../domain/subscription/subscription.js';
import { noteSigningIn, presentSights } from '../../store/queries/people/principal.js';
import { SUSPENSION_ID } from '../api/support/records.js';
import { append, eventOf, feedOf, logInRun, writeMany } from '../support/events.js';
import { withStore, type TestStore } from '../support/store.js';
import { startReceiver, status, type Answer, type Receiver } from '../support/subscribers.js';
import { EXAMPLES } from '../support/examples.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const OLD_SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const CONFIG = { allow_private_network: true, timeout_seconds: 5 };
const OWN_SECRET = subscriptionSecret(SECRET, EXAMPLES.subscription.id);

describe('the delivery of events to a subscription', () => {
  let store: TestStore;
  let receiver: Receiver;
  before(async () => {
    store = await withStore();
  });
  afterEach(() => receiver.close());
  after(() => store.close());

  interface Run {
    readonly request: Partial<EventDelivery>;
    readonly heartbeatDetails?: number;
    readonly config?: typeof CONFIG;
    readonly patienceMs?: number;
    readonly hasEnded?: boolean;
  }

  /** A turn that does not wait for more, unless it has patience. */
  function turn(intentId: string, { request, heartbeatDetails, ...more }: Run) {
    const env = new MockActivityEnvironment({ ...(heartbeatDetails && { heartbeatDetails }) });
    const subscription = {
      ...EXAMPLES.subscription,
      intent_id: intentId,
      webhook_url: receiver.url,
      event_types: [],
    };
    const dependencies = {
      feed: feedOf(store),
      store: {
        presentSights: (principal: string) => presentSights(store.db, principal),
        noteWithheld: async () => undefined,
        hasEnded: async () => more.hasEnded ?? false,
      },
      sendWebhook: createWebhookSender(more.config ?? CONFIG),
      config: serverConfigSchema.parse({ subscriptions: { secrets: [SECRET, OLD_SECRET] } }),
      patienceMs: more.patienceMs ?? 0,
    };
    const whole = { subscription, sees_all: true, after: 0, ...request };
    type Turn = () => ReturnType<typeof deliverEvents>;
    const done = env.run<[], { readonly after: number }, Turn>(() =>
      deliverEvents(dependencies, whole),
    );
    return { env, done, subscription };
  }

  async function receive(...answers: readonly Answer[]): Promise<void> {
    receiver = await startReceiver(...answers);
  }

  const bodies = () =>
    receiver.received.map(
      ({ body }) => JSON.parse(body) as { subscription_id: string; event: IntentEvent },
    );
  const sequences = () => bodies().map(({ event }) => event.sequence);

  it('posts each event in order, signed, under its own id', async () => {
    await receive();
    const id = randomUUID();
    await writeMany(store.db, [id, randomUUID()], 3);
    const { done, subscription } = turn(id, { request: {} });
    await done;
    assert.deepEqual(sequences(), [1, 2, 3]);
    for (const { headers, body } of receiver.received) {
      const signed = headers as Record<string, string>;
      for (const other of [SECRET, OLD_SECRET, subscriptionSecret(SECRET, randomUUID())]) {
        assert.throws(() => new Webhook(other).verify(body, signed), {
          name: 'WebhookVerificationError',
        });
      }
      const retired = subscriptionSecret(OLD_SECRET, subscription.id);
      new Webhook(retired).verify(body, signed);
      const posted = new Webhook(OWN_SECRET).verify(body, signed) as {
        subscription_id: string;
        event: IntentEvent;
      };
      assert.equal(posted.subscription_id, subscription.id);
      assert.equal(signed['webhook-id'], posted.event.id);
    }
  });

  it('posts only the wanted types, from its start position on', async () => {
    await receive();
    const id = randomUUID();
    await append(store.db, eventOf(id, 1));
    const { done: first } = turn(id, { request: {} });
    const { after } = await first;
    for (const [index, event_type] of ['a', 'b', 'a'].entries()) {
      await append(store.db, eventOf(id, index + 2, { event_type }));
    }
    const subscription = {
      ...EXAMPLES.subscription,
      intent_id: id,
      webhook_url: receiver.url,
      event_types: ['a'],
    };
    await turn(id, { request: { subscription, after } }).done;
    assert.deepEqual(sequences(), [1, 2, 4]);
  });

  it('resumes where the try before it stopped', async () => {
    await receive(status(200), status(200), status(503));
    const id = randomUUID();
    await writeMany(store.db, [id], 4);
    const { after } = await turn(id, { request: {} }).done;
    assert.deepEqual(sequences(), [1, 2, 3]);
    await assert.rejects(turn(id, { request: { after } }).done, { type: 'response_not_2xx' });
    await receiver.close();
    await receive();
    await turn(id, { request: {}, heartbeatDetails: after }).done;
    assert.deepEqual(sequences(), [3, 4]);
  });

  it('waits for what comes, and ends when it is called off', async () => {
    await receive();
    const id = randomUUID();
    const { env, done } = turn(id, { request: {}, patienceMs: 60_000 });
    await append(store.db, eventOf(id, 1));
    while (receiver.received.length === 0) await new Promise(setImmediate);
    env.cancel();
    await assert.rejects(done, { name: 'CancelledFailure' });
    assert.deepEqual(sequences(), [1]);
  });

  it('posts nothing once its subscription is over', async () => {
    await receive();
    const id = randomUUID();
    await append(store.db, eventOf(id, 1));
    await turn(id, { request: {}, hasEnded: true }).done;
    const { subscription } = EXAMPLES;
    const expires_at = new Date(Date.now() - 1).toISOString();
    const expired = { ...subscription, intent_id: id, webhook_url: receiver.url, expires_at };
    await turn(id, { request: { subscription: { ...expired, event_types: [] } } }).done;
    assert.deepEqual(sequences(), []);
    await turn(id, { request: {} }).done;
    assert.deepEqual(sequences(), [1]);
  });

  it('gives up for good where the receiver wants no more, or may not be posted to', async () => {
    await receive(status(410));
    const id = randomUUID();
    await append(store.db, eventOf(id, 1));
    const gone = turn(id, { request: {} }).done;
    await assert.rejects(gone, isFinal('endpoint_gone'));
    const config = { ...CONFIG, allow_private_network: false };
    const refused = turn(id, { request: {}, config }).done;
    await assert.rejects(refused, isFinal('address_refused'));
    assert.equal(receiver.received.length, 1);
  });

  it('shortens the ids that its creator may not see [AM-45]', async () => {
    await receive();
    const payload = { suspension_id: SUSPENSION_ID };
    const [own, foreign] = [randomUUID(), randomUUID()];
    const { created_by: principal } = EXAMPLES.subscription;
    await append(store.db, eventOf(own, 1, { payload, principal }));
    await append(store.db, eventOf(foreign, 1, { payload }));
    await turn(own, { request: { sees_all: false } }).done;
    await turn(foreign, { request: { sees_all: false } }).done;
    await turn(foreign, { request: {} }).done;
    const seen = bodies().map(({ event }) => event.payload['suspension_id'] === SUSPENSION_ID);
    assert.deepEqual(seen, [true, false, true]);
  });

  it('posts the events of runs to whoever may read their logs', async () => {
    await receive();
    const [run, id] = [`run ${randomUUID()}`, randomUUID()];
    const all = { ...EXAMPLES.subscription, intent_id: null, event_types: ['approval_vote'] };
    const subscription = { ...all, webhook_url: receiver.url };
    const { after } = await turn(id, { request: { subscription } }).done;
    await logInRun(store.db, run, 'a');
    await append(store.db, eventOf(id, 1, { event_type: 'approval_vote' }));
    await turn(id, { request: { subscription, after, sees_all: false } }).done;
    assert.deepEqual(
      bodies().map(({ event }) => event.intent_id),
      [id],
    );
    await turn(id, { request: { subscription, after } }).done;
    const [, shown] = bodies();
    assert.deepEqual(shown?.event, { ...shown?.event, run_id: run, payload: { key: 'a' } });
    assert.equal(bodies()[2]?.event.intent_id, id);
  });

  it('delivers nothing while its maker can no longer sign in, and all of it afterwards', async () => {
    await receive();
    const id = randomUUID();
    await writeMany(store.db, [id], 2);
    const { created_by: maker } = EXAMPLES.subscription;
    const named = (principal: string) => {
      return { space: 'default', principal, sight: { sees_all: true }, until: Infinity };
    };
    await noteSigningIn(store.db, { byKey: [named(maker)], byToken: [] });
    await noteSigningIn(store.db, { byKey: [named('somebody else')], byToken: [] });
    await assert.rejects(turn(id, { request: {} }).done, (error: unknown) => {
      assert.ok(error instanceof ApplicationFailure);
      assert.deepEqual([error.type, error.nonRetryable], ['principal_disabled', false]);
      assert.equal(error.nextRetryDelay, 60_000);
      return true;
    });
    assert.deepEqual(sequences(), []);
    await noteSigningIn(store.db, { byKey: [named(maker)], byToken: [] });
    await turn(id, { request: {} }).done;
    assert.deepEqual(sequences(), [1, 2]);
  });

  it('shortens what a portfolio tells its creator of its members [AM-45]', async () => {
    await receive();
    const id = randomUUID();
    const { created_by: actor } = EXAMPLES.subscription;
    await append(store.db, eventOf(id, 1, { event_type: 'portfolio.created', actor }));
    const own = { kind: 'portfolio', audience: id, intent_id: id } as const;
    await store.db.insertInto('feed_members').values(own).execute();
    const event_type = 'portfolio.member_suspended';
    await append(
      store.db,
      eventOf(id, 2, { event_type, payload: { suspension_id: SUSPENSION_ID } }),
    );
    const subscription = {
      ...EXAMPLES.subscription,
      intent_id: null,
      portfolio_id: id,
      event_types: [event_type],
      webhook_url: receiver.url,
    };
    await turn(id, { request: { subscription, sees_all: false } }).done;
    const payloads = bodies().map(({ event }) => event.payload);
    assert.deepEqual(payloads, [{ suspension_id: '0b7a9c1e…' }]);
  });
});

function isFinal(type: string) {
  return (error: unknown): boolean =>
    error instanceof ApplicationFailure && error.nonRetryable === true && error.type === type;
}
