import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { createWebhookSender } from '../../activities/channels/webhook/sender.js';
import { deliverEvents } from '../../activities/deliver-events.js';
import { PrincipalNotes } from '../../api/sign-in/start.js';
import { KeyRing } from '../../api/sign-in/key-ring.js';
import { queriesOf } from '../../api/parts/reads/from-store.js';
import type { AccessList } from '../../contracts/intent/access.js';
import type { ApiKey } from '../../contracts/people/api-key.js';
import { serverConfigSchema } from '../../contracts/server/config.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import { sightOf } from '../../domain/subscription/subscription.js';
import { writeRows } from '../../store/journal-writer.js';
import { presentSights } from '../../store/queries/people/principal.js';
import {
  findSubscription,
  hasEnded,
  noteWithheld,
} from '../../store/queries/people/subscription.js';
import { SUSPENSION_ID } from '../api/support/records.js';
import { anIntent } from '../store/rows.js';
import { eventOf, feedOf } from '../support/events.js';
import { EXAMPLES } from '../support/examples.js';
import { SEEDS } from '../support/secrets.js';
import { emptyStore, withStore, type TestStore } from '../support/store.js';
import { startReceiver, type Receiver } from '../support/subscribers.js';

const CONFIG = { allow_private_network: true, timeout_seconds: 5 };
const SECRETS = [`whsec_${randomBytes(32).toString('base64')}`];
const MAKER = 'maker';
const OPERATOR: ApiKey = { key: SEEDS.operatorKey, principal: MAKER, roles: ['operator'] };
const AGENT: ApiKey = { ...OPERATOR, roles: ['agent'] };
const IN_FINANCE: ApiKey = { ...AGENT, groups: ['finance'] };
const ENTRY = {
  id: randomUUID(),
  principal_id: 'finance',
  principal_type: 'group',
  permission: 'read',
  expires_at: null,
  granted_at: EXAMPLES.subscription.created_at,
  granted_by: 'root',
} as const;
const FINANCE_READS = { default_policy: 'closed', entries: [ENTRY] } as unknown as AccessList;

describe('a subscription whose maker has other rights by now', () => {
  let store: TestStore;
  let receiver: Receiver;
  let ring: KeyRing;
  let agentsRead: 'all' | 'own';
  /** What happens while the receiver takes an event. */
  let meanwhile: () => Promise<void>;

  before(async () => {
    store = await withStore();
  });
  after(() => store.close());
  beforeEach(async () => {
    agentsRead = 'all';
    meanwhile = async () => undefined;
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await receiver.close();
    await emptyStore(store);
  });

  /** The keys count from now on, and an API process says so. */
  async function haveKeys(...keys: readonly ApiKey[]): Promise<void> {
    ring = new KeyRing(keys);
    const log = { warn: (_: object, message: string) => assert.fail(message) };
    const notes = { ring, takeTokens: () => [], agentsRead, store: queriesOf(store.db), log };
    await new PrincipalNotes(notes).note();
  }

  /** An intent with so many events of another principal, and perhaps an access list. */
  async function anIntentWith(events: number, access?: AccessList): Promise<string> {
    const id = randomUUID();
    const intent = { ...anIntent({ id }), owner: 'somebody', ...(access && { access }) };
    const payload = { suspension_id: SUSPENSION_ID };
    const log = Array.from({ length: events }, (_, index) => eventOf(id, index + 1, { payload }));
    await writeRows(store.db, [
      ...log.map((event) => ({ kind: 'event', event }) as const),
      { kind: 'intent', intent, last_sequence: events },
    ]);
    return id;
  }

  /** Makes a subscription by the key that counts now; gives what delivers for it. */
  async function subscribe(intentId: string, created_at = EXAMPLES.subscription.created_at) {
    const made = sightOf(ring.find(OPERATOR.key)?.caller ?? assert.fail(), agentsRead);
    const subscription = {
      ...EXAMPLES.subscription,
      id: randomUUID(),
      created_by: MAKER,
      created_at,
      intent_id: intentId,
      webhook_url: receiver.url,
      event_types: [],
    };
    await writeRows(store.db, [{ kind: 'subscription', subscription }]);
    const post = createWebhookSender(CONFIG);
    const dependencies = {
      feed: feedOf(store),
      store: {
        presentSights: (principal: string) => presentSights(store.db, principal),
        noteWithheld: (id: string, at: string) => noteWithheld(store.db, id, at),
        hasEnded: (id: string) => hasEnded(store.db, id),
      },
      sendWebhook: async (message: Parameters<typeof post>[0]) => {
        const posted = await post(message);
        await meanwhile();
        return posted;
      },
      config: serverConfigSchema.parse({ subscriptions: { secrets: SECRETS } }),
      patienceMs: 0,
    };
    const request = { subscription, ...made, after: 0 };
    const deliver = () =>
      new MockActivityEnvironment().run<[], unknown, () => ReturnType<typeof deliverEvents>>(() =>
        deliverEvents(dependencies, request),
      );
    const withheldAt = async () =>
      (await findSubscription(store.db, subscription.id))?.withheld_at !== undefined;
    return { deliver, withheldAt, subscription };
  }

  /** What was posted: the number of each event, and whether it had the whole id of the question. */
  const posted = () =>
    receiver.received.map(({ body }) => {
      const { event } = JSON.parse(body) as { event: IntentEvent };
      return [event.sequence, event.payload['suspension_id'] === SUSPENSION_ID];
    });

  it('gets at once what its maker has come to see, before that is noted', async () => {
    await haveKeys(AGENT);
    ring = new KeyRing([OPERATOR]);
    const { deliver, withheldAt } = await subscribe(
      await anIntentWith(1),
      new Date().toISOString(),
    );
    await deliver();
    assert.deepEqual(posted(), [[1, true]]);
    assert.equal(await withheldAt(), false);
  });

  it('posts nothing of an intent that the maker may no longer read, without a group', async () => {
    await haveKeys(IN_FINANCE);
    const id = await anIntentWith(1, FINANCE_READS);
    const { deliver, withheldAt } = await subscribe(id);
    await deliver();
    assert.deepEqual(posted(), [[1, false]]);
    assert.equal(await withheldAt(), false);
    await haveKeys(AGENT);
    await deliver();
    assert.equal(posted().length, 1);
    assert.equal(await withheldAt(), true);
  });

  it('stops within a batch, at the event after the change', async () => {
    await haveKeys(IN_FINANCE);
    const { deliver } = await subscribe(await anIntentWith(3, FINANCE_READS));
    meanwhile = async () => (posted().length === 2 ? haveKeys(AGENT) : undefined);
    await deliver();
    assert.deepEqual(posted(), [
      [1, false],
      [2, false],
    ]);
  });

  it('pauses while its maker may read no events at all', async () => {
    await haveKeys(OPERATOR);
    const { deliver, withheldAt } = await subscribe(await anIntentWith(1));
    await haveKeys({ ...OPERATOR, roles: ['user'] });
    await assert.rejects(
      deliver(),
      (error) => error instanceof ApplicationFailure && error.type === 'principal_disabled',
    );
    assert.equal(await withheldAt(), true);
    await haveKeys(OPERATOR);
    await deliver();
    assert.deepEqual(posted(), [[1, true]]);
  });

  it('posts all of it again with the rights of before, and after a rotation of keys', async () => {
    await haveKeys(OPERATOR);
    const { deliver, withheldAt } = await subscribe(await anIntentWith(1));
    await haveKeys(OPERATOR, { ...OPERATOR, key: SEEDS.bothKey });
    await haveKeys({ ...OPERATOR, key: SEEDS.bothKey });
    await deliver();
    await haveKeys({ ...OPERATOR, groups: ['finance'] });
    await deliver();
    assert.deepEqual(posted(), [
      [1, true],
      [1, true],
    ]);
    assert.equal(await withheldAt(), false);
  });

  it('still says when it was withheld from once it has ended', async () => {
    await haveKeys(OPERATOR);
    const { deliver, withheldAt, subscription } = await subscribe(await anIntentWith(1));
    await haveKeys(AGENT);
    await deliver();
    const ended = { ...subscription, active: false };
    await writeRows(store.db, [{ kind: 'subscription', subscription: ended }]);
    assert.equal((await findSubscription(store.db, subscription.id))?.active, false);
    assert.equal(await withheldAt(), true);
  });
});
