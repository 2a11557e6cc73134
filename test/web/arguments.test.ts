import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Question } from '../../web/src/api/types.js';
import { answerOf } from '../../web/src/state/answering/edits.js';
import { argumentsIn } from '../../web/src/form/read.js';
import { pretty } from '../../web/src/state/list/visible.js';
import { VIEW } from '../api/support/records.js';
import { partWith } from '../domain/approval/wires.js';

const approval = partWith();
const [call] = approval.proposal.calls;
const QUESTION = {
  ...VIEW,
  record: { ...VIEW.record, response_type: 'choice', approval },
} as unknown as Question;

/** The edits that are sent for a text in the editor; undefined if nothing can be sent. */
function editsOf(text: string) {
  const draft = { value: 'approved', edits: { [call?.id ?? '']: text } };
  const answer = answerOf(QUESTION, draft);
  return answer && (answer.edits ?? []);
}

describe('edited arguments', () => {
  it('are sent with the numbers that were typed', () => {
    const text = '{"amount": 0.30000000000000004, "fee": 1.50, "id": 9007199254740992}';
    const edited = { amount: 0.30000000000000004, fee: 1.5, id: 9007199254740992 };
    assert.deepEqual(editsOf(text), [{ call_id: call?.id, arguments: edited }]);
    assert.deepEqual(argumentsIn(text), { value: edited });
  });

  it('are not sent where a number or a name would be lost, and say which', () => {
    for (const [text, fault] of [
      ['{"to":{"account":9007199254740993}}', /^to\.account .*send it as text/],
      ['{"amount":1e-400}', /^amount .*send it as text/],
      ['{"amount":1234567890.123456789}', /^amount .*send it as text/],
      ['{"amount":1,"\\u0061mount":2}', /^amount stands twice/],
    ] as const) {
      assert.match(argumentsIn(text).fault ?? '', fault);
      assert.equal(editsOf(text), undefined, text);
    }
  });

  it('are no change where the same numbers are written otherwise', () => {
    const shown = pretty(call?.arguments);
    assert.deepEqual(editsOf(shown), []);
    const written = shown.replace(/: (\d+)(?=[,\n])/g, ': $1.0');
    assert.notEqual(written, shown);
    assert.deepEqual(editsOf(written), []);
  });
});
