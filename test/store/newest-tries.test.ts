import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { DeliveryTry } from '../../contracts/channel/notification.js';
import { inSpace } from '../../store/in-space.js';
import { newestTries, recordTry } from '../../store/queries/work/deliveries.js';
import { withStore, type TestStore } from '../support/store.js';
import { openExplained, rowsRead } from './explained.js';
import { instant } from './rows.js';

const NONE = { last_delivered: null, last_failed: null };

describe('the newest tries over a channel', () => {
  let store: TestStore;
  beforeEach(async () => {
    store = await withStore();
  });
  afterEach(() => store.close());

  const tried = (seconds: number, outcome: DeliveryTry['outcome'], channel = 'team') => ({
    delivery_id: `d${seconds}`,
    try_number: 1,
    at: instant(seconds),
    channel,
    outcome,
    status_code: outcome === 'delivered' ? null : 500,
    duration_ms: 3,
  });
  const newest = (space = 'default', channel = 'team') =>
    newestTries(inSpace(store.db, space), channel);

  it('are none where nothing was tried', async () => {
    assert.deepEqual(await newest(), NONE);
  });

  it('are the last delivery, and the last failure with its reason', async () => {
    for (const one of [
      tried(1, 'delivered'),
      tried(4, 'delivered'),
      tried(2, 'no_reply_in_time'),
      tried(3, 'slack_login_refused'),
      tried(9, 'slack_refused', 'other'),
    ]) {
      await recordTry(store.db, one);
    }
    assert.deepEqual(await newest(), {
      last_delivered: { at: instant(4), status_code: null },
      last_failed: { at: instant(3), status_code: 500, outcome: 'slack_login_refused' },
    });
    assert.equal((await newest('default', 'other')).last_delivered, null);
  });

  it('are those of one space', async () => {
    await recordTry(store.db, tried(1, 'delivered'), 'team-b');
    assert.deepEqual(await newest(), NONE);
    assert.deepEqual((await newest('team-b')).last_delivered?.at, instant(1));
  });

  for (const outcome of [
    'called_off',
    'channel_not_configured',
    'recipient_not_allowed',
    'recipient_unknown',
  ] as const) {
    it(`are no failure of the channel where one is ${outcome}`, async () => {
      await recordTry(store.db, tried(1, 'connection_failed'));
      await recordTry(store.db, tried(2, 'delivered'));
      await recordTry(store.db, tried(3, outcome));
      const { last_delivered, last_failed } = await newest();
      assert.equal(last_delivered?.at, instant(2));
      assert.deepEqual([last_failed?.at, last_failed?.outcome], [instant(1), 'connection_failed']);
    });
  }

  it('are found without a look at the tries that became something else', async () => {
    await recordTry(store.db, tried(1, 'connection_failed'));
    await recordTry(store.db, tried(2, 'delivered'));
    await sql`
      insert into delivery_tries (delivery_id, try_number, at, channel, outcome, duration_ms)
      select 'd' || n, 1, timestamptz '2026-06-01Z' + n * interval '1 second', 'team',
        (array['delivered', 'called_off', 'recipient_unknown'])[n % 3 + 1], 3
      from generate_series(10, 6000) n`.execute(store.db);
    await sql`vacuum analyze delivery_tries`.execute(store.db);
    const explained = openExplained(store.url);
    for (const holding of ["outcome = 'delivered'", 'outcome not in']) {
      const read = () => newestTries(inSpace(explained.db, 'default'), 'team');
      const nodes = await explained.planOf(read, { analyze: true, holding });
      assert.equal(rowsRead(nodes), 1, holding);
    }
    await explained.close();
  });
});
