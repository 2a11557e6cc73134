import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { INBOX_SORTS } from '../../contracts/constants/statuses.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { Schedule } from '../../contracts/suspension/retry-policy.js';
import { FeedEndFinder } from '../../store/feed/end.js';
import { readFeed } from '../../store/feed/source.js';
import { writeRows } from '../../store/journal-writer.js';
import {
  countSuspensions,
  idsNotInState,
  listSuspensions,
  type InboxKey,
  type InboxQuery,
} from '../../store/queries/inbox.js';
import { logIdOf } from '../support/events.js';
import { useStore } from '../support/store.js';
import { PAUSE, aRecord, instant, openedRow, progressRow, settledRow } from './rows.js';

/** Attempt 1 by Slack, attempt 2 by e-mail, attempt 3 to the supervisor by two channels. */
const LADDERED: Schedule = {
  attempts: [
    ...[{ attempt: 1, at: instant(0), next_attempt_at: instant(60), channel_hint: 'slack' }].map(
      (each) => ({ ...each, notify_to: null, ladder: [] }),
    ),
    ...[{ attempt: 2, at: instant(60), next_attempt_at: instant(120), channel_hint: 'email' }].map(
      (each) => ({ ...each, notify_to: null, ladder: [] }),
    ),
    {
      attempt: 3,
      at: instant(120),
      next_attempt_at: null,
      channel_hint: 'pagerduty',
      notify_to: 'supervisor',
      ladder: [
        { attempt: 3, channel_hint: 'sms', notify_to: 'supervisor' },
        { attempt: 3, channel_hint: 'pagerduty', notify_to: null },
      ],
    },
  ],
};

function opened(changes: Parameters<typeof aRecord>[0] = {}, schedule?: Schedule): JournalRow {
  const row = openedRow(randomUUID(), aRecord(changes));
  assert.ok(row.kind === 'suspension_opened');
  return schedule === undefined ? row : { ...row, schedule };
}

function idOf(row: JournalRow): string {
  assert.ok(row.kind === 'suspension_opened');
  return row.record.id;
}

describe('the inbox in the store', () => {
  const store = useStore('emptied');
  const write = (...rows: JournalRow[]): Promise<unknown> => writeRows(store.db, rows);
  const end = async () => (await new FeedEndFinder(store.db).look()).settled;
  const list = async (query: Partial<InboxQuery> = {}): Promise<string[]> => {
    const all = { state: 'pending', sort: 'oldest', limit: 100, ...query } as const;
    return (await listSuspensions(store.db, all)).rows.map(({ entry }) => entry.id);
  };

  it('shows the earliest expiry first, then the highest attempt, then the oldest', async () => {
    const rows = [
      opened({ expires_at: undefined, suspended_at: instant(1) }),
      opened({ expires_at: instant(500), suspended_at: instant(3) }),
      opened({ expires_at: instant(500), suspended_at: instant(2) }),
      opened({ expires_at: instant(500), suspended_at: instant(4) }),
      opened({ expires_at: instant(400), suspended_at: instant(5) }),
    ];
    const [never, third, second, reminded, first] = rows.map(idOf);
    await write(...rows, progressRow(reminded ?? '', 1, 2));
    assert.deepEqual(await list({ sort: 'urgency' }), [first, reminded, second, third, never]);
    assert.deepEqual(await list({ sort: 'oldest' }), [never, second, third, reminded, first]);
    assert.deepEqual(await list({ sort: 'newest' }), [first, reminded, third, second, never]);
  });

  it('shows the questions of each asker together, in the order of their names', async () => {
    const rows = [
      opened({ suspended_at: instant(3) }),
      opened({ suspended_at: instant(1) }),
      opened({ suspended_at: instant(2) }),
    ];
    const askers = ['billing', 'shipping', 'billing'];
    await write(...rows.map((row, n) => ({ ...row, asked_by: askers[n] ?? '' }) as JournalRow));
    const [late, other, early] = rows.map(idOf);
    assert.deepEqual(await list({ sort: 'asker' }), [early, late, other]);
  });

  it('shows the highest risk first, and what names none last', async () => {
    const of = (risk_class: string, expires_at = instant(500)) =>
      opened({ expires_at, approval: { proposal: { risk_class, version: 1 } } as never });
    const rows = [
      opened({ expires_at: instant(100) }),
      ...['low', 'critical', 'medium', 'high'].map((risk) => of(risk)),
      of('high', instant(400)),
    ];
    await write(...rows);
    const [none, low, critical, medium, high, soon] = rows.map(idOf);
    const expected = [critical, soon, high, medium, low, none];
    assert.deepEqual(await list({ sort: 'risk' }), expected);
    const two = { state: 'pending', sort: 'risk', limit: 2 } as const;
    const { rows: first } = await listSuspensions(store.db, two);
    assert.deepEqual(await list({ sort: 'risk', after: first.at(-1)?.key }), expected.slice(2));
  });

  for (const sort of INBOX_SORTS) {
    it(`pages by ${sort} neither repeat nor miss while others come in`, async () => {
      const at = (n: number) => ({
        suspended_at: instant(n % 3),
        expires_at: instant(900 + (n % 4)),
      });
      const rows = Array.from({ length: 20 }, (_, n) => {
        const row = opened(n % 5 === 0 ? { ...at(n), expires_at: undefined } : at(n));
        return { ...row, asked_by: `agent ${n % 3} \ud800` } as JournalRow;
      });
      await write(...rows);
      const seen: string[] = [];
      let after: InboxKey | undefined;
      do {
        const query = { state: 'pending', sort, limit: 3, after } as const;
        const { rows: page } = await listSuspensions(store.db, query);
        seen.push(...page.map(({ entry }) => entry.id));
        after = page.at(-1)?.key;
        await write(opened(at(seen.length)));
      } while (after !== undefined && seen.length < 60);
      const expected = rows.map(idOf);
      const found = seen.filter((id) => expected.includes(id));
      assert.deepEqual([...found].sort(), [...expected].sort());
      assert.equal(new Set(seen).size, seen.length);
    });
  }

  it('shows first what was settled last, whenever it was asked, page by page', async () => {
    const rows = [1, 2, 3].map((n) => opened({ suspended_at: instant(n) }));
    const [early, late, middle] = rows.map(idOf);
    const settled = [early, late, middle].map((id = '', index) => {
      const row = settledRow(id, 1);
      const at = instant([600, 900, 700][index] ?? 0);
      return { ...row, settlement: { ...row.settlement, settled_at: at } };
    });
    await write(...rows, ...settled);
    const query = { state: 'settled', sort: 'settled' } as const;
    assert.deepEqual(await list(query), [late, middle, early]);
    const page = await listSuspensions(store.db, { ...query, limit: 1 });
    const after = page.rows.at(-1)?.key;
    assert.deepEqual(await list({ ...query, after }), [middle, early]);
  });

  it('shows every other question once although some remind between two pages', async () => {
    const rows = [1, 2, 3, 4].map((n) =>
      opened({ expires_at: instant(500), suspended_at: instant(n) }),
    );
    await write(...rows);
    const query = { state: 'pending', sort: 'urgency', limit: 2 } as const;
    const { rows: first } = await listSuspensions(store.db, query);
    const [shown, last, next, other] = rows.map(idOf);
    const settled = await end();
    await write(progressRow(shown ?? '', 1, 2), progressRow(next ?? '', 1, 2));
    const after = first.at(-1)?.key;
    const { rows: rest } = await listSuspensions(store.db, { ...query, after });
    const seen = [...first, ...rest].map(({ entry }) => entry.id);
    assert.deepEqual(seen, [shown, last, other]);
    const range = { after: settled, upTo: await end(), limit: 9 };
    const scope = { kind: 'questions', space: 'default' } as const;
    const { rows: moved } = await readFeed(store.db, scope, range);
    assert.deepEqual(moved.map(({ event }) => logIdOf(event)).sort(), [shown, next].sort());
  });

  it('finds by the channels and recipients of the attempts so far', async () => {
    const row = opened({}, LADDERED);
    const id = idOf(row);
    await write(row, opened());
    assert.deepEqual(await list({ channels: ['slack'] }), [id]);
    assert.deepEqual(await list({ channels: ['email'] }), []);
    assert.deepEqual(await list({ recipient: 'supervisor' }), []);
    await write(progressRow(id, 1, 3));
    for (const channel of ['slack', 'email', 'sms', 'pagerduty']) {
      assert.deepEqual(await list({ channels: [channel] }), [id], channel);
    }
    assert.deepEqual(await list({ recipient: 'supervisor' }), [id]);
    assert.equal((await list({ channels: [''] })).length, 1);
    assert.equal((await list({ channels: ['', 'slack'] })).length, 2);
  });

  it('leaves pauses out unless their reason is asked for [JC-50]', async () => {
    const row = opened();
    const paused = opened({ pause: PAUSE });
    await write(row, paused);
    assert.deepEqual(await list(), [idOf(row)]);
    assert.deepEqual(await list({ reason: 'human_input' }), [idOf(row)]);
    assert.deepEqual(await list({ reason: 'rate_limit' }), [idOf(paused)]);
    assert.deepEqual(await list({ reason: 'external_job' }), []);
    assert.equal((await countSuspensions(store.db, {})).pending, 1);
    assert.equal((await countSuspensions(store.db, { reason: 'rate_limit' })).pending, 1);
    assert.equal((await countSuspensions(store.db, { reason: 'custom' })).pending, 0);
  });

  it('finds by the beginning of an id, of any case', async () => {
    const rows = Array.from({ length: 20 }, () => opened());
    await write(...rows);
    for (const row of rows.slice(0, 5)) {
      const id = idOf(row);
      for (const id_prefix of [id.slice(0, 8), id.slice(0, 12).toUpperCase(), id]) {
        assert.deepEqual(await list({ id_prefix }), [id]);
      }
    }
    assert.deepEqual(await list({ id_prefix: 'ffffffff-ffff' }), []);
  });

  it('finds by asker, intent, response type and resolution', async () => {
    const row = opened({ response_type: 'text' });
    assert.ok(row.kind === 'suspension_opened');
    const own = { ...row, asked_by: 'agent \ud800' };
    const settled = opened();
    await write(own, settled, settledRow(idOf(settled), 1));
    assert.deepEqual(await list({ asked_by: 'agent \ud800' }), [idOf(own)]);
    assert.deepEqual(await list({ intent_id: row.intent_id ?? '' }), [idOf(own)]);
    assert.deepEqual(await list({ response_type: 'confirm' }), []);
    assert.deepEqual(await list({ state: 'settled' }), [idOf(settled)]);
    assert.deepEqual(await list({ state: 'settled', resolution: 'expired' }), []);
  });

  it('leaves out what has only been settled so far, and knows it is not there yet', async () => {
    const [id, other] = [randomUUID(), randomUUID()];
    await write(settledRow(id, 1));
    assert.deepEqual(await list({ state: 'settled' }), []);
    const wanted = new Map([
      [id, 'settled'],
      [other, 'pending'],
    ] as const);
    assert.deepEqual(await idsNotInState(store.db, wanted), [id, other]);
    await write(
      openedRow(randomUUID(), aRecord({ id })),
      openedRow(randomUUID(), aRecord({ id: other })),
    );
    assert.deepEqual(await idsNotInState(store.db, wanted), []);
    assert.deepEqual(await idsNotInState(store.db, new Map([[other, 'settled']] as const)), [
      other,
    ]);
  });

  it('counts each kind', async () => {
    const rows = [opened(), opened(), opened({ response_type: 'text' })];
    await write(...rows, settledRow(idOf(rows[0] ?? opened()), 1));
    const counts = { pending: 2, responded: 1, expired: 0, cancelled: 0 };
    assert.deepEqual(await countSuspensions(store.db, {}), counts);
    const texts = await countSuspensions(store.db, { response_type: 'text' });
    assert.deepEqual(texts, { ...counts, pending: 1, responded: 0 });
  });
});
