import fc from 'fast-check';
import assert from 'node:assert/strict';
import { wordQuestion } from '../../../domain/suspension/telling/notice.js';
import { redact } from '../../../domain/suspension/telling/redaction.js';
import type { ProposalToShow } from '../../../contracts/channel/notification.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { shortened } from '../../../domain/kernel/text.js';
import { SUSPENSION_ID, requestWith } from './notification-samples.js';

const RULES = { context_keys: [], personal_data_keys: [], e2e_encrypted: false };
const CONTEXT = { amount: 120, card: '4111-secret', customer: { name: 'Ada' } };

const SOME = ['amount', 'customer', 'absent'];
const RELEASED = { amount: 120, customer: { name: 'Ada' } };
const AMOUNT = { amount: 120 };
const OWN = { _attempt: 99, _max_attempts: 99 };

/** What leaves of a context at an attempt over a channel: what is released, and how many entries are withheld. */
const ROWS: readonly (readonly [
  title: string,
  attempt: number,
  e2e_encrypted: boolean,
  context_keys: readonly string[],
  context: JsonObject | undefined,
  released: JsonObject,
  withheld: number,
])[] = [
  ['withholds every entry where no key is listed [R25-101]', 1, false, [], CONTEXT, {}, 3],
  ['releases listed keys with their whole value [R25-101]', 1, false, SOME, CONTEXT, RELEASED, 1],
  ['releases no nested entry by its own name [R25-101]', 1, false, ['name'], CONTEXT, {}, 3],
  ['sends all over an encrypted channel at first [R25-101]', 1, true, [], CONTEXT, CONTEXT, 0],
  [
    'exempts no re-notification for encryption [R26-87, AM-44]',
    2,
    true,
    ['amount'],
    CONTEXT,
    AMOUNT,
    2,
  ],
  ['holds the strict rule on the last attempt [R26-87]', 3, true, [], CONTEXT, {}, 3],
  ['adds the attempt numbers without any context [R26-61]', 2, false, [], undefined, {}, 0],
  ['replaces entries under the reserved names [AM-30]', 1, true, Object.keys(OWN), OWN, {}, 0],
];

describe('redaction', () => {
  for (const [title, attempt, e2e_encrypted, context_keys, context, released, withheld] of ROWS) {
    it(title, () => {
      const request = requestWith({ attempt, ...(context && { context }) });
      const message = redact(request, { personal_data_keys: [], context_keys, e2e_encrypted });
      assert.deepEqual(message.context, { ...released, _attempt: attempt, _max_attempts: 3 });
      assert.equal(message.withheld, withheld);
    });
  }

  it('counts no fields as left out that are the form to fill in, unless they leave as they are', () => {
    const context = { fields: [{ name: 'amount', type: 'number' }], note: 1 };
    const sent = (fields_are_form: boolean, context_keys: readonly string[]) => {
      const form = fields_are_form ? ({ fields_are_form } as const) : {};
      const message = redact(requestWith({ context, ...form }), { ...RULES, context_keys });
      assert.ok(!Object.hasOwn(message, 'fields_are_form'));
      return message.withheld;
    };
    assert.equal(sent(true, []), 1);
    assert.equal(sent(true, ['fields']), 1);
    assert.equal(sent(true, ['note']), 0);
    assert.equal(sent(false, []), 2);
  });

  it('lets no unlisted value out, wherever it sits [R25-101] [R26-87]', () => {
    // A marker no key, listed value or fixed field can hold.
    const secret = fc.uuid().map((id) => `secret-${id}`);
    const value = fc.oneof(
      secret,
      fc.array(secret, { minLength: 1 }),
      fc.dictionary(fc.string(), secret, { minKeys: 1 }),
    );
    const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '_attempt'));
    const contexts = fc.array(fc.tuple(key, value), { minLength: 1 });
    const listed = fc.dictionary(fc.string(), fc.integer());
    fc.assert(
      fc.property(
        contexts,
        listed,
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        (hidden, open, attempt, encrypted) => {
          const keys = Object.keys(open);
          const unlisted = hidden.filter(([name]) => !keys.includes(name));
          const context = Object.fromEntries([...unlisted, ...Object.entries(open)]);
          const e2e_encrypted = encrypted && attempt > 1;

          const message = redact(requestWith({ attempt, context }), {
            context_keys: keys,
            personal_data_keys: [],
            e2e_encrypted,
          });

          assert.ok(!JSON.stringify(message).includes('secret-'));
          const names = new Set(unlisted.map(([name]) => name));
          names.delete('_attempt');
          assert.equal(message.withheld, names.size);
        },
      ),
    );
  });

  it('lets the hash of what an approval is about out, and no other', () => {
    const hash = '0f'.repeat(32);
    const approval = { proposal_hash: hash };
    const sent = (proposal_hash: JsonValue) =>
      redact(requestWith({ context: { proposal_hash }, approval }), RULES).context['proposal_hash'];
    for (const written of [hash, 'f0'.repeat(32), hash.toUpperCase(), 'card 4111', { hash }]) {
      assert.equal(sent(written), hash);
    }
  });

  it('shows of an edited proposal its call as it is now, and no risk of before', () => {
    const call = (amount: number) => ({ id: 'c1', tool: 'wire', arguments: { amount } });
    const context = {
      proposal_hash: '0f'.repeat(32),
      tool_call: call(500),
      risk_class: 'low',
      visible_context: { why: 'due' },
    };
    const context_keys = ['tool_call', 'risk_class', 'visible_context'];
    const sent = (approval: ProposalToShow, given: JsonObject = context) => {
      const { context: shown, withheld } = redact(requestWith({ context: given, approval }), {
        ...RULES,
        context_keys,
      });
      const { _attempt, _max_attempts, ...own } = shown;
      return { own, withheld };
    };
    const proposal_hash = 'f0'.repeat(32);
    const { visible_context } = context;
    const whole = { calls: [call(50)], visible_context };
    const edited = { proposal_hash, tool_call: call(50), visible_context };
    assert.deepEqual(sent({ proposal_hash, whole }), { own: edited, withheld: 1 });
    const unknown = { own: { proposal_hash, visible_context }, withheld: 2 };
    assert.deepEqual(sent({ proposal_hash }), unknown);
    const two = { ...whole, calls: [call(50), call(60)] };
    assert.deepEqual(sent({ proposal_hash, whole: two }), unknown);
    const { tool_call: _none, ...several } = context;
    assert.deepEqual(sent({ proposal_hash, whole }, several).own, {
      proposal_hash,
      visible_context,
    });
    const as = { proposal_hash: context.proposal_hash, whole };
    assert.deepEqual(sent(as), { own: context, withheld: 0 });
  });

  it('lets no hash out of an ordinary question, which its agent wrote', () => {
    const { context, withheld } = redact(
      requestWith({ context: { proposal_hash: '0f'.repeat(32) } }),
      RULES,
    );
    assert.deepEqual(context, { _attempt: 1, _max_attempts: 3 });
    assert.equal(withheld, 1);
  });

  it('leaves the request and its context as they were [AM-30]', () => {
    const request = requestWith({ context: CONTEXT });
    const before = structuredClone(request);

    redact(request, { ...RULES, context_keys: ['amount'] });

    assert.deepEqual(request, before);
  });

  it('keeps the metadata of choices inside', () => {
    const message = redact(requestWith(), { ...RULES, e2e_encrypted: true });

    assert.deepEqual(message.choices, [
      { value: 'approve', label: 'Approve the refund' },
      { value: 'deny', label: 'Deny it' },
    ]);
  });

  it('carries the channel and recipient in force [R26-62]', () => {
    const request = requestWith({ attempt: 2, channel_hint: 'email', notify_to: 'lead' });

    const message = redact(request, RULES);

    assert.equal(message.channel_hint, 'email');
    assert.equal(message.notify_to, 'lead');
  });

  it('shortens an id to its first eight characters [R25-100]', () => {
    assert.equal(shortened(SUSPENSION_ID), '5f0c8a52…');
  });
});

describe('wording of a question', () => {
  const rows: [attempt: number, max: number, text: string][] = [
    [1, 1, 'Input needed: Go?'],
    [1, 3, 'Input needed: Go?'],
    [2, 3, 'Reminder (2): Go?'],
    [2, 2, 'URGENT — final reminder: Go?'],
    [3, 3, 'URGENT — final reminder: Go?'],
  ];
  for (const [attempt, max, text] of rows) {
    it(`words attempt ${attempt} of ${max} [R26-63]`, () => {
      assert.equal(wordQuestion('Go?', attempt, max), text);
    });
  }

  it('keeps the version that an answer has to name', () => {
    assert.equal(redact({ ...requestWith({}), question_version: 2 }, RULES).question_version, 2);
    assert.equal('question_version' in redact(requestWith({}), RULES), false);
  });
});
