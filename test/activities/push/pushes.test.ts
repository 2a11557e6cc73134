import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sendPushes } from '../../../activities/push/pushes.js';
import type { Push } from '../../../activities/push/sender.js';
import type { DuePush, PushedQuestion } from '../../../activities/ports/upkeep.js';
import { ChannelError } from '../../../activities/channels/try-outcome.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { environment } from '../support.js';

const NOW = '2026-11-25T10:00:00.000Z';
const DUE: DuePush = {
  session_id: 's',
  caller: { space: 'default', principal: 'ana', roles: ['operator'], groups: [] },
  channel: 'push.example.com',
  endpoint: 'https://push.example.com/one',
  p256dh: 'p',
  auth: 'a',
  public_key: 'k',
  shows_words: true,
  tries: 0,
  quiet_hours: null,
  is_idle: false,
};
const question = (id: string, change: Partial<PushedQuestion> = {}): PushedQuestion => ({
  id,
  question: `Go with ${id}?`,
  asked_by: 'agent-1',
  attempt: 1,
  max_attempts: 3,
  expires_at: '2026-11-25T10:05:00.000Z',
  mark: 2,
  ...change,
});

function rig(
  questions: readonly PushedQuestion[],
  due: Partial<DuePush> = {},
  config: object = {},
) {
  const sent: Push[] = [];
  const noted: string[] = [];
  const failures: Error[] = [];
  const pages = [[{ ...DUE, ...due }]];
  const run = () =>
    environment().env.run(() =>
      sendPushes({
        config: serverConfigSchema.parse(config),
        now: () => new Date(NOW),
        followUpTiming: { patienceMs: 0, lookMs: 0, heartbeatMs: 1_000 },
        async sendPush(push) {
          const failure = failures.shift();
          if (failure) throw failure;
          sent.push(push);
        },
        pushes: {
          sweep: async () => undefined,
          fanOut: async () => false,
          due: async () => pages.shift() ?? [],
          questions: async () => questions,
          told: async (_due, told, next) => {
            noted.push(`told ${told.map(({ id }) => id).join(' ')} ${next.slice(11, 19)}`);
          },
          putOff: async (_due, until, hasFailed) => {
            noted.push(`${hasFailed ? 'failed' : 'quiet'} ${until}`);
          },
          end: async () => {
            noted.push('ended');
          },
        },
      }),
    );
  return { run, sent, noted, failures };
}

describe('telling browsers of questions', () => {
  it('sends one message for each, as long as it is worth something', async () => {
    const last = question('b', { attempt: 3, expires_at: null });
    const { run, sent, noted } = rig([question('a'), last]);
    await run();
    assert.deepEqual(
      sent.map(({ notice, seconds, isUrgent }) => [notice.title, seconds, isUrgent]),
      [
        ['Input needed: Go with a?', 300, false],
        ['URGENT — final reminder: Go with b?', 86_400, true],
      ],
    );
    assert.deepEqual(noted, ['told a 10:00:10', 'told b 10:00:10']);
  });

  it('counts many in one message', async () => {
    const { run, sent, noted } = rig(['a', 'b', 'c', 'd'].map((id) => question(id)));
    await run();
    assert.deepEqual(
      sent.map(({ notice }) => notice.title),
      ['4 questions wait for you'],
    );
    assert.deepEqual(noted, ['told a b c d 10:00:10']);
  });

  it('says no words where the person or the installation wants none, or the session is idle', async () => {
    for (const [due, config] of [
      [{ shows_words: false }, {}],
      [{ is_idle: true }, {}],
      [{}, { push: { words: false } }],
    ] as const) {
      const { run, sent } = rig([question('a')], due, config);
      await run();
      assert.doesNotMatch(JSON.stringify(sent[0]?.notice), /Go with|agent-1/);
    }
  });

  it('waits for the end of quiet hours', async () => {
    const hours = { time_zone: 'UTC', from: '09:00', to: '11:30', whole_days: [] };
    const { run, sent, noted } = rig([question('a')], { quiet_hours: hours });
    await run();
    assert.deepEqual([sent, noted], [[], ['quiet 2026-11-25T11:30:00.000Z']]);
  });

  it('tries again after growing pauses, and does not repeat what was taken', async () => {
    const { run, sent, noted, failures } = rig([question('a'), question('b')], { tries: 3 });
    failures.push(new ChannelError('no_reply_in_time', 'late'));
    await run();
    assert.deepEqual([sent, noted], [[], ['failed 2026-11-25T10:00:08.000Z']]);
  });

  it('gives up in the end, and ends for a browser that is not known any more', async () => {
    const late = rig([question('a')], { tries: 11 });
    late.failures.push(new ChannelError('no_reply_in_time', 'late'));
    await late.run();
    assert.deepEqual(late.noted, ['told a 10:00:10']);
    const gone = rig([question('a')]);
    gone.failures.push(new ChannelError('endpoint_gone', 'gone', { final: true }));
    await gone.run();
    assert.deepEqual(gone.noted, ['ended']);
  });
});
