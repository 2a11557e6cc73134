import assert from 'node:assert/strict';
import { emptyFeed } from '../support/events.js';
import { createChannels } from '../../activities/channels/routing.js';
import { createActivities } from '../../activities/index.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import { requestWith } from '../domain/suspension/notification-samples.js';
import { configWith, environment, memoryLog, noQuestions } from './support.js';

describe('activities of a worker', () => {
  it('write rows and notify through what they were made with', async () => {
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
      store: {
        writeRows: async (rows) => {
          batches.push(rows);
          return [];
        },
        linkDependency: async () => ({ ok: true, value: true }),
        membershipChanges: async () => undefined,
        taskNews: async () => [],
        activeSubscriptions: async () => [],
        subscriptionsToWake: async () => [],
        saveSnapshot: async (_snapshot, at) => at,
        storedProposal: async () => undefined,
        appendToRun: async () => undefined,
        storedAnnouncement: async () => undefined,
        presentSights: async () => undefined,
        answeringByKey: async () => undefined,
        noteWithheld: async () => undefined,
        hasEnded: async () => false,
        findApproval: async () => undefined,
        findSuspension: async () => undefined,
        settleSuspension: async () => undefined,
      },
      deliveries: log,
      workflows: {
        redeemCall: async () => undefined,
        completeCall: async () => undefined,
        goesOn: async () => false,
        announce: async () => 'taken',
        observe: async () => 'taken',
        wake: async () => 'taken',
        goBack: async () => 'taken',
        expireQuestion: async () => true,
        expireIntent: async () => true,
        appendEvent: async () => true,
        askOn: async () => undefined,
      },
      pushes: {
        sweep: async () => undefined,
        fanOut: async () => false,
        due: async () => [],
        questions: async () => [],
        told: async () => undefined,
        putOff: async () => undefined,
        end: async () => undefined,
      },
      followUps: {
        sweep: async () => undefined,
        due: async () => [],
        told: async () => undefined,
        putOff: async () => undefined,
      },
      channels: createChannels(config.notifications, writer),
      feed: emptyFeed(),
      sendWebhook: async () => assert.fail('nothing is subscribed'),
      checkpoints: {
        sign: async () => undefined,
        firstUndelivered: async () => undefined,
        noteDelivered: async () => undefined,
        append: async () => undefined,
        post: async () => assert.fail('no webhook is configured'),
      },
      reconciliation: noQuestions(),
      retention: { mark: async () => ({ signs: false }), remove: async () => 0 },
      config,
      now: () => new Date('2026-11-21T10:00:00.000Z'),
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
