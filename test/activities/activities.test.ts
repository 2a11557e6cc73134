import assert from 'node:assert/strict';
import { emptyFeed } from '../support/events.js';
import { createChannels } from '../../activities/channels/routing.js';
import { createActivities } from '../../activities/index.js';
import type { JournalRow } from '../../contracts/journal.js';
import { configWith, environment, memoryLog, requestWith } from './support.js';

describe('activities of a worker', () => {
  it('write rows and notify through their own ports', async () => {
    const batches: (readonly JournalRow[])[] = [];
    const writes: string[] = [];
    const config = configWith();
    const writer = {
      write: (text: string, done: () => void) => {
        writes.push(text);
        done();
      },
    };
    const log = memoryLog();
    const activities = createActivities({
      journal: {
        write: async (rows) => {
          batches.push(rows);
        },
      },
      notify: {
        channels: createChannels(config.notifications, writer),
        log,
        config,
        now: () => new Date('2026-11-21T10:00:00.000Z'),
      },
      events: { feed: emptyFeed(), send: undefined },
      inputs: { config, find: async () => undefined },
      members: { read: async () => undefined },
      notes: { append: () => Promise.resolve() },
      deadlines: { expire: () => Promise.resolve(), abandon: () => Promise.resolve() },
      graph: { link: async () => ({ ok: true, value: true }) },
      tasks: { read: async () => [] },
      observers: { tell: async () => true, ask: async () => true, find: async () => undefined },
    });
    const { env } = environment();

    await env.run((rows) => activities.writeJournal(rows), []);
    await env.run((request) => activities.notify(request), requestWith());

    assert.deepEqual(batches, [[]]);
    assert.equal(writes.length, 1);
    assert.match(writes[0] ?? '', /^\[console\] to anyone, attempt 1\/3\n/);
    assert.equal(log.entries.size, 1);
  });
});
