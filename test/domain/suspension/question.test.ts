import assert from 'node:assert/strict';
import { defined } from '../../../contracts/constants/defined.js';
import {
  suspendRequestSchema,
  type SuspendRequest,
} from '../../../contracts/suspension/requests.js';
import type { PartialRetryPolicy } from '../../../contracts/suspension/retry-policy.js';
import type { SuspensionDraft } from '../../../contracts/suspension/suspension.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { channelWarnings } from '../../../domain/suspension/asking/configured-question.js';
import { resolveQuestion } from '../../../domain/suspension/asking/question.js';
import { granted, refused, requestWith } from '../samples.js';

const LIMITS = { contextBytes: 64 * 1024, windowSeconds: 3_155_760_000 };

function draftOf(fields: Partial<SuspendRequest>): SuspensionDraft {
  return granted(resolveQuestion(requestWith(fields), null, LIMITS)).draft;
}

function refusalOf(fields: Partial<SuspendRequest>): ReturnType<typeof refused> {
  return refused(resolveQuestion(requestWith(fields), null, LIMITS));
}

const YES = { value: 'yes', label: 'Ship it', style: 'danger' as const };
const NO = { value: 'no', label: 'Wait' };

describe('the choices of a question', () => {
  it('are demanded by a choice question [R25-22, R25-32]', () => {
    for (const choices of [undefined, []]) {
      const { choices: _, ...rest } = requestWith();
      const request = choices === undefined ? rest : { ...rest, choices };
      const refusal = refused(resolveQuestion(request, null, LIMITS));
      assert.equal(refusal.code, 'invalid_choices');
      assert.equal(refusal.field, 'choices');
    }
  });

  it('come with both bodies that would be taken, where nothing is said of them', () => {
    const { choices: _, ...rest } = requestWith();
    const { accepted = '' } = refused(resolveQuestion(rest, null, LIMITS));
    const bodies = [...accepted.matchAll(/\{"question".*?\}/g)].map(([body]) => body);
    assert.equal(bodies.length, 2);
    for (const body of bodies) {
      const request = suspendRequestSchema.parse(JSON.parse(body));
      assert.ok(resolveQuestion(request, null, LIMITS).ok, body);
    }
    const { accepted: ofEmpty } = refusalOf({ choices: [] });
    assert.equal(ofEmpty, 'at least one choice');
  });

  it('may be sent as texts, which are their values and labels', () => {
    const sent = { question: 'Go?', choices: ['refund', { value: 'keep', label: 'Keep it' }] };
    const { choices } = suspendRequestSchema.parse(sent);
    assert.deepEqual(draftOf(defined({ choices })).choices, [
      { value: 'refund', label: 'refund' },
      { value: 'keep', label: 'Keep it' },
    ]);
    const twice = suspendRequestSchema.parse({ question: 'Go?', choices: ['a', 'a'] });
    assert.equal(refusalOf(defined({ choices: twice.choices })).field, 'choices[1].value');
  });

  it('are kept as given, without a style added [R25-27, R25-28, R25-29, R25-30, R25-31, R25-38]', () => {
    const choices: SuspendRequest['choices'] = [
      {
        value: 'approve',
        label: 'Approve refund',
        description: 'Issue full refund to original payment method',
        style: 'primary',
        metadata: { ticket: 7 },
      },
      { value: 'deny', label: 'Deny refund', style: 'default' },
      { value: 'escalate', label: 'Escalate' },
    ];
    assert.deepEqual(draftOf({ choices }).choices, choices);
  });

  it('default to yes and no for confirm, written out [R25-23, R25-33]', () => {
    const expected = [
      { value: 'yes', label: 'Yes' },
      { value: 'no', label: 'No' },
    ];
    assert.deepEqual(draftOf({ response_type: 'confirm', choices: [] }).choices, expected);
    const { choices: _, ...rest } = requestWith({ response_type: 'confirm' });
    assert.deepEqual(granted(resolveQuestion(rest, null, LIMITS)).draft.choices, expected);
  });

  it('may dress a confirm question yes and no [AM-12, R25-23]', () => {
    assert.deepEqual(draftOf({ response_type: 'confirm', choices: [NO, YES] }).choices, [NO, YES]);
  });

  it('of a confirm question are nothing but yes and no [AM-12]', () => {
    for (const value of ['maybe', 'Yes', 'y']) {
      const other = { value, label: 'Other' };
      const second = refusalOf({ response_type: 'confirm', choices: [YES, other] });
      assert.deepEqual([second.code, second.field], ['invalid_choices', 'choices[1].value']);
      assert.equal(second.accepted, '"yes" or "no"');
      const first = refusalOf({ response_type: 'confirm', choices: [other, NO] });
      assert.deepEqual([first.code, first.field], ['invalid_choices', 'choices[0].value']);
    }
  });

  it('have different values', () => {
    for (const response_type of ['choice', 'confirm'] as const) {
      const refusal = refusalOf({ response_type, choices: [YES, NO, { ...YES, label: 'Again' }] });
      assert.equal(refusal.code, 'invalid_choices');
      assert.equal(refusal.field, 'choices[2].value');
      assert.equal(refusal.accepted, 'a new value');
    }
  });

  it('do not belong to text and form [R25-24, R25-25]', () => {
    for (const response_type of ['text', 'form'] as const) {
      const { code, field } = refusalOf({ response_type, choices: [YES] });
      assert.deepEqual([code, field], ['invalid_choices', 'choices']);
      const context = { fields: [{ name: 'sum' }] };
      assert.equal('choices' in draftOf({ response_type, choices: [], context }), false);
    }
  });
});

describe('the context of a question', () => {
  it('is kept without its reserved keys [AM-30, R25-39]', () => {
    const context = { order_id: '12345', amount: 499.99, _attempt: 9, _max_attempts: 9 };
    assert.deepEqual(draftOf({ context }).context, { order_id: '12345', amount: 499.99 });
  });

  it('says which of them were left out', () => {
    const context = { _attempt: 9, _note: 'mind' };
    const asked = resolveQuestion(requestWith({ context }), null, LIMITS);
    const { draft, findings } = granted(asked);
    const warnings = findings.warnings ?? [];
    assert.deepEqual(draft.context, { _note: 'mind' });
    assert.match(warnings.join('\n'), /The entry _attempt of the context is left out/);
    assert.doesNotMatch(warnings.join('\n'), /_max_attempts/);
  });

  it('keeps its fields convention without enforcing it [AM-13]', () => {
    const context = { fields: [{ name: 'sum', label: 'Sum', type: 'number', required: true }] };
    const draft = draftOf({ response_type: 'form', choices: [], context });
    assert.deepEqual(draft.context, context);
  });

  it('is refused from one byte over the limit', () => {
    const empty = jsonBytes({ note: '' });
    const noteOf = (bytes: number): string => `ü${'x'.repeat(bytes - empty - 2)}`;
    const fits = { note: noteOf(LIMITS.contextBytes) };
    assert.equal(jsonBytes(fits), LIMITS.contextBytes);
    assert.deepEqual(draftOf({ context: fits }).context, fits);
    const refusal = refusalOf({ context: { note: `${fits.note}.` } });
    assert.equal(refusal.code, 'invalid_request');
    assert.equal(refusal.field, 'context');
  });
});

describe('the fields of a question', () => {
  it('keep a fallback value of any JSON type [R25-45]', () => {
    for (const fallback_value of [false, 0, '', null, [], { a: 1 }]) {
      const draft = draftOf({ fallback_value });
      assert.equal('fallback_value' in draft, true);
      assert.deepEqual(draft.fallback_value, fallback_value);
    }
    assert.equal('fallback_value' in draftOf({}), false);
  });

  it('record confidence and decision under their own names [R25-48, R25-49, AM-09]', () => {
    const decision = {
      mode: 'require_input' as const,
      should_ask: true,
      may_act: false,
      rationale: 'A person must decide.',
      signals: { confidence: 0.55, risk: 0.6, reversibility: 0.8, context: {} },
    };
    const draft = draftOf({ confidence: 0, decision });
    assert.equal(draft.confidence_at_suspension, 0);
    assert.deepEqual(draft.decision_record, decision);
    assert.equal('confidence' in draft || 'decision' in draft, false);
  });

  it('hold nothing that was not given [R25-47, R25-52, R25-37, R25-36]', () => {
    assert.deepEqual(draftOf({}), {
      question: 'Refund order 12345?',
      response_type: 'choice',
      choices: [{ value: 'approve', label: 'Approve refund' }],
      fallback_policy: 'fail',
    });
  });

  it('name any channel [R25-40]', () => {
    assert.equal(draftOf({ channel_hint: 'carrier-pigeon' }).channel_hint, 'carrier-pigeon');
  });

  it('store the policy of the cascade beside its alias [R26-72, R25-46]', () => {
    const platform = { max_attempts: 3, interval_seconds: 3600 };
    const request = requestWith({
      timeout_seconds: 1800,
      agent_retry_policy: { max_attempts: 2 },
      fallback_policy: 'use_default_and_continue',
    });
    const { draft } = granted(resolveQuestion(request, platform, LIMITS));
    assert.equal(draft.timeout_seconds, 1800);
    assert.equal(draft.fallback_policy, 'use_default_and_continue');
    assert.deepEqual(draft.retry_policy, {
      max_attempts: 2,
      interval_seconds: 1800,
      strategy: 'fixed',
      escalation_ladder: [],
      final_fallback_policy: 'use_default_and_continue',
    });
  });

  it('hand on the warnings and refusals of the cascade [AM-27, AM-20]', () => {
    const escalation_ladder = [{ attempt: 2, channel_hint: 'email' }];
    const request = requestWith({ retry_policy: { escalation_ladder } });
    assert.equal(granted(resolveQuestion(request, null, LIMITS)).findings.warnings?.length, 1);
    assert.equal(refusalOf({ retry_policy: { max_attempts: 2 } }).code, 'invalid_retry_policy');
  });

  it('bound the window over all attempts together', () => {
    const years = LIMITS.windowSeconds / 2;
    const policyFor = (max_attempts: number): Partial<SuspendRequest> => ({
      retry_policy: { max_attempts, interval_seconds: years },
    });
    assert.equal(draftOf(policyFor(2)).retry_policy?.max_attempts, 2);
    const timeout_seconds = LIMITS.windowSeconds;
    assert.equal(draftOf({ timeout_seconds }).timeout_seconds, timeout_seconds);
    const refusal = refusalOf(policyFor(3));
    assert.equal(refusal.code, 'invalid_retry_policy');
    assert.equal(refusal.field, 'retry_policy.max_attempts');
  });

  it('have no bound on the window where none is set', () => {
    const { contextBytes } = LIMITS;
    const retry_policy = { max_attempts: 9, interval_seconds: LIMITS.windowSeconds };
    const { draft } = granted(
      resolveQuestion(requestWith({ retry_policy }), null, { contextBytes }),
    );
    assert.equal(draft.retry_policy?.max_attempts, 9);
  });
});

describe('the size of a question', () => {
  const most = 500;
  const sized = (fields: Partial<SuspendRequest>, platform: PartialRetryPolicy | null = null) =>
    resolveQuestion(requestWith(fields), platform, { ...LIMITS, questionBytes: most });

  it('counts everything that is carried', () => {
    const spare = most - jsonBytes(draftOf({ fallback_value: '' }));
    const fits = { fallback_value: 'x'.repeat(spare) };
    assert.equal(jsonBytes(granted(sized(fits)).draft), most);
    const refusal = refused(sized({ fallback_value: 'x'.repeat(spare + 1) }));
    assert.deepEqual([refusal.code, refusal.field], ['question_too_large', undefined]);
    assert.match(refusal.accepted ?? '', /^at most 500 bytes of JSON/);
  });

  it('counts the policy of the platform', () => {
    const entry = { attempt: 2, channel_hint: 'x'.repeat(most) };
    const platform = { interval_seconds: 60, max_attempts: 2, escalation_ladder: [entry] };
    assert.equal(refused(sized({}, platform)).code, 'question_too_large');
  });

  it('has a bound on the entries of one attempt', () => {
    const limits = { ...LIMITS, ladderEntriesPerAttempt: 2 };
    const ladderOf = (...attempts: number[]) => ({
      retry_policy: {
        max_attempts: 3,
        interval_seconds: 60,
        escalation_ladder: attempts.map((attempt) => ({ attempt, channel_hint: 'email' })),
      },
    });
    granted(resolveQuestion(requestWith(ladderOf(2, 3, 2, 3)), null, limits));
    const refusal = refused(resolveQuestion(requestWith(ladderOf(2, 3, 2, 2)), null, limits));
    assert.deepEqual(
      [refusal.code, refusal.field, refusal.accepted],
      [
        'invalid_retry_policy',
        'retry_policy.escalation_ladder',
        'at most 2 entries for one attempt',
      ],
    );
  });
});

describe('a warning for a channel that is not configured', () => {
  const CONFIGURED = ['email', 'slack'];
  const ladderOf = (...channels: string[]) => ({
    retry_policy: {
      max_attempts: 2,
      interval_seconds: 60,
      escalation_ladder: channels.map((channel_hint) => ({ attempt: 2, channel_hint })),
    },
  });
  const warned = (fields: Partial<SuspendRequest>) => channelWarnings(draftOf(fields), CONFIGURED);

  it('names the channel and those that are configured', () => {
    assert.deepEqual(warned({ channel_hint: 'pager' }), [
      'The channel pager is not configured, so it notifies nobody; configured: email, slack.',
    ]);
  });

  it('comes once for each, of the question and of its ladder', () => {
    const fields = { channel_hint: 'pager', ...ladderOf('sms', 'email', 'pager', '') };
    assert.deepEqual(
      warned(fields).map((text) => /channel (\w+) /.exec(text)?.[1]),
      ['pager', 'sms'],
    );
  });

  it('does not come where all are configured, or none is named', () => {
    for (const fields of [{}, { channel_hint: 'slack' }, ladderOf('email', '')]) {
      assert.deepEqual(warned(fields), []);
    }
  });
});

describe('the form of a request to suspend', () => {
  const BASE = { question: 'Go?', choices: [{ value: 'a', label: 'A' }] };
  const REFUSED: readonly [string, object][] = [
    ['an unknown response type [R25-20, R25-21]', { response_type: 'number' }],
    ['no question [R25-36]', { question: undefined }],
    ['a timeout of zero [R25-53]', { timeout_seconds: 0 }],
    ['a negative timeout [R25-53]', { timeout_seconds: -1 }],
    ['a fraction of a second [R25-53, R25-42]', { timeout_seconds: 1.5 }],
    ['an unknown fallback policy [R25-55]', { fallback_policy: 'retry' }],
    ['a confidence over one [R25-48, R25-70]', { confidence: 1.01 }],
    ['a choice without value [R25-27]', { choices: [{ label: 'A' }] }],
    ['a choice without label [R25-28]', { choices: [{ value: 'a' }] }],
    ['an unknown style [R25-30]', { choices: [{ value: 'a', label: 'A', style: 'loud' }] }],
    ['an unknown strategy [R26-37]', { retry_policy: { strategy: 'exponential' } }],
    ['zero attempts [R26-39]', { retry_policy: { max_attempts: 0 } }],
    ['half an attempt [R26-39]', { retry_policy: { max_attempts: 1.5 } }],
    ['an interval of zero [R26-39]', { agent_retry_policy: { interval_seconds: 0 } }],
    [
      'a ladder entry before the first attempt [AM-27]',
      { retry_policy: { escalation_ladder: [{ attempt: 0, channel_hint: 'email' }] } },
    ],
    [
      'a ladder entry without channel [R26-40]',
      { retry_policy: { escalation_ladder: [{ attempt: 2 }] } },
    ],
    ['an unknown final fallback [R26-41]', { retry_policy: { final_fallback_policy: 'stop' } }],
  ];
  for (const [title, fields] of REFUSED) {
    it(`refuses ${title}`, () => {
      assert.equal(suspendRequestSchema.safeParse(BASE).success, true);
      assert.equal(suspendRequestSchema.safeParse({ ...BASE, ...fields }).success, false);
    });
  }

  it('takes choice for the response type left out [R25-37]', () => {
    assert.equal(suspendRequestSchema.parse(BASE).response_type, 'choice');
  });

  it('takes a ladder entry without notify_to [R26-40]', () => {
    const entry = { attempt: 2, channel_hint: 'email' };
    const retry_policy = { escalation_ladder: [entry, { ...entry, notify_to: null }] };
    assert.equal(suspendRequestSchema.safeParse({ ...BASE, retry_policy }).success, true);
  });
});

describe('the schema of an answer', () => {
  it('becomes part of the question [JC-15]', () => {
    const response_schema = { type: 'object' };
    assert.deepEqual(draftOf({ response_schema }).response_schema, response_schema);
    assert.ok(!('response_schema' in draftOf({})));
  });

  it('is refused where the question is asked, with the place in it [JC-15]', () => {
    const { code, field } = refusalOf({ response_schema: { items: { pattern: '^(a+)+$' } } });
    assert.deepEqual([code, field], ['invalid_response_schema', 'response_schema.items.pattern']);
  });

  it('is refused where several decide, for the data of the last would bind the others', () => {
    const response_schema = { type: 'object' };
    const decision_rule = { quorum: 2 };
    const { code, field } = refusalOf({ response_schema, decision_rule });
    assert.deepEqual([code, field], ['invalid_response_schema', 'response_schema']);
    assert.ok(draftOf({ response_schema, decision_rule: { quorum: 1 } }).response_schema);
  });
});
