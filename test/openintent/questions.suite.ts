import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { JsonValue } from '../../contracts/kernel/primitives.js';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import { SdkStack } from './sdk-stack.js';

describe('a question of the real OpenIntent SDK that is not as it should be', () => {
  let sdk: SdkStack;
  before(async function () {
    this.timeout(600_000);
    sdk = await SdkStack.start();
  });
  after(() => sdk.close());

  const of = (...labels: readonly string[]) =>
    labels.map((label, index) => ({ value: ['yes', 'no'][index], label }));
  const ending = { timeout_seconds: 600, fallback_policy: 'complete_with_fallback' };
  const MARKED: readonly (readonly [type: string, question: object, value: JsonValue, RegExp])[] = [
    ['confirm', { choices: of('No', 'Yes') }, 'yes', /says the opposite/],
    ['choice', { choices: of('Go', 'G\u043e') }, 'yes', /look the same/],
    ['choice', { choices: of('\u2800') }, 'yes', /is blank/],
    ['text', { question: '\u200b' }, 'because', /The question is blank/],
    ['form', {}, { amount: 12 }, /does not say what is asked/],
    ['confirm', { ...ending, fallback_value: 'maybe' }, 'no', /No person could answer/],
    ['confirm', { fallback_value: 'no' }, 'no', /never used: the fallback policy is fail/],
    ['confirm', { ...ending, timeout_seconds: null, fallback_value: 'no' }, 'no', /only an answer/],
  ];
  for (const [response_type, question, value, expected] of MARKED) {
    it(`asks what other doors refuse or warn of, marked: ${expected.source}`, async () => {
      const { agent, intent_id, suspension_id: id } = await sdk.ask({ ...question, response_type });
      const { warnings = [] } = (await sdk.call(`/v1/suspensions/${id}`)) as SuspensionView;
      assert.match(warnings.join(' '), expected);
      await sdk.answer(intent_id, id, value);
      assert.deepEqual(await agent.last(), { step: 'returned', value });
    });
  }

  it('asks without what its record claims of an end, also over the record of the last end', async () => {
    const intent_id = await sdk.create();
    const claims = { resolution: 'responded', response: 'no', votes: [], settled_by: 'clock' };
    for (const value of ['because', 'why not']) {
      const id = randomUUID();
      const record = { id, question: 'Why?', response_type: 'text', fallback_policy: 'fail' };
      const agent = sdk.run('write_record', { intent_id, record: { ...record, ...claims } });
      assert.deepEqual(await agent.last(), { step: 'written', record });
      await sdk.answer(intent_id, id, value);
      const { settled_by, response } = await sdk.recordOf(intent_id);
      assert.deepEqual([settled_by, response], ['operator', value]);
    }
  });

  const choice = { value: 'a', label: 'A' };
  const REFUSED: readonly (readonly [what: string, question: object])[] = [
    ['no text', { question: '' }],
    ['a fraction of a second', { timeout_seconds: 1.5 }],
    ['an unknown type', { response_type: 'poll' }],
    ['too many choices', { response_type: 'choice', choices: Array(101).fill(choice) }],
    ['an unknown policy', { fallback_policy: 'shrug' }],
    ['a number that is not kept', { context: { of_digits: '9007199254740993' } }],
  ];
  for (const [what, question] of REFUSED) {
    it(`is not left suspended after a question that is refused: ${what}`, async () => {
      const intent_id = await sdk.create();
      const asked = { question: 'Refund?', response_type: 'text', ...question };
      const { step } = await sdk.run('ask', { intent_id, question: asked }).last();
      assert.equal(step, 'raised');
      const { status, state } = await sdk.read(intent_id);
      assert.deepEqual([status, state['_suspension']], ['active', undefined]);
    });
  }
});
