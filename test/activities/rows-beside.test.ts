import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { notify as notifyWith, type NotifyDependencies } from '../../activities/notify.js';
import type { Channel } from '../../activities/channels/channel.js';
import type { Activities } from '../../activities/types.js';
import type { OpeningRest, RowBeside } from '../../contracts/channel/notification.js';
import { openingBeside } from '../../domain/suspension/record/opening-row.js';
import { SUSPENSION_ID, requestWith } from '../domain/suspension/notification-samples.js';
import { configWith, environment, memoryLog, memoryStore, recordingChannel } from './support.js';

const NOW = '2026-11-21T10:00:00.000Z';
const REQUEST = requestWith({ intent_id: null });
const REST: OpeningRest = {
  asked_by: 'agent-1',
  schedule: { attempts: [], expires_at: '2026-11-21T13:00:00.000Z' },
  record: {
    id: SUSPENSION_ID,
    suspended_at: NOW,
    fallback_policy: 'fail',
  },
};
const OPENING: RowBeside = { opening: REST };
const ROW = openingBeside(REQUEST, REST);
const PROGRESS = {
  progress: {
    kind: 'suspension_progress',
    suspension_id: SUSPENSION_ID,
    revision: 1,
    attempt: 2,
    max_attempts: 3,
    next_attempt_at: null,
  },
} as const satisfies RowBeside;
const SENT = { channel: 'console', delivered_at: NOW };

const broken: Channel = { deliver: () => Promise.reject(new Error('channel down')) };

function notifyOver(
  channel: Channel,
  store: NotifyDependencies['store'],
  more: Partial<NotifyDependencies> = {},
): Activities['notify'] {
  const channels = new Map([['console', channel]]);
  const whole = { channels, store, deliveries: memoryLog(), config: configWith() };
  const now = () => new Date(NOW);
  return (request, beside) => notifyWith({ ...whole, now, ...more }, request, beside);
}

describe('a delivery that writes the opening of its question', () => {
  it('says in its receipt that the store has it, and not in the log of deliveries', async () => {
    const store = memoryStore();
    const deliveries = memoryLog();
    const notify = notifyOver(recordingChannel().channel, store, { deliveries });
    const receipt = await environment().env.run(notify, REQUEST, OPENING);
    assert.deepEqual(receipt, { ...SENT, row_written: true });
    assert.deepEqual(store.rows, [ROW]);
    assert.deepEqual([...deliveries.entries.values()], [SENT]);
  });

  it('writes none unless it is given one', async () => {
    const store = memoryStore();
    const notify = notifyOver(recordingChannel().channel, store);
    assert.deepEqual(await environment().env.run(notify, REQUEST), SENT);
    assert.deepEqual(store.rows, []);
  });

  it('writes it where the channel fails, before its failure is known', async () => {
    const store = memoryStore();
    const writeRows: typeof store.writeRows = async (rows) => {
      await new Promise((resolve) => setImmediate(resolve));
      return store.writeRows(rows);
    };
    const notify = notifyOver(broken, { ...store, writeRows });
    await assert.rejects(environment().env.run(notify, REQUEST, OPENING), /channel down/);
    assert.deepEqual(store.rows, [ROW]);
  });

  it('writes it where nobody may be told', async () => {
    const store = memoryStore();
    const request = { ...REQUEST, channel_hint: 'pagerduty' };
    await assert.rejects(
      environment().env.run(notifyOver(broken, store), request, OPENING),
      (error) => error instanceof ApplicationFailure && error.type === 'channel_not_configured',
    );
    assert.deepEqual(store.rows, [ROW]);
  });

  it('writes it once, however often it is tried', async () => {
    const store = memoryStore();
    await assert.rejects(
      environment().env.run(notifyOver(broken, store), REQUEST, OPENING),
      /channel down/,
    );
    const notify = notifyOver(recordingChannel().channel, store);
    const receipt = await environment(2).env.run(notify, REQUEST, OPENING);
    assert.deepEqual(receipt, { ...SENT, tries: 2, row_written: true });
    assert.deepEqual(store.rows, [ROW]);
  });

  it('writes it at a later try if the store was away before', async () => {
    const store = memoryStore();
    const away = { ...store, writeRows: () => Promise.reject(new Error('away')) };
    await assert.rejects(
      environment().env.run(notifyOver(broken, away), REQUEST, OPENING),
      /channel down/,
    );
    await assert.rejects(
      environment(2).env.run(notifyOver(broken, store), REQUEST, OPENING),
      /channel down/,
    );
    assert.deepEqual(store.rows, [ROW]);
  });

  it('says that the store has it where the message is out already', async () => {
    const [store, deliveries] = [memoryStore(), memoryLog()];
    const { channel, sent } = recordingChannel();
    const notify = notifyOver(channel, store, { deliveries });
    await environment().env.run(notify, REQUEST);
    const receipt = await environment(2).env.run(notify, REQUEST, OPENING);
    assert.deepEqual(receipt, { ...SENT, duplicate: true, row_written: true });
    assert.equal(sent.length, 1);
    assert.deepEqual(store.rows, [ROW]);
  });
});

describe('a delivery that writes how far its question has come', () => {
  it('writes the row with each try, for the store keeps the highest revision', async () => {
    const store = memoryStore();
    await assert.rejects(
      environment().env.run(notifyOver(broken, store), REQUEST, PROGRESS),
      /channel down/,
    );
    const notify = notifyOver(recordingChannel().channel, store);
    const receipt = await environment(2).env.run(notify, REQUEST, PROGRESS);
    assert.deepEqual(receipt, { ...SENT, tries: 2, row_written: true });
    assert.deepEqual(store.rows, [PROGRESS.progress, PROGRESS.progress]);
  });
});

describe('a delivery while the store is away', () => {
  const timing = { logWaitMs: 1, heartbeatMs: 1_000 };
  for (const [state, call] of [
    ['refuses', () => Promise.reject(new Error('away'))],
    ['is silent', () => new Promise<never>(() => undefined)],
  ] as const) {
    it(`is made, and does not say that it wrote, while the store ${state}`, async () => {
      const { channel, sent } = recordingChannel();
      const store = { ...memoryStore(), writeRows: call };
      const { env, logged } = environment();
      const receipt = await env.run(notifyOver(channel, store, { timing }), REQUEST, OPENING);
      assert.deepEqual(receipt, SENT);
      assert.equal(sent.length, 1);
      assert.deepEqual(
        logged.map(({ message, meta }) => [message, String(meta?.['suspension'])]),
        [['row_not_written', '5f0c8a52…']],
      );
    });
  }
});
