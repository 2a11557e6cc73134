import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { inSpace } from '../../store/in-space.js';
import { channelChecks, forgetChecks, recordCheck } from '../../store/queries/work/deliveries.js';
import { withStore, type TestStore } from '../support/store.js';

describe('the answers of the services of channels', () => {
  let store: TestStore;
  before(async () => {
    store = await withStore();
  });
  afterEach(() => store.db.deleteFrom('channel_checks').execute());
  after(() => store.close());

  const FAILED = {
    outcome: 'slack_login_refused',
    reason: 'Slack answered invalid_auth',
  } as const;
  const WELL = { outcome: null, reason: null };
  const say = (worker: string, answer: typeof FAILED | typeof WELL, channel = 'team') =>
    recordCheck(store.db, { channel, worker, ...answer });
  const age = (worker: string, minutes: number) =>
    sql`
      update channel_checks set at = now() - make_interval(mins => ${minutes})
      where worker = ${worker}`.execute(store.db);
  const checks = async () => {
    const all = await channelChecks(inSpace(store.db, 'team-b'));
    return [...all].map(([channel, { at, ...check }]) => ({ channel, ...check }));
  };

  it('are the failure of one of two workers, until it is asked again or stops', async () => {
    await say('one', FAILED);
    await say('two', WELL);
    await say('two', WELL, 'other');
    await age('one', 14);
    const other = { channel: 'other', state: 'ok', ...WELL };
    assert.deepEqual(await checks(), [other, { channel: 'team', state: 'failed', ...FAILED }]);
    await say('one', WELL);
    assert.deepEqual((await checks())[1], { channel: 'team', state: 'ok', ...WELL });
    await say('one', FAILED);
    await forgetChecks(store.db, 'one');
    assert.deepEqual((await checks())[1], { channel: 'team', state: 'ok', ...WELL });
  });

  it('are unknown after a quarter of an hour, and forgotten after a day', async () => {
    await say('one', WELL);
    await say('two', FAILED);
    await age('two', 16);
    assert.equal((await checks())[0]?.state, 'ok');
    await age('one', 17);
    assert.deepEqual(await checks(), [{ channel: 'team', state: 'unknown', ...FAILED }]);
    await age('two', 24 * 60 + 1);
    await say('one', WELL);
    const kept = await store.db.selectFrom('channel_checks').select('worker').execute();
    assert.deepEqual(kept, [{ worker: 'one' }]);
  });
});
