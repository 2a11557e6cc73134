import fc from 'fast-check';
import assert from 'node:assert/strict';
import { maskPersonalData, redact } from '../../../domain/suspension/telling/redaction.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { requestWith } from './notification-samples.js';

const CONTEXT = {
  amount: 120,
  email: 'ada@example.com',
  customer: { Name: 'Ada', since: 2020, address: { city: 'London' } },
  contacts: [{ name: 'Bob', role: 'owner' }],
};
const RULES = {
  context_keys: ['amount', 'customer', 'contacts'],
  personal_data_keys: ['name', 'ADDRESS', 'email'],
  e2e_encrypted: false,
};
const REMAINING = {
  amount: 120,
  customer: { Name: '•••', since: 2020, address: '•••' },
  contacts: [{ name: '•••', role: 'owner' }],
};

function contextSent(rules: Partial<typeof RULES>, attempt = 1): JsonObject {
  const sent = redact(requestWith({ attempt, context: CONTEXT }), { ...RULES, ...rules });
  const { _attempt, _max_attempts, ...context } = sent.context;
  return context;
}

describe('personal data', () => {
  it('is masked at any depth, in lists and in any case [R25-101]', () => {
    assert.deepEqual(contextSent({}), REMAINING);
  });

  it('is masked where it is a listed entry itself [R25-101]', () => {
    assert.deepEqual(contextSent({ context_keys: ['email'] }), { email: '•••' });
  });

  it('leaves whole over an encrypted channel, at first only [R26-87]', () => {
    assert.deepEqual(contextSent({ e2e_encrypted: true }), CONTEXT);
    assert.deepEqual(contextSent({ e2e_encrypted: true }, 2), REMAINING);
  });

  for (const value of [null, 7, true, '', ['Ada'], { first: 'Ada' }]) {
    it(`tells nothing of what it was: ${JSON.stringify(value)}`, () => {
      assert.deepEqual(maskPersonalData({ name: value }, ['name']), { name: '•••' });
    });
  }

  it('is not looked for in other names or in values', () => {
    const context = { filename: 'a.txt', note: 'name', names: ['Ada'] };
    assert.deepEqual(maskPersonalData(context, ['name']), context);
  });

  it('does not take the attempt numbers for it [AM-30]', () => {
    const rules = { ...RULES, personal_data_keys: ['_attempt', '_max_attempts'] };
    const { context } = redact(requestWith({ attempt: 2 }), rules);
    assert.deepEqual(context, { _attempt: 2, _max_attempts: 3 });
  });

  it('is nowhere in what leaves, and all else is [R25-101]', () => {
    const personal = fc.uuid().map((id) => `personal-${id}`);
    const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.integer(),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc
          .tuple(fc.dictionary(fc.string(), tie('tree'), { maxKeys: 3 }), personal)
          .map(([others, value]) => ({ ...others, phone: value })),
      ),
    }));
    const withoutPhones = (value: JsonValue): unknown =>
      JSON.parse(
        JSON.stringify(value, (key, inner: unknown) => (key === 'phone' ? undefined : inner)),
      );
    fc.assert(
      fc.property(tree, (value) => {
        const masked = maskPersonalData({ value }, ['Phone']);

        assert.ok(!JSON.stringify(masked).includes('personal-'));
        assert.deepEqual(withoutPhones(masked), withoutPhones({ value }));
      }),
    );
  });

  it('leaves the request as it was', () => {
    const before = structuredClone(CONTEXT);
    contextSent({});
    assert.deepEqual(CONTEXT, before);
  });
});
