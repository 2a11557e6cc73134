import assert from 'node:assert/strict';
import { announce, observeIntents } from '../../activities/announce.js';
import type { Announcement } from '../../contracts/graph/announcement.js';

const ANNOUNCEMENT: Announcement = {
  intent_id: 'i',
  version: 2,
  last_sequence: 3,
  status: 'active',
  held: false,
  holds: 0,
  suspension: null,
};

describe('observer activities', () => {
  it('signal a whole batch and return who is gone, and who is full', async () => {
    const reached: string[] = [];
    let [atOnce, most] = [0, 0];
    const workflows = {
      announce: async (observer: string) => {
        most = Math.max(most, (atOnce += 1));
        await new Promise((resolve) => setImmediate(resolve));
        atOnce -= 1;
        reached.push(observer);
        if (observer === 'w8') return 'full' as const;
        return observer === 'w7' ? ('gone' as const) : ('taken' as const);
      },
    };
    const observers = Array.from({ length: 250 }, (_, index) => `w${index}`);
    const unreached = await announce(workflows, { observers, announcement: ANNOUNCEMENT });
    assert.deepEqual(unreached, { gone: ['w7'], full: ['w8'] });
    assert.deepEqual([...reached].sort(), [...observers].sort());
    assert.ok(most <= 25, `${most} signals at once`);
  });

  it('let a failure be tried again', async () => {
    const workflows = {
      announce: async () => {
        throw new Error('Temporal is away');
      },
    };
    const batch = { observers: ['w'], announcement: ANNOUNCEMENT };
    await assert.rejects(announce(workflows, batch), /is away/);
  });

  it('read the end of those that can no longer be asked', async () => {
    const asked: string[] = [];
    const workflows = {
      observe: async (intentId: string, observer: string) => {
        asked.push(`${intentId} ${observer}`);
        if (intentId === 'full') return 'full' as const;
        return intentId === 'open' ? ('taken' as const) : ('gone' as const);
      },
    };
    const store = {
      storedAnnouncement: async (id: string) => (id === 'closed' ? ANNOUNCEMENT : undefined),
    };
    const intent_ids = ['open', 'closed', 'full', 'unknown'];
    const found = await observeIntents(workflows, store, { observer: 'w', intent_ids });
    assert.deepEqual(found, { ended: [ANNOUNCEMENT], full: ['full'] });
    assert.deepEqual(asked, ['open w', 'closed w', 'full w', 'unknown w']);
  });
  it('read who may write what belongs to an intent for its tasks and plans alone', async () => {
    const guard = { owner: 'agent-1', access: { default_policy: 'closed', entries: [] } } as const;
    const ended = { ...ANNOUNCEMENT, guard: { ...guard, askers: [] } };
    const workflows = { observe: async () => 'gone' as const };
    const store = { storedAnnouncement: async () => ended };
    const endFor = async (observer: string) =>
      (await observeIntents(workflows, store, { observer, intent_ids: ['closed'] })).ended;
    assert.deepEqual(await endFor('plan-6f1cbb0e-4a58-4c4e-9a3c-0d2f6a7b8c9d'), [ended]);
    assert.deepEqual(await endFor('intent-6f1cbb0e-4a58-4c4e-9a3c-0d2f6a7b8c9d'), [ANNOUNCEMENT]);
  });
});
