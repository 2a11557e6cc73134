import assert from 'node:assert/strict';
import { once } from 'node:events';
import { CancelledFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { Addressee, Channel } from '../../activities/channels/channel.js';
import { ChannelError } from '../../activities/channels/try-outcome.js';
import { notify, type NotifyDependencies } from '../../activities/notify.js';
import { serverConfigSchema } from '../../contracts/server/config.js';
import type {
  Deciders,
  DeliveryReceipt,
  NotificationRequest,
} from '../../contracts/channel/notification.js';
import { ANYONE, SUSPENSION_ID, requestWith } from '../domain/suspension/notification-samples.js';
import { lookUntil } from '../support/looks.js';
import { environment, memoryLog, memoryStore } from './support.js';

const NOW = '2026-11-21T10:00:00.000Z';
const CONFIG = serverConfigSchema.parse({
  directory: {
    people: {
      ana: { name: 'Ana Ruiz', email: 'ana@example.com' },
      bo: { email: 'bo@example.com' },
      cy: {},
      kim: { email: 'kim@example.com', space: 'team-b' },
    },
    groups: { finance: ['ana', 'bo'], all: ['ana', 'bo', 'cy', 'kim'] },
  },
  notifications: {
    default_channel: 'mail',
    channels: { mail: { type: 'email', smtp: 'smtp://mail', from: 'h@example.com' } },
  },
});
const TO_FINANCE = { notify_to: 'finance' };

type Fails = (to: Addressee, call: number) => ChannelError | undefined;
const temporary = new ChannelError('mail_deferred', 'later', { statusCode: 450 });
const final = new ChannelError('mail_refused', 'no', { statusCode: 550, final: true });

const by = (eligible: Deciders['eligible'], more: Partial<Deciders> = {}) => ({
  deciders: { ...ANYONE, eligible, ...more },
});

function rig(fails: Fails = () => undefined, more: Partial<NotifyDependencies> = {}) {
  const sent: (Addressee & { key: string; informs: boolean })[] = [];
  const calls = new Map<string, number>();
  const channel: Channel = {
    reaches: { by: 'email', otherwise: 'bo' },
    async deliver({ informs = false }, { to, idempotencyKey: key }) {
      assert.ok(to);
      const call = (calls.get(to.principal) ?? 0) + 1;
      calls.set(to.principal, call);
      const error = fails(to, call);
      if (error) throw error;
      sent.push({ ...to, key, informs });
      return { reference: `m-${to.principal}` };
    },
  };
  const log = memoryLog();
  const dependencies = {
    channels: new Map([['mail', channel]]),
    deliveries: log,
    store: memoryStore(),
    config: CONFIG,
    now: () => new Date(NOW),
    ...more,
  };
  const run = (request: Partial<NotificationRequest> = TO_FINANCE, env = environment().env) =>
    env.run((one: NotificationRequest) => notify(dependencies, one), requestWith(request));
  return { run, sent, log };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

const names = (sent: readonly Addressee[]) => sent.map(({ principal }) => principal).sort();

describe('a delivery to people of the directory', () => {
  it('goes to each of a group, under an id of its own', async () => {
    const { run, sent, log } = rig();
    assert.deepEqual(await run(), { channel: 'mail', delivered_at: NOW, people: 2 });
    assert.deepEqual(
      sent.map(({ name, address, key }) => [name, address, key]),
      [
        ['Ana Ruiz', 'ana@example.com', `${SUSPENSION_ID}:1/ana`],
        ['bo', 'bo@example.com', `${SUSPENSION_ID}:1/bo`],
      ],
    );
    const ids = [`${SUSPENSION_ID}:1/ana`, `${SUSPENSION_ID}:1/bo`, `${SUSPENSION_ID}:1`];
    assert.deepEqual([...log.entries.keys()], ids);
    assert.deepEqual(
      log.tries.map(({ delivery_id, outcome }) => [delivery_id, outcome]),
      ids.slice(0, 2).map((id) => [id, 'delivered']),
    );
  });

  it('goes to a single person, and to that of the channel where nobody is named', async () => {
    const { run, sent } = rig();
    await run({ notify_to: 'ana' });
    await run({ notify_to: null, attempt: 2 });
    assert.deepEqual(names(sent), ['ana', 'bo']);
  });

  it('is tried again for those alone who lack it', async () => {
    const { run, sent, log } = rig(({ principal }, call) =>
      principal === 'ana' && call === 1 ? temporary : undefined,
    );
    await assert.rejects(run(), { type: 'mail_deferred', nonRetryable: false });
    assert.deepEqual(names(sent), ['bo']);
    const receipt = await run(TO_FINANCE, environment(2).env);
    assert.deepEqual(receipt, { channel: 'mail', delivered_at: NOW, tries: 2, people: 2 });
    assert.deepEqual(names(sent), ['ana', 'bo']);
    assert.deepEqual(
      log.tries.map(({ delivery_id, outcome }) => [delivery_id.split('/')[1], outcome]),
      [
        ['ana', 'mail_deferred'],
        ['bo', 'delivered'],
        ['ana', 'delivered'],
      ],
    );
  });

  it('doubles nothing while the log is away: heartbeats carry who has it', async () => {
    const away = () => Promise.reject(new Error('away'));
    const deliveries = { find: away, record: away, recordTry: away };
    const { run, sent } = rig(
      ({ principal }, call) => (principal === 'ana' && call === 1 ? temporary : undefined),
      { deliveries },
    );
    let beaten: unknown;
    const first = new MockActivityEnvironment({ attempt: 1 });
    first.on('heartbeat', (details: unknown) => {
      beaten = details;
    });
    await assert.rejects(run(TO_FINANCE, first), { type: 'mail_deferred' });
    const second = new MockActivityEnvironment({ attempt: 2, heartbeatDetails: beaten });
    await run(TO_FINANCE, second);
    assert.deepEqual(names(sent), ['ana', 'bo']);
  });

  it('is not stopped by a dead address, and says how many it did not reach', async () => {
    const { run, sent, log } = rig(({ principal }) => (principal === 'ana' ? final : undefined));
    const receipt = await run({ notify_to: 'all' });
    const expected = { channel: 'mail', delivered_at: NOW, people: 1, unreached: 2 };
    assert.deepEqual(receipt, expected);
    assert.deepEqual(names(sent), ['bo']);
    assert.deepEqual(
      log.tries.map(({ delivery_id, outcome }) => [delivery_id.split('/')[1], outcome]).sort(),
      [
        ['ana', 'mail_refused'],
        ['bo', 'delivered'],
        ['cy', 'address_missing'],
      ],
    );
  });

  it('fails for good where nobody can be reached', async () => {
    const { run } = rig(() => final);
    await assert.rejects(run(), { type: 'mail_refused', nonRetryable: true });
    await assert.rejects(run({ notify_to: 'cy' }), { type: 'address_missing', nonRetryable: true });
  });

  it('goes to those whom the rule names, and not to the person of the channel', async () => {
    const { run, sent } = rig();
    await run({ notify_to: null, ...by({ groups: ['finance'] }, { done: ['bo'] }) });
    assert.deepEqual(names(sent), ['ana']);
  });

  it('informs those who may not decide, without a link, beside those who may', async () => {
    const { run, sent } = rig(undefined, { links: async () => 'a-link' });
    const receipt = (await run({ notify_to: 'bo', ...by({ principals: ['ana'] }) })) as object;
    assert.deepEqual(
      sent.map(({ principal, informs, link }) => [principal, informs, link]).sort(),
      [
        ['ana', false, 'a-link'],
        ['bo', true, undefined],
      ],
    );
    assert.deepEqual(receipt, { channel: 'mail', delivered_at: NOW, people: 2 });
  });

  it('fails for good where it could only inform people', async () => {
    const { run, sent, log } = rig();
    const told = run({ notify_to: 'bo', ...by({ principals: ['eve'] }) });
    await assert.rejects(told, { type: 'nobody_may_decide', nonRetryable: true });
    assert.deepEqual(names(sent), ['bo']);
    // What a person has got is in the log; the notification as a whole has reached nobody.
    assert.deepEqual([...log.entries.keys()], [`${SUSPENSION_ID}:1/bo`]);
  });

  it('fails for good where everybody whom it would tell has decided', async () => {
    const { run, sent } = rig();
    const told = run({ ...TO_FINANCE, ...by({}, { done: ['ana', 'bo'] }) });
    await assert.rejects(told, { type: 'nobody_may_decide', nonRetryable: true });
    assert.deepEqual(sent, []);
  });

  it('goes over another channel to those who may decide and whom this one cannot reach', async () => {
    const direct: (string | undefined)[] = [];
    const chat: Channel = {
      reaches: { by: 'slack' },
      deliver: (_message, { to }) =>
        Promise.resolve({ reference: String(direct.push(to?.address)) }),
    };
    const people = { ...CONFIG.directory?.people, cy: { slack: 'U7' } };
    const config = serverConfigSchema.parse({ ...CONFIG, directory: { people } });
    const { run, sent } = rig(undefined, { config });
    const both = rig(undefined, {
      config,
      channels: new Map([
        ['mail', { reaches: { by: 'email' }, deliver: () => Promise.reject(new Error('no mail')) }],
        ['chat', chat],
      ]),
    });
    await both.run({ notify_to: null, ...by({ principals: ['cy'] }) });
    assert.deepEqual(direct, ['U7']);
    // Somebody who is only informed is not looked for elsewhere.
    const informed = run({ notify_to: 'cy', ...by({ principals: ['eve'] }) });
    await assert.rejects(informed, { type: 'address_missing' });
    assert.deepEqual(sent, []);
  });

  it('only informs somebody of an approval whose keys let nobody answer any more', async () => {
    const lost = { space: 'default', principal: 'bo', groups: [], only_own: true };
    const store = { ...memoryStore(), answeringByKey: async () => [lost] };
    const { run, sent } = rig(undefined, { store });
    const approval = { proposal_hash: 'ab'.repeat(32) };
    await run({ ...TO_FINANCE, ...by({}), approval });
    assert.deepEqual(sent.map(({ principal, informs }) => [principal, informs]).sort(), [
      ['ana', false],
      ['bo', true],
    ]);
    // A link is enough for an ordinary question, and what is asked of somebody by name needs no role.
    await run({ notify_to: 'bo', attempt: 2, ...by({}) });
    await run({ notify_to: 'bo', attempt: 3, ...by({ principals: ['bo'] }), approval });
    assert.deepEqual(
      sent.slice(2).map(({ informs }) => informs),
      [false, false],
    );
  });

  it('fails for good where the directory does not know the name in this space', async () => {
    const { run, sent, log } = rig();
    for (const notify_to of ['eve', 'kim', '__proto__']) {
      await assert.rejects(run({ notify_to }), { type: 'recipient_unknown', nonRetryable: true });
    }
    assert.deepEqual(sent, []);
    assert.deepEqual(
      log.tries.map(({ outcome }) => outcome),
      Array(3).fill('recipient_unknown'),
    );
  });

  it('is not sent again once the log has it', async () => {
    const { run, sent } = rig();
    await run();
    assert.equal(((await run()) as DeliveryReceipt).duplicate, true);
    assert.equal(sent.length, 2);
  });

  it('that is called off notes what is on its way, and begins nothing more', async () => {
    const { env } = environment();
    const log = memoryLog();
    const group = Array.from({ length: 10 }, (_, i) => `p${i}`);
    const config = serverConfigSchema.parse({
      directory: {
        people: Object.fromEntries(group.map((name) => [name, { email: `${name}@example.com` }])),
        groups: { finance: group },
      },
      notifications: CONFIG.notifications,
    });
    const begun: string[] = [];
    const slow: Channel = {
      reaches: { by: 'email' },
      async deliver(_message, { to, signal }) {
        begun.push(to?.principal ?? '');
        if (begun.length === 8) env.cancel();
        await aborted(signal);
        if (to?.principal === 'p0') throw signal.reason;
        await lookUntil(
          () => Promise.resolve(log.tries.some(({ outcome }) => outcome === 'called_off')),
          'the first is not called off',
        );
        return { reference: `m-${to?.principal}` };
      },
    };
    const { run } = rig(undefined, {
      channels: new Map([['mail', slow]]),
      config,
      deliveries: log,
    });
    await assert.rejects(run(TO_FINANCE, env), CancelledFailure);
    assert.deepEqual(begun, group.slice(0, 8));
    assert.deepEqual(
      [...log.entries.values()].map(({ reference }) => reference).sort(),
      group.slice(1, 8).map((name) => `m-${name}`),
    );
  });

  it('has a link for each person, for the version that is asked', async () => {
    const links: NotifyDependencies['links'] = async (content, expiresAt) =>
      JSON.stringify({ ...content, expiresAt });
    const { run, sent } = rig(undefined, { links });
    await run({ ...TO_FINANCE, question_version: 3 });
    const common = { space: 'default', suspension_id: SUSPENSION_ID, question_version: 3 };
    assert.deepEqual(
      sent.map(({ link }) => JSON.parse(link ?? '{}') as unknown),
      ['ana', 'bo'].map((person) => ({
        ...common,
        person,
        expiresAt: '2026-11-21T13:00:00.000Z',
      })),
    );
  });
});
