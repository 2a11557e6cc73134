import assert from 'node:assert/strict';
import type { DeliveryTry } from '../../contracts/notification.js';
import { inSpace } from '../../store/in-space.js';
import { newestTries, recordTry } from '../../store/queries/deliveries.js';
import { withStore } from '../support/store.js';
import type { TestStore } from '../support/store.js';
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
});
