import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { openedIn } from '../support/questions.js';
import { ASK, TICKET, asAgent, settled, waiting } from './support.js';

const CHOICES = ['approve', 'hold', 'reject'].map((value) => ({ value, label: value }));
const YES_OR_NO = ['yes', 'no'].map((value) => ({ value, label: value }));

describe('what a model is told of a no', () => {
  for (const [choices, denials, response, isDenied, next] of [
    [CHOICES, undefined, 'reject', true, /do not go on/],
    [CHOICES, undefined, 'approve', null, /Nothing says whether the answer is a yes/],
    [CHOICES, undefined, 'hold', null, /Nothing says whether the answer is a yes/],
    [CHOICES, ['hold', 'reject'], 'hold', true, /do not go on/],
    [CHOICES, ['hold', 'reject'], 'approve', false, /go on with it/],
    [CHOICES, ['hold'], 'reject', null, /Nothing says whether the answer is a yes/],
    [CHOICES, [], 'reject', false, /go on with it/],
    [YES_OR_NO, ['yes'], 'no', null, /Nothing says whether the answer is a yes/],
    [YES_OR_NO, undefined, 'no', true, /do not go on/],
  ] as const) {
    it(`says ${isDenied} of ${response} where ${denials === undefined ? 'nothing' : JSON.stringify(denials)} denies, and what to do`, () => {
      const view = settled({
        response_type: 'choice',
        choices: [...choices],
        ...(denials && { denials: [...denials] }),
        resolution: 'responded',
        response,
      });
      return asAgent(waiting(view), async (client) => {
        const { output } = await client.call('get_human_answer', TICKET);
        assert.equal(output['is_denial'], isDenied);
        assert.match(String(output['next']), next);
        assert.doesNotMatch(String(output['next']), isDenied === false ? /not/ : /^.*a go/);
      });
    });
  }

  for (const [fallback_value, isDenied, next] of [
    ['no', true, /The fallback says no: do not go on/],
    ['yes', false, /The fallback is a go/],
    ['maybe', null, /Nothing says whether the fallback is a yes/],
  ] as const) {
    it(`says what to do after the fallback ${fallback_value}`, () => {
      const view = settled({
        resolution: 'expired',
        settled_by: 'clock',
        fallback_policy: 'use_default_and_continue',
        fallback_value,
      });
      return asAgent(waiting(view), async (client) => {
        const { output } = await client.call('get_human_answer', TICKET);
        assert.equal(output['is_denial'], isDenied);
        assert.match(String(output['next']), next);
      });
    });
  }

  it('takes denials, and null as no fallback', () =>
    asAgent({}, async (client, rig) => {
      const denials = ['stop'];
      const choices = [{ value: 'go' }, { value: 'stop' }];
      await client.call('ask_human', { ...ASK, choices, denials, fallback_value: null });
      const { record } = openedIn(rig);
      assert.deepEqual(record.denials, denials);
      assert.equal(record.fallback_policy, 'fail');
      assert.equal('fallback_value' in record, false);
    }));
});
