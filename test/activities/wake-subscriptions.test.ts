import { MockActivityEnvironment } from '@temporalio/testing';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Pumped } from '../../activities/types.js';
import { wakeSubscriptions } from '../../activities/wake-subscriptions.js';
import { writeRows } from '../../store/journal-writer.js';
import {
  activeSubscriptions,
  subscriptionsToWake,
} from '../../store/queries/people/subscription.js';
import type { Subscription } from '../../contracts/subscription/subscription.js';
import { EXAMPLES } from '../support/examples.js';
import { append, eventOf, feedOf, logInRun, writePortfolio } from '../support/events.js';
import { lookUntil } from '../support/looks.js';
import { withStore, type TestStore } from '../support/store.js';

const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);

describe('the pump of subscriptions', () => {
  let store: TestStore;
  let woken: string[];
  let sentBack: (readonly [id: string, to: number])[];
  beforeEach(async () => {
    store = await withStore();
    woken = [];
    sentBack = [];
  });
  afterEach(() => store.close());

  async function subscribe(changes: Partial<Subscription> = {}): Promise<string> {
    const none = { intent_id: null, portfolio_id: null, event_types: [], active: true };
    const subscription = { ...EXAMPLES.subscription, ...none, id: randomUUID(), ...changes };
    await writeRows(store.db, [{ kind: 'subscription', subscription }]);
    return subscription.id;
  }

  interface Run {
    readonly after?: number | null;
    readonly heartbeatDetails?: number | object;
    readonly patienceMs?: number;
    readonly checkMs?: number;
    readonly wakeMs?: number;
    readonly wake?: (id: string) => Promise<'taken' | 'gone' | 'full'>;
    readonly goBack?: (id: string) => Promise<'taken' | 'gone' | 'full'>;
  }

  /** An execution of the activity; without patience it looks once. */
  function pump(run: Run = {}) {
    const {
      after = null,
      heartbeatDetails,
      patienceMs = 0,
      checkMs = 60_000,
      wakeMs = 30_000,
    } = run;
    const env = new MockActivityEnvironment({
      ...(heartbeatDetails !== undefined && { heartbeatDetails }),
    });
    const beats: unknown[] = [];
    env.on('heartbeat', (details: unknown) => beats.push(details));
    const taken = async () => 'taken' as const;
    const { wake = taken, goBack = taken } = run;
    const dependencies = {
      feed: feedOf(store),
      store: {
        activeSubscriptions: async () => idsOf(await activeSubscriptions(store.db)),
        subscriptionsToWake: async (range: { after: number; upTo: number }) =>
          idsOf(await subscriptionsToWake(store.db, range)),
      },
      workflows: {
        wake: async (id: string) => {
          const taken = await wake(id);
          woken.push(id);
          return taken;
        },
        goBack: async (id: string, to: number) => {
          const taken = await goBack(id);
          sentBack.push([id, to]);
          return taken;
        },
      },
      patienceMs,
      checkMs,
      wakeMs,
    };
    const done = env.run<[], Pumped, () => Promise<Pumped>>(() =>
      wakeSubscriptions(dependencies, { after }),
    );
    return { env, done, beats };
  }

  it('wakes those that an event is for: of its intent, its portfolios, or of all', async () => {
    const [intent, other, portfolio] = [randomUUID(), randomUUID(), randomUUID()];
    await append(store.db, eventOf(other, 1));
    await writePortfolio(store.db, portfolio, intent);
    const wanted = await Promise.all([
      subscribe({ intent_id: intent }),
      subscribe({ portfolio_id: portfolio }),
      subscribe(),
      subscribe({ intent_id: intent, event_types: ['other', 'note'] }),
    ]);
    await subscribe({ intent_id: other });
    await subscribe({ intent_id: intent, event_types: ['other'] });
    await subscribe({ intent_id: intent, active: false });
    const { after } = await pump({ after: 0 }).done;
    woken = [];
    await append(store.db, eventOf(intent, 2));
    const end = await pump({ after }).done;
    assert.deepEqual(woken.toSorted(), wanted.toSorted());
    woken = [];
    assert.deepEqual(await pump({ after: end.after }).done, end);
    assert.deepEqual(woken, []);
  });

  it('begins by waking all that are active, and goes on where a try before it stopped', async () => {
    const intent = randomUUID();
    await append(store.db, eventOf(intent, 1));
    const all = await Promise.all([subscribe({ intent_id: randomUUID() }), subscribe()]);
    const { after } = await pump().done;
    assert.deepEqual(woken.toSorted(), all.toSorted());
    woken = [];
    await append(store.db, eventOf(intent, 2));
    await pump({ after: null, heartbeatDetails: after }).done;
    assert.deepEqual(woken, [all[1]]);
  });

  it('wakes for an event of a run those that hear of all intents, by its type', async () => {
    const wanted = ['approval_vote'];
    const [all, votes] = [await subscribe(), await subscribe({ event_types: wanted })];
    await subscribe({ intent_id: randomUUID() });
    await subscribe({ portfolio_id: randomUUID() });
    await subscribe({ event_types: ['note'] });
    const { after } = await pump({ after: 0 }).done;
    await logInRun(store.db, 'run 7', 'a', { event_type: 'approval_vote' });
    const { after: next } = await pump({ after }).done;
    assert.deepEqual(woken.toSorted(), [all, votes].toSorted());
    await logInRun(store.db, 'run 7', 'b', { space: 'team-b' });
    woken = [];
    await pump({ after: next }).done;
    assert.deepEqual(woken, []);
  });

  it('passes nothing for passed on that it has not told', async () => {
    const intent = randomUUID();
    await subscribe({ intent_id: intent });
    const { after } = await pump({ after: 0 }).done;
    await append(store.db, eventOf(intent, 1));
    const wake = () => Promise.reject(new Error('Temporal is away'));
    const { done, beats } = pump({ after, wake });
    await assert.rejects(done, /is away/);
    assert.equal(beats.at(-1), after);
  });

  /** What a store does that fails over to a copy with only the first event: their numbers are issued again. */
  async function failOver(): Promise<number> {
    const { rows } = await sql<{ first: string }>`
      select min(feed_position) as first from events`.execute(store.db);
    const first = Number(rows[0]?.first);
    await sql`delete from events where feed_position > ${first}`.execute(store.db);
    await sql`select setval('feed_positions', ${first})`.execute(store.db);
    return first;
  }

  it('sends all back where the feed went back, and wakes them for what comes there', async () => {
    const intent = randomUUID();
    const [one, other] = [await subscribe(), await subscribe({ intent_id: randomUUID() })];
    for (const sequence of [1, 2, 3]) await append(store.db, eventOf(intent, sequence));
    const env = pump({ after: 0, patienceMs: 600_000 });
    await lookUntil(async () => woken.includes(one), 'it is not woken');
    const kept = await failOver();
    await append(store.db, eventOf(intent, 2, { id: randomUUID() }));
    await lookUntil(async () => sentBack.length >= 2, 'nobody is sent back');
    assert.deepEqual(
      sentBack.toSorted(),
      [
        [one, kept],
        [other, kept],
      ].toSorted(),
    );
    await lookUntil(
      async () => woken.filter((id) => id === one).length > 1,
      'it is not woken anew',
    );
    env.env.cancel();
    await assert.rejects(env.done, /CANCELLED|cancel/i);
  });

  it('notices with its first look that the feed is behind its place, and tells nobody twice', async () => {
    const one = await subscribe();
    await append(store.db, eventOf(randomUUID(), 1));
    const goBack = () => Promise.reject(new Error('Temporal is away'));
    const { done, beats } = pump({ after: 1_000_000, goBack });
    await assert.rejects(done, /is away/);
    assert.deepEqual(beats.at(-1), { after: 1_000_000, backTo: 0 });
    const again = pump({ after: 1_000_000, heartbeatDetails: { after: 1_000_000, backTo: 0 } });
    const { after } = await again.done;
    assert.deepEqual([sentBack, woken], [[[one, 0]], [one]]);
    await pump({ after }).done;
    assert.equal(sentBack.length, 1);
  });

  it('wakes one that hears much only now and then', async () => {
    const [intent, id, wakeMs] = [randomUUID(), await subscribe(), 500];
    const { env, done } = pump({ after: 0, patienceMs: 60_000, wakeMs });
    const began = Date.now();
    for (let sequence = 1; woken.length < 2; sequence += 1) {
      await append(store.db, eventOf(intent, sequence));
    }
    assert.ok(Date.now() - began >= wakeMs, `${Date.now() - began} ms`);
    env.cancel();
    await assert.rejects(done, { name: 'CancelledFailure' });
    assert.deepEqual(new Set(woken), new Set([id]));
  });

  it('ends where no subscription is left', async () => {
    assert.equal((await pump({ after: 0, patienceMs: 60_000, checkMs: 0 }).done).idle, true);
    const id = await subscribe();
    const { env, done } = pump({ after: 0, patienceMs: 60_000, checkMs: 0 });
    await append(store.db, eventOf(randomUUID(), 1));
    await lookUntil(async () => woken.includes(id), 'it is not woken');
    env.cancel();
    await assert.rejects(done, { name: 'CancelledFailure' });
  });
});
