import assert from 'node:assert/strict';
import { describeIntent, newIntent } from '../../../domain/intent/entity.js';
import { INTENT_ID, OPENED_AT } from '../samples.js';

const INTENT = newIntent(
  { title: 'Refund', status: 'active', state: {}, constraints: {} },
  { id: INTENT_ID, created_by: 'agent-1', owner: 'agent-1', created_at: OPENED_AT },
);

describe('the details of an intent', () => {
  it('tell title, status, version and creator', () => {
    assert.equal(
      describeIntent(INTENT),
      '**Refund**\n\n- Status: `active`, version 1\n- Created by agent-1',
    );
  });

  it('tell that it waits for an answer', () => {
    assert.equal(
      describeIntent({ ...INTENT, status: 'suspended_awaiting_input' }),
      '**Refund**\n\n- Status: `suspended_awaiting_input`, version 1\n' +
        '- Waits for the answer to its question\n- Created by agent-1',
    );
  });

  it('name the question that it waits for', () => {
    const state = { _suspension: { id: 'question_7' } };
    const text = describeIntent({ ...INTENT, state, status: 'suspended_awaiting_input' });
    assert.match(text, /^- Waits for the answer to question question\\_7$/m);
  });

  it('tell why it was abandoned', () => {
    const text = describeIntent({
      ...INTENT,
      status: 'abandoned',
      abandonment_reason: 'suspension_expired',
    });
    assert.match(text, /Abandoned: suspension\\_expired/);
  });

  it('take Markdown in a title literally', () => {
    const text = describeIntent({ ...INTENT, title: '*bold* [link] `code` <b>' });
    assert.ok(text.startsWith('**\\*bold\\* \\[link\\] \\`code\\` \\<b\\>**'), text);
  });
});
