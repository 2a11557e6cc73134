import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { FeedEndFinder } from '../../store/feed/end.js';
import { newestPosition, readFeed } from '../../store/feed/source.js';
import type { FeedEntry, FeedScope } from '../../contracts/subscription/feed.js';
import { append, eventOf, logIdOf, logInRun, loggedIn, writeMany } from '../support/events.js';
import { useStore } from '../support/store.js';

const ALL: FeedScope = { kind: 'all', space: 'default' };

describe('the feed of runs', () => {
  const store = useStore();

  async function end(): Promise<number> {
    const { settled, pending } = await new FeedEndFinder(store.db).look();
    assert.equal(pending, false);
    return settled;
  }

  async function read(scope: FeedScope, after = 0): Promise<readonly FeedEntry[]> {
    const range = { after, upTo: await end(), limit: 1_000 };
    return (await readFeed(store.db, scope, range)).rows;
  }

  /** The runs and intents of entries, in their order, each with the number of the event in its log. */
  const placesOf = (entries: readonly FeedEntry[]) =>
    entries.map((entry) => [logIdOf(entry.event), loggedIn(entry).sequence]);

  it('is one with that of intents, in the order in which they were written', async () => {
    const [run, intent] = [`run ${randomUUID()}`, randomUUID()];
    const start = await end();
    await logInRun(store.db, run, 'a');
    await append(store.db, eventOf(intent, 1));
    await logInRun(store.db, run, 'b');
    const all = await read(ALL, start);
    assert.deepEqual(placesOf(all), [
      [run, 1],
      [intent, 1],
      [run, 2],
    ]);
    assert.equal(await newestPosition(store.db, await end()), all[2]?.position);
    assert.equal(await newestPosition(store.db, Number(all[1]?.position)), all[1]?.position);
    assert.deepEqual(await read({ kind: 'everything' }, start), all);
  });

  it('keeps the place of an event that is logged again', async () => {
    const run = `run ${randomUUID()}`;
    const scope: FeedScope = { kind: 'run', id: run, space: 'default' };
    await logInRun(store.db, run, 'a');
    const before = await read(scope);
    await logInRun(store.db, run, 'a');
    assert.equal(before.length, 1);
    assert.deepEqual(await read(scope), before);
  });

  it('is read for one run of a space, and for the agent that asked', async () => {
    const [run, other, agent] = [`run ${randomUUID()}`, `run ${randomUUID()}`, randomUUID()];
    const [payload, foreign] = [{ approval_id: 'one' }, { approval_id: 'two' }];
    const asked = { event_type: 'approval_requested', actor: agent, payload };
    await logInRun(store.db, run, 'a', asked);
    await logInRun(store.db, run, 'a', { ...asked, space: 'team-b' });
    await logInRun(store.db, other, 'a', { payload });
    await logInRun(store.db, run, 'b', { payload });
    await logInRun(store.db, run, 'c', { payload: foreign });
    const own = [
      [run, 1],
      [run, 2],
    ];
    const whole = await read({ kind: 'run', id: run, space: 'default' });
    assert.deepEqual(placesOf(whole), [...own, [run, 3]]);
    const askedFor = await read({ kind: 'agent', id: agent, space: 'default' });
    assert.deepEqual(placesOf(askedFor), own);
    assert.deepEqual(
      askedFor.map(({ created_by, owner, guarded }) => [created_by, owner, guarded]),
      [
        [agent, null, null],
        [agent, null, null],
      ],
    );
    const elsewhere = await read({ kind: 'run', id: run, space: 'team-b' });
    assert.deepEqual(placesOf(elsewhere), [[run, 1]]);
  });

  it('is read in parts that leave out nothing of either kind', async () => {
    const [run, intent] = [`run ${randomUUID()}`, randomUUID()];
    const start = await end();
    for (const key of ['a', 'b', 'c', 'd', 'e']) await logInRun(store.db, run, key);
    await append(store.db, eventOf(intent, 1));
    const large = { payload: { text: 'x'.repeat(300_000) } };
    await logInRun(store.db, run, 'f', large);
    await append(store.db, eventOf(intent, 2, large));
    await logInRun(store.db, run, 'g', large);
    await append(store.db, eventOf(intent, 3, large));
    const parts: FeedEntry[] = [];
    for (let after = start, more = true; more;) {
      const part = await readFeed(store.db, ALL, { after, upTo: await end(), limit: 3 });
      assert.ok(part.rows.length > 0 && part.rows.length <= 3);
      parts.push(...part.rows);
      after = part.rows.at(-1)?.position ?? after;
      ({ more } = part);
    }
    const order = [run, run, run, run, run, intent, run, intent, run, intent];
    assert.deepEqual(
      placesOf(parts).map(([of]) => of),
      order,
    );
  });

  it('gives a reader who follows many writers each event once and in order', async () => {
    const runs = Array.from({ length: 6 }, () => `run ${randomUUID()}`);
    const intents = Array.from({ length: 6 }, () => randomUUID());
    const finder = new FeedEndFinder(store.db);
    let after = await end();
    const logged = runs.map(async (run) => {
      for (let at = 1; at <= 20; at += 1) await logInRun(store.db, run, String(at));
    });
    const written = Promise.all([...logged, writeMany(store.db, intents, 20)]);
    const seen = new Map<unknown, unknown[]>();
    for (let count = 0; count < 240;) {
      const { settled } = await finder.look();
      const { rows } = await readFeed(store.db, ALL, { after, upTo: settled, limit: 50 });
      for (const [of, sequence] of placesOf(rows))
        seen.set(of, [...(seen.get(of) ?? []), sequence]);
      after = rows.at(-1)?.position ?? after;
      count += rows.length;
    }
    await written;
    const expected = Array.from({ length: 20 }, (_, index) => index + 1);
    for (const of of [...runs, ...intents]) assert.deepEqual(seen.get(of), expected);
  });
});
