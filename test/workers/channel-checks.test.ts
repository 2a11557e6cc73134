import assert from 'node:assert/strict';
import { ChannelError } from '../../activities/channels/try-outcome.js';
import { CHECK_COUNTS_MINUTES } from '../../contracts/channel/follow-up.js';
import { emailConfigSchema, slackConfigSchema } from '../../contracts/channel/channel-config.js';
import { checkChannels, type CheckSurroundings } from '../../workers/channel-checks.js';

const WELL = { outcome: null, reason: null };
const AWAY = { outcome: 'connection_failed', reason: 'not reached' };
const REFUSED = { outcome: 'mail_login_refused', reason: 'refused' };
const away = () => Promise.reject(new ChannelError('connection_failed', 'not reached'));
const refused = () => Promise.reject(new ChannelError('mail_login_refused', 'refused'));

describe('a worker with channels', () => {
  /** Everything that a worker does until it has waited so often. */
  async function until(
    waits: number,
    channels: Record<string, (() => Promise<void>) | undefined>,
    changes: Partial<CheckSurroundings> = {},
  ) {
    const done: unknown[] = [];
    const logged = (level: string) => (fields: object, message: string) => {
      done.push([level, message, fields]);
    };
    let left = waits;
    await checkChannels(
      new Map(Object.entries(channels).map(([name, check]) => [name, check ? { check } : {}])),
      {
        log: { info: logged('info'), warn: logged('warn') },
        record: async (check) => void done.push(check),
        forget: async () => void done.push('forgotten'),
        signal: new AbortController().signal,
        async wait(ms) {
          done.push(ms / 60_000);
          left -= 1;
          if (left <= 0) throw new Error('the worker stops');
        },
        ...changes,
      },
    );
    return done;
  }

  it('asks their services at its start and every five minutes, and takes its answers along', async () => {
    const asked = await until(2, { chat: () => Promise.resolve(), ops: undefined });
    const well = { channel: 'chat', ...WELL };
    assert.deepEqual(asked, [well, 5, well, 5, 'forgotten']);
  });

  it('warns each time that one fails, and says once that it is well again', async () => {
    const answers = [away, refused, () => Promise.resolve(), () => Promise.resolve()];
    const warning = (failure: object) => [
      'warn',
      'channel_check_failed',
      { channel: 'mail', ...failure },
    ];
    assert.deepEqual(await until(4, { mail: () => (answers.shift() ?? away)() }), [
      warning(AWAY),
      { channel: 'mail', ...AWAY },
      5,
      warning(REFUSED),
      { channel: 'mail', ...REFUSED },
      // Some servers lock an account after a few wrong passwords.
      10,
      ['info', 'channel_check_passed', { channel: 'mail' }],
      { channel: 'mail', ...WELL },
      5,
      { channel: 'mail', ...WELL },
      5,
      'forgotten',
    ]);
  });

  it('has the next answer before the last one counts no more', async () => {
    const done = await until(3, { chat: () => Promise.resolve(), down: away, mail: refused });
    const pauses = done.filter((one) => typeof one === 'number');
    assert.ok(pauses.length >= 3);
    for (const { shape } of [emailConfigSchema, slackConfigSchema]) {
      const longest = shape.timeout_seconds.unwrap().maxValue ?? Infinity;
      assert.ok(Math.max(...pauses) + longest / 60 < CHECK_COUNTS_MINUTES);
    }
  });

  it('tells no text of a defect, which may hold a secret', async () => {
    const done = await until(1, {
      chat: () => Promise.reject(new TypeError('cannot read xoxb-1-test')),
    });
    const failure = { channel: 'chat', outcome: 'channel_failed', reason: 'an unexpected error' };
    assert.deepEqual(done[1], failure);
    assert.match(JSON.stringify(done[0]), /channel_check_failed.*an unexpected error.*TypeError/);
    assert.doesNotMatch(JSON.stringify(done), /xoxb/);
  });

  it('runs without the store, and says so', async () => {
    const err = new Error('away');
    const fails = () => Promise.reject(err);
    const asked = await until(
      1,
      { chat: () => Promise.resolve() },
      { record: fails, forget: fails },
    );
    assert.deepEqual(asked, [
      ['warn', 'channel_check_not_recorded', { err }],
      5,
      ['warn', 'channel_checks_not_forgotten', { err }],
    ]);
  });

  it('does nothing where there is nothing to ask', async () => {
    assert.deepEqual(await until(1, { console: undefined }), []);
  });

  it('stops within a wait, and within a question that hangs', async () => {
    const stop = new AbortController();
    const kept: unknown[] = [];
    const hangs = (signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const unlogged = () => assert.fail('it logs something');
    await checkChannels(
      new Map([
        ['waits', { check: () => Promise.resolve() }],
        ['hangs', { check: hangs }],
      ]),
      {
        log: { info: unlogged, warn: unlogged },
        // By then the wait has begun.
        async record({ channel }) {
          kept.push(channel);
          setImmediate(() => stop.abort(new Error('the worker stops')));
        },
        forget: async () => void kept.push('forgotten'),
        signal: stop.signal,
      },
    );
    assert.deepEqual(kept, ['waits', 'forgotten']);
  });
});
