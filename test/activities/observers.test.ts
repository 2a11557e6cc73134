import assert from 'node:assert/strict';
import { createObserverActivities } from '../../activities/signals.js';
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
    const { announce } = createObserverActivities({
      tell: async (observer) => {
        most = Math.max(most, (atOnce += 1));
        await new Promise((resolve) => setImmediate(resolve));
        atOnce -= 1;
        told.push(observer);
        return observer !== 'w7';
      },
      ask: async () => true,
      find: async () => undefined,
    });
    const observers = Array.from({ length: 250 }, (_, index) => `w${index}`);
    const gone = await announce({ observers, announcement: ANNOUNCEMENT });
    assert.deepEqual(gone, ['w7']);
    assert.deepEqual([...told].sort(), [...observers].sort());
    assert.ok(most <= 25, `${most} signals at once`);
  });

  it('let a failure be tried again', async () => {
    const { announce } = createObserverActivities({
      tell: async () => {
        throw new Error('Temporal is away');
      },
      ask: async () => true,
      find: async () => undefined,
    });
    const batch = { observers: ['w'], announcement: ANNOUNCEMENT };
    await assert.rejects(announce(batch), /is away/);
  });

  it('read the end of those that can no longer be asked', async () => {
    const asked: string[] = [];
    const { observeIntents } = createObserverActivities({
      tell: async () => true,
      ask: async (intentId, observer) => {
        asked.push(`${intentId} ${observer}`);
        return intentId === 'open';
      },
      find: async (id) => (id === 'closed' ? ANNOUNCEMENT : undefined),
    });
    const intent_ids = ['open', 'closed', 'unknown'];
    assert.deepEqual(await observeIntents({ observer: 'w', intent_ids }), [ANNOUNCEMENT]);
    assert.deepEqual(asked, ['open w', 'closed w', 'unknown w']);
  });
});
