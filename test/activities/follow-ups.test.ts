import assert from 'node:assert/strict';
import type { OutgoingChange } from '../../contracts/channel/follow-up.js';
import { tellOutcomes, type FollowUpDependencies } from '../../activities/follow-ups.js';
import type { DueFollowUp } from '../../activities/ports/upkeep.js';
import type { Channel, DeliverOptions } from '../../activities/channels/channel.js';
import { ChannelError } from '../../activities/channels/try-outcome.js';
import { changeFor } from '../../domain/suspension/telling/follow-up.js';
import { serverConfigSchema } from '../../contracts/server/config.js';
import { partWith } from '../domain/approval/wires.js';
import { SUSPENSION_ID } from '../domain/suspension/notification-samples.js';
import { lookUntil } from '../support/looks.js';
import { DUE } from './due-follow-ups.js';
import { environment } from './support.js';

const NOW = '2026-11-21T10:00:00.000Z';
const CONFIG = serverConfigSchema.parse({
  directory: { people: { ana: { name: 'Ana Ruiz', email: 'ana@example.com' } } },
  notifications: { context_keys: ['order'] },
});
const TIMING = { patienceMs: 0, lookMs: 0, heartbeatMs: 1_000 };
const SENT: DueFollowUp = {
  ...DUE,
  delivery_id: `${SUSPENSION_ID}:1/ana`,
  channel: 'mail',
  person: 'ana',
  record: {
    id: SUSPENSION_ID,
    question: 'Refund?',
    response_type: 'choice',
    choices: [{ value: 'yes', label: 'Refund it' }],
    context: { order: 'A-7', card: '4111' },
    suspended_at: NOW,
    fallback_policy: 'fail',
    resolution: 'responded',
    settled_by: 'operator',
    settled_at: NOW,
    response: 'yes',
    responded_by: 'bo',
    responded_at: NOW,
  },
  attempt: 2,
  max_attempts: 3,
  next_attempt_at: null,
};

function rig(due: readonly DueFollowUp[], fails?: () => Error, kind: Partial<Channel> = {}) {
  const told: { change: OutgoingChange; options: DeliverOptions }[] = [];
  const noted: (readonly [string, number | null])[] = [];
  const put: string[] = [];
  let swept = 0;
  const channel: Channel = {
    reaches: { by: 'email' },
    updates: 'latest',
    deliver: () => Promise.resolve({}),
    async update(_sent, change, options) {
      if (fails) throw fails();
      told.push({ change, options });
    },
    ...kind,
  };
  const pages = [due];
  const dependencies: FollowUpDependencies = {
    channels: new Map([['mail', channel]]),
    config: CONFIG,
    now: () => new Date(NOW),
    links: async ({ question_version }) => `link-${question_version}`,
    followUpTiming: TIMING,
    followUps: {
      sweep: async () => {
        swept += 1;
      },
      due: async () => pages.shift() ?? [],
      told: async ({ delivery_id }, shows) => {
        noted.push([delivery_id, shows]);
      },
      putOff: async (_sent, until) => {
        put.push(until);
      },
    },
  };
  const run = () => environment().env.run(() => tellOutcomes(dependencies));
  return { run, told, noted, put, swept: () => swept };
}

describe('telling messages what has become of their questions', () => {
  it('says who answered and which choice, and nothing else of the answer', async () => {
    const { run, told, noted, swept } = rig([SENT]);
    await run();
    assert.equal(swept(), 1);
    assert.deepEqual(told[0]?.change, {
      kind: 'settled',
      outcome: 'answered',
      question: 'Refund?',
      at: NOW,
      by: 'bo',
      choice_label: 'Refund it',
    });
    assert.deepEqual(told[0].options.to, {
      principal: 'ana',
      name: 'Ana Ruiz',
      address: 'ana@example.com',
    });
    assert.deepEqual(noted, [[SENT.delivery_id, null]]);
  });

  it('says what an approval was decided on, as far as it may leave', async () => {
    const approval = partWith();
    const { proposal_hash, proposal } = approval;
    const { run, told } = rig([{ ...SENT, record: { ...SENT.record, approval } }]);
    await run();
    const toldOf = (change: OutgoingChange | undefined) =>
      change?.kind === 'settled' ? change.approval : undefined;
    assert.deepEqual(toldOf(told[0]?.change), { proposal_hash });
    const { calls, visible_context } = proposal;
    const keys = ['tool_call', 'visible_context'];
    const change = changeFor(
      SENT,
      { ...SENT, record: { ...SENT.record, approval } },
      { context_keys: keys, personal_data_keys: [], e2e_encrypted: false },
    );
    assert.deepEqual(toldOf(change), { proposal_hash, whole: { calls, visible_context } });
  });

  it('does not repeat a free answer', async () => {
    const { choices: _none, ...record } = SENT.record;
    const answer = { ...record, response_type: 'text' as const, response: 'call Ada' };
    const { run, told } = rig([{ ...SENT, record: answer }]);
    await run();
    assert.doesNotMatch(JSON.stringify(told), /Ada/);
  });

  it('shows it anew without a link to somebody who may not answer it', async () => {
    const { resolution: _open, ...record } = SENT.record;
    const changed = { ...SENT, settled: false, question_version: 2, record };
    const eligibility = { eligible: { principals: ['bo'] }, attempt: 1 };
    const { run, told } = rig([{ ...changed, eligibility }]);
    await run();
    const change = told[0]?.change;
    assert.equal(change?.kind, 'changed');
    assert.deepEqual([change.message.informs, told[0]?.options.to?.link], [true, undefined]);
    const delegated = rig([{ ...changed, eligibility, delegates: ['ana'] }]);
    await delegated.run();
    assert.equal(delegated.told[0]?.options.to?.link, 'link-2');
  });

  it('shows a question anew that has changed, redacted, with a new link', async () => {
    const { resolution: _open, ...record } = SENT.record;
    const changed = { ...SENT, settled: false, question_version: 2, record };
    const { run, told, noted } = rig([changed]);
    await run();
    const change = told[0]?.change;
    assert.equal(change?.kind, 'changed');
    assert.equal(change.message.text, 'Changed: Refund?');
    assert.equal(change.message.question_version, 2);
    assert.deepEqual(change.message.context, { order: 'A-7', _attempt: 2, _max_attempts: 3 });
    assert.equal(told[0]?.options.to?.link, 'link-2');
    assert.deepEqual(noted, [[SENT.delivery_id, 2]]);
  });

  it('tells the newest message of a person, or each where messages are edited', async () => {
    const older = { ...SENT, delivery_id: `${SUSPENSION_ID}:0/ana`, latest: false };
    const latest = rig([older, SENT]);
    await latest.run();
    assert.equal(latest.told.length, 1);
    assert.equal(latest.noted.length, 2);
    const each = rig([older, SENT], undefined, { updates: 'each' });
    await each.run();
    assert.equal(each.told.length, 2);
  });

  it('follows each message on to the end where messages are edited', async () => {
    const { resolution: _open, ...record } = SENT.record;
    const changed = { ...SENT, settled: false, latest: false, question_version: 2, record };
    for (const [updates, shows] of [
      ['each', 2],
      ['latest', null],
    ] as const) {
      const { run, noted } = rig([changed], undefined, { updates });
      await run();
      assert.deepEqual(noted, [[SENT.delivery_id, shows]], updates);
    }
    const final = () => new ChannelError('mail_refused', 'gone', { final: true });
    const failing = rig([changed], final, { updates: 'each' });
    await failing.run();
    assert.deepEqual(failing.noted, [[SENT.delivery_id, 2]]);
  });

  it('tells nothing of what was erased, or over a channel that is gone or cannot', async () => {
    const erased = { ...SENT, record: { ...SENT.record, erased_at: NOW } };
    for (const [sent, kind] of [
      [erased, {}],
      [{ ...SENT, channel: 'gone' }, {}],
      [{ ...SENT, person: 'eve' }, {}],
      [{ ...SENT, space: 'team-b' }, {}],
    ] as const) {
      const { run, told, noted } = rig([sent], undefined, kind);
      await run();
      assert.deepEqual([told, noted], [[], [[sent.delivery_id, null]]]);
    }
  });

  it('tries again after growing pauses, and gives up in the end', async () => {
    const fails = () => new ChannelError('mail_deferred', 'later');
    for (const [tries, until] of [
      [0, '2026-11-21T10:00:01.000Z'],
      [5, '2026-11-21T10:00:32.000Z'],
    ] as const) {
      const { run, put, noted } = rig([{ ...SENT, tries }], fails);
      await run();
      assert.deepEqual([put, noted], [[until], []]);
    }
    const last = rig([{ ...SENT, tries: 11 }], fails);
    await last.run();
    assert.deepEqual([last.put, last.noted], [[], [[SENT.delivery_id, null]]]);
  });

  it('does not let one message stop another', async () => {
    let first = true;
    const failing = { ...SENT, delivery_id: `${SUSPENSION_ID}:9/ana` };
    const { run, put, noted } = rig([failing, SENT], undefined, {
      async update() {
        if (!first) return;
        first = false;
        throw new Error('cannot');
      },
    });
    await run();
    assert.equal(put.length, 1);
    assert.deepEqual(noted, [[SENT.delivery_id, null]]);
  });

  it('gives up at once what the channel refuses for good', async () => {
    const { run, put, noted } = rig(
      [SENT],
      () => new ChannelError('mail_refused', 'no', { final: true }),
    );
    await run();
    assert.deepEqual([put, noted], [[], [[SENT.delivery_id, null]]]);
  });

  for (const [when, tries] of [
    ['before it was told', ['lost', 'told']],
    ['between telling and noting it', ['told', 'told']],
  ] as const) {
    it(`tells a message, and notes it in the end, if a worker dies ${when}`, async () => {
      const keys: string[] = [];
      const noted: (number | null)[] = [];
      let hasDied = false;
      const dies = (): Promise<never> => {
        hasDied = true;
        return new Promise(() => undefined);
      };
      const dependencies: FollowUpDependencies = {
        channels: new Map<string, Channel>([
          [
            'mail',
            {
              reaches: { by: 'email' },
              updates: 'latest',
              deliver: () => Promise.resolve({}),
              update: async (_sent, _change, { idempotencyKey }) => {
                if (!hasDied && tries[0] === 'lost') return dies();
                keys.push(idempotencyKey);
              },
            },
          ],
        ]),
        config: CONFIG,
        now: () => new Date(NOW),
        followUpTiming: TIMING,
        followUps: {
          sweep: () => Promise.resolve(),
          due: () => Promise.resolve(noted.length === 0 ? [SENT] : []),
          told: async (_sent, shows) => {
            if (!hasDied) return dies();
            noted.push(shows);
          },
          putOff: () => Promise.resolve(),
        },
      };
      // The first execution never goes on: nobody hears of it any more.
      const dead = environment().env;
      const execution = dead.run(() => tellOutcomes(dependencies));
      await lookUntil(async () => hasDied, 'nobody died');
      await environment().env.run(() => tellOutcomes(dependencies));
      const wanted = tries.filter((one) => one === 'told');
      assert.deepEqual(
        keys,
        wanted.map(() => `${SENT.delivery_id}:settled:1`),
      );
      assert.deepEqual(noted, [null]);
      dead.cancel();
      await assert.rejects(execution, { name: 'CancelledFailure' });
    });
  }
});
