import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { HoldpointError, type AskCall, type AskOptions } from '../../client/index.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import type { FakeServer } from './support/fake-server.js';
import { agentOf, withServer, type InstantPauses } from './support/harness.js';
import { expired, pending, ROUTES, settled, SUSPENSION_ID } from './support/samples.js';

const ASK = 'POST /v1/suspensions';
const CANCEL = `POST /v1/suspensions/${SUSPENSION_ID}/cancel`;
const YES_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];
const CONFIRM = { response_type: 'confirm', choices: YES_NO } as const;

/** A server whose question without an intent ends with this record. */
function withQuestion<T>(
  end: ReturnType<typeof settled>,
  run: (server: FakeServer, pauses: InstantPauses) => Promise<T>,
): Promise<T> {
  return withServer((server, pauses) => {
    server.on(ASK, { status: 201, body: pending(1, CONFIRM) }).on(ROUTES.wait, { body: end });
    return run(server, pauses);
  });
}

const yes = (more: Partial<SuspensionRecord> = {}) =>
  settled({ ...CONFIRM, response: 'yes', ...more });

/** What is sent for a question, without what is always the same. */
async function sentFor(options: AskOptions & AskCall): Promise<object> {
  return withQuestion(yes(), async (server, pauses) => {
    await agentOf(server, pauses).ask('Refund?', options);
    const { question, agent_retry_policy, request_key, ...rest } =
      server.requests(ASK)[0]?.body ?? {};
    assert.deepEqual([question, agent_retry_policy], ['Refund?', null]);
    assert.equal(typeof request_key, 'string');
    return rest;
  });
}

describe('ask', () => {
  it('resolves with a yes, who said it, and why', () =>
    withQuestion(yes({ comment: 'paid twice' }), async (server, pauses) => {
      const answer = await agentOf(server, pauses).ask('Refund order #12345?');
      assert.deepEqual(answer, {
        value: 'yes',
        choice: YES_NO[0],
        by: 'alice',
        comment: 'paid twice',
        at: '2026-03-24T11:30:00.000Z',
        is_fallback: false,
        suspension_id: SUSPENSION_ID,
        approved: true,
      });
      const value: 'yes' | 'no' = answer.value;
      assert.equal(value, 'yes');
    }));

  it('resolves with a no that is not approved, and no comment', () =>
    withQuestion(yes({ response: 'no' }), async (server, pauses) => {
      const { value, approved, comment } = await agentOf(server, pauses).ask('Refund?');
      assert.deepEqual([value, approved, comment], ['no', false, null]);
    }));

  it('resolves with the choice, with nothing approved', () =>
    withQuestion(settled(), async (server, pauses) => {
      const choices = ['approve', { value: 'deny' }] as const;
      const answer = await agentOf(server, pauses).ask('Refund?', { choices });
      const value: 'approve' | 'deny' = answer.value;
      assert.equal(value, 'approve');
      assert.equal(answer.choice?.label, 'Approve refund');
      assert.equal('approved' in answer, false);
    }));

  it('resolves with the fallback, which nobody gave', () => {
    const end = { fallback_policy: 'complete_with_fallback', fallback_value: 'no' } as const;
    return withQuestion(expired({ ...CONFIRM, ...end }), async (server, pauses) => {
      const options = { timeout: '1h', fallback: 'no' } as const;
      const answer = await agentOf(server, pauses).ask('Refund?', options);
      const { value, approved, by, is_fallback, at } = answer;
      assert.deepEqual([value, approved, by, is_fallback], ['no', false, null, true]);
      assert.equal(at, '2026-03-24T11:30:00.000Z');
    });
  });
});

describe('the options of ask', () => {
  for (const [what, options, sent] of [
    ['nothing as a confirm question', {}, { response_type: 'confirm', fallback_policy: 'fail' }],
    [
      'texts and objects as choices',
      { choices: ['a', { value: 'b', label: 'B', style: 'danger' }], fallback: 'a' },
      {
        response_type: 'choice',
        choices: [
          { value: 'a', label: 'a' },
          { value: 'b', label: 'B', style: 'danger' },
        ],
        fallback_policy: 'complete_with_fallback',
        fallback_value: 'a',
      },
    ],
    [
      'a text with its context and time',
      { text: true, context: { order: 1 }, timeout: '1h30m' },
      {
        response_type: 'text',
        context: { order: 1 },
        timeout_seconds: 5_400,
        fallback_policy: 'fail',
      },
    ],
    [
      'a form, and null as its fallback',
      { form: { type: 'object' }, fallback: null },
      {
        response_type: 'form',
        response_schema: { type: 'object' },
        fallback_policy: 'complete_with_fallback',
        fallback_value: null,
      },
    ],
    [
      'three reminders as four attempts',
      { remind: { every: '20s', times: 3 } },
      {
        response_type: 'confirm',
        fallback_policy: 'fail',
        retry_policy: { max_attempts: 4, interval_seconds: 20 },
      },
    ],
    [
      'reminders until the timeout as attempts',
      { timeout: '1h', remind: { every: '15m' } },
      {
        response_type: 'confirm',
        fallback_policy: 'fail',
        retry_policy: { max_attempts: 4, interval_seconds: 900 },
      },
    ],
    [
      'a person as the only one who may answer',
      { to: 'ana' },
      {
        response_type: 'confirm',
        fallback_policy: 'fail',
        decision_rule: { eligible: { principals: ['ana'], groups: [] } },
      },
    ],
    [
      'a channel alone as the hint that it is',
      { to: { channel: 'slack' } },
      { response_type: 'confirm', fallback_policy: 'fail', channel_hint: 'slack' },
    ],
    [
      'people and a channel as whom each attempt notifies',
      {
        to: { people: ['ana'], groups: ['finance'], channel: 'email' },
        remind: { every: '1h', times: 1 },
      },
      {
        response_type: 'confirm',
        fallback_policy: 'fail',
        channel_hint: 'email',
        decision_rule: { eligible: { principals: ['ana'], groups: ['finance'] } },
        retry_policy: {
          max_attempts: 2,
          interval_seconds: 3_600,
          escalation_ladder: [1, 2].flatMap((attempt) =>
            ['ana', 'finance'].map((notify_to) => ({
              attempt,
              channel_hint: 'email',
              notify_to,
            })),
          ),
        },
      },
    ],
  ] as const) {
    it(`send ${what}`, async () => {
      assert.deepEqual(await sentFor(options), sent);
    });
  }

  for (const [field, detail, options] of [
    ['timeout', /'90s', '15m', '1h30m' or '2d'/, { timeout: 'an hour' }],
    ['timeout', /'90s'/, { timeout: 3600 }],
    ['timeout_seconds', /write timeout\./, { timeout_seconds: 60 }],
    ['request_key', /write key\./, { request_key: 'r' }],
    ['fallbak', /write fallback\./, { fallbak: 'no' }],
    ['nonsense_at_all', /it has choices, text, .*, key, signal\./, { nonsense_at_all: 1 }],
    ['choices', /one of choices, text and form/, { choices: ['a'], text: true }],
    ['choices', /a list such as/, { choices: 'a' }],
    ['remind.evry', /write remind\.every\./, { remind: { evry: '1m' } }],
    ['remind.every', /no duration/, { remind: { every: 'often', times: 2 } }],
    [
      'remind.times',
      /a timeout, or times: a whole number from 1 to 99/,
      { remind: { every: '1m' } },
    ],
    ['remind.times', /from 1 to 99/, { remind: { every: '1m', times: 100 } }],
    ['remind.every', /25m, .* 1h .*2 to 100/, { timeout: '1h', remind: { every: '25m' } }],
    ['remind.every', /1h, .* 1h/, { timeout: '1h', remind: { every: '1h' } }],
    [
      'timeout',
      /3 reminders every 15m .* after 1h, not after 2h/,
      { timeout: '2h', remind: { every: '15m', times: 3 } },
    ],
    ['to', /names nobody/, { to: {} }],
    ['to', /names nobody/, { to: { people: [], channel: 'slack' } }],
    ['to.peoples', /write to\.people/, { to: { peoples: ['ana'] } }],
    ['to.groups', /a list of groups/, { to: { groups: 'finance' } }],
  ] as const) {
    it(`refuse ${JSON.stringify(options)}, and send nothing`, () =>
      withServer(async (server, pauses) => {
        const asking = agentOf(server, pauses).ask('Refund?', options as unknown as AskOptions);
        await assert.rejects(asking, (error) => {
          assert.ok(error instanceof HoldpointError);
          assert.deepEqual([error.code, error.field], ['invalid_request', field]);
          assert.match(error.message, detail);
          return error.accepted !== undefined;
        });
        assert.deepEqual(server.seen, []);
      }));
  }

  it('take a timeout that says the same as the reminders', async () => {
    const remind = { every: '15m', times: 3 };
    const without = await sentFor({ remind });
    assert.deepEqual(await sentFor({ remind, timeout: '1h' }), without);
  });

  it('come after the question', () =>
    withServer(async (server, pauses) => {
      const options = { question: 'Refund?' } as unknown as string;
      await assert.rejects(
        agentOf(server, pauses).ask(options),
        /The question comes first: ask\('/,
      );
      assert.deepEqual(server.seen, []);
    }));
});

describe('the key and the signal of ask', () => {
  const REASON = new Error('enough');

  it('send the same question for the same call, and find what was answered meanwhile', () =>
    withServer(async (server, pauses) => {
      server.on(ASK, { status: 201, body: pending(1, CONFIRM) }, { body: yes() });
      server.on(ROUTES.wait, 'silent');
      const stop = new AbortController();
      const call = { key: 'refund-12345', timeout: '1h' };
      const crashed = agentOf(server, pauses).ask('Refund?', { ...call, signal: stop.signal });
      server.on(ROUTES.wait, () => {
        stop.abort(REASON);
        return 'silent';
      });
      await assert.rejects(crashed, REASON);

      const answer = await agentOf(server, pauses).ask('Refund?', call);
      assert.equal(answer.approved, true);
      const [first, second] = server.requests(ASK).map(({ body }) => body);
      assert.deepEqual(second, first);
      assert.equal(first?.['request_key'], 'refund-12345');
      assert.deepEqual(server.requests(CANCEL), []);
    }));

  /** Resolves once the question was withdrawn, with the reason that was sent. */
  function withdrawal(server: FakeServer): Promise<unknown> {
    return new Promise((resolve) => {
      server.on(CANCEL, ({ body }) => {
        resolve(body['reason']);
        return { body: settled({ resolution: 'cancelled' }).record };
      });
    });
  }

  it('withdraw a question without a key once nobody waits for it', () =>
    withServer(async (server, pauses) => {
      const withdrawn = withdrawal(server);
      const stop = new AbortController();
      server.on(ASK, { status: 201, body: pending(1, CONFIRM) });
      server.on(ROUTES.wait, () => {
        stop.abort(REASON);
        return 'silent';
      });
      const asking = agentOf(server, pauses).ask('Refund?', { signal: stop.signal });
      await assert.rejects(asking, REASON);
      assert.equal(await withdrawn, 'asker_gave_up');
    }));

  it('withdraw one whose signal aborts before the reply is there', () =>
    withServer(async (server, pauses) => {
      const withdrawn = withdrawal(server);
      const stop = new AbortController();
      let open: () => void = () => undefined;
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      server.on(ASK, async () => {
        stop.abort(REASON);
        await opened;
        return { status: 201, body: pending(1, CONFIRM) };
      });
      const asking = agentOf(server, pauses).ask('Refund?', { signal: stop.signal });
      await assert.rejects(asking, REASON);
      open();
      assert.equal(await withdrawn, 'asker_gave_up');
      assert.deepEqual(server.requests(ROUTES.wait), []);
    }));

  for (const key of [undefined, 'refund-12345']) {
    it(`ask nothing where it is aborted before, ${key === undefined ? 'without' : 'with'} a key`, () =>
      withServer(async (server, pauses) => {
        const signal = AbortSignal.abort(REASON);
        await assert.rejects(agentOf(server, pauses).ask('Refund?', { key, signal }), REASON);
        assert.deepEqual(server.seen, []);
      }));
  }
});

describe('requestInput without an intent', () => {
  for (const args of [[{ question: 'Refund?' }], [undefined, { question: 'Refund?' }], ['', {}]]) {
    it(`says what to call, given ${JSON.stringify(args)}`, () =>
      withServer(async (server, pauses) => {
        const agent = agentOf(server, pauses);
        const given = args as unknown as Parameters<typeof agent.requestInput>;
        await assert.rejects(agent.requestInput(...given), (error) => {
          assert.ok(error instanceof HoldpointError);
          assert.deepEqual([error.code, error.field], ['invalid_request', 'intentId']);
          assert.match(error.message, /requestInput\(intent\.id, \{.*call ask\('Refund order/);
          return true;
        });
        assert.deepEqual(server.seen, []);
      }));
  }
});
