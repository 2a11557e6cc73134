import assert from 'node:assert/strict';
import { tellOutcomes, type FollowUpDependencies } from '../../activities/follow-ups.js';
import type { DueFollowUp } from '../../activities/ports/upkeep.js';
import type { Channel } from '../../activities/channels/channel.js';
import { serverConfigSchema } from '../../contracts/server/config.js';
import { SUSPENSION_ID } from '../domain/suspension/notification-samples.js';
import { lookUntil } from '../support/looks.js';
import { DUE } from './due-follow-ups.js';
import { environment } from './support.js';

const NOW = '2026-11-21T10:00:00.000Z';

function messageOf(channel: string, number: number): DueFollowUp {
  return {
    ...DUE,
    delivery_id: `${SUSPENSION_ID}:${number}`,
    channel,
    person: null,
    record: {
      id: SUSPENSION_ID,
      question: 'Refund?',
      response_type: 'text',
      suspended_at: NOW,
      fallback_policy: 'fail',
      resolution: 'cancelled',
      settled_by: 'agent',
      settled_at: NOW,
    },
    attempt: 1,
    max_attempts: 1,
    next_attempt_at: null,
  };
}

/** Sixty messages by mail, whose server never answers, and then twenty in Slack. */
function rig() {
  const mails = Array.from({ length: 60 }, (_, index) => messageOf('mail', index));
  const posts = Array.from({ length: 20 }, (_, index) => messageOf('slack', 100 + index));
  let due: readonly DueFollowUp[] = [...mails, ...posts];
  let begun = 0;
  const channelWith = (update: NonNullable<Channel['update']>): Channel => ({
    updates: 'each',
    deliver: () => Promise.resolve({}),
    update,
  });
  const told: string[] = [];
  const dependencies: FollowUpDependencies = {
    channels: new Map([
      [
        'mail',
        channelWith(() => {
          begun += 1;
          return new Promise(() => undefined);
        }),
      ],
      ['slack', channelWith(() => Promise.resolve())],
    ]),
    config: serverConfigSchema.parse({}),
    now: () => new Date(NOW),
    followUpTiming: { patienceMs: 600_000, lookMs: 1, heartbeatMs: 1 },
    followUps: {
      sweep: () => Promise.resolve(),
      due: ({ limit, except }) =>
        Promise.resolve(due.filter(({ channel }) => !except.includes(channel)).slice(0, limit)),
      told: async ({ delivery_id, channel }) => {
        told.push(channel);
        due = due.filter((sent) => sent.delivery_id !== delivery_id);
      },
      putOff: () => Promise.resolve(),
    },
  };
  return { dependencies, told, begun: () => begun };
}

describe('telling messages while a channel does not answer', () => {
  it('goes on with the other channels, and gives signs of life', async () => {
    const { dependencies, told, begun } = rig();
    const { env } = environment();
    let beats = 0;
    env.on('heartbeat', () => (beats += 1));
    const execution = env.run(() => tellOutcomes(dependencies));
    await lookUntil(async () => told.length === 20, 'Slack was held up');
    assert.deepEqual([...new Set(told)], ['slack']);
    assert.equal(begun(), 8);
    const before = beats;
    await lookUntil(async () => beats > before + 2, 'there was no sign of life');
    env.cancel();
    await assert.rejects(execution, { name: 'CancelledFailure' });
  });

  it('fails with what could not be noted', async () => {
    const { dependencies } = rig();
    const followUps: FollowUpDependencies['followUps'] = {
      ...dependencies.followUps,
      told: () => Promise.reject(new Error('the store is away')),
    };
    const execution = environment().env.run(() => tellOutcomes({ ...dependencies, followUps }));
    await assert.rejects(execution, /the store is away/);
  });
});
