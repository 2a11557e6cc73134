import assert from 'node:assert/strict';
import { announce, observeIntents } from '../../activities/announce.js';
import type { Announcement } from '../../contracts/announcement.js';

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
  it('tell a whole batch and name who is gone', async () => {
    const told: string[] = [];
    let [atOnce, most] = [0, 0];
    const workflows = {
      announce: async (observer: string) => {
        most = Math.max(most, (atOnce += 1));
        await new Promise((resolve) => setImmediate(resolve));
        atOnce -= 1;
        told.push(observer);
        return observer !== 'w7';
      },
    };
    const observers = Array.from({ length: 250 }, (_, index) => `w${index}`);
    const gone = await announce(workflows, { observers, announcement: ANNOUNCEMENT });
    assert.deepEqual(gone, ['w7']);
    assert.deepEqual([...told].sort(), [...observers].sort());
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
        return intentId === 'open';
      },
    };
    const store = {
      storedAnnouncement: async (id: string) => (id === 'closed' ? ANNOUNCEMENT : undefined),
    };
    const intent_ids = ['open', 'closed', 'unknown'];
    const found = await observeIntents(workflows, store, { observer: 'w', intent_ids });
    assert.deepEqual(found, [ANNOUNCEMENT]);
    assert.deepEqual(asked, ['open w', 'closed w', 'unknown w']);
  });
});
