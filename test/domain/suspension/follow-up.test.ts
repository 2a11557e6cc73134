import assert from 'node:assert/strict';
import type { SettledRecord, SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { changeFor, type FollowedQuestion } from '../../../domain/suspension/telling/follow-up.js';
import { partWith } from '../approval/wires.js';
import { ID, OPENED_AT, recordWith, settledWith } from '../samples.js';

const RULES = { context_keys: ['order'], personal_data_keys: ['iban'], e2e_encrypted: true };
const SENT = {
  delivery_id: `${ID}:1/ana`,
  suspension_id: ID,
  channel: 'mail',
  reference: 'm-1',
  person: 'ana',
  shows: 1,
};
const CHOICES = [{ value: 'yes', label: 'Refund it', metadata: { ledger: 7 } }];
const AT = '2026-03-24T10:30:00.000Z';

const followed = (fields: Partial<FollowedQuestion> = {}): FollowedQuestion => ({
  intent_id: 'i1',
  asked_by: 'agent',
  settled: false,
  question_version: 1,
  record: recordWith(),
  attempt: 1,
  max_attempts: 3,
  next_attempt_at: AT,
  edits: [],
  ...fields,
});
const open = (record: Partial<SuspensionRecord>, fields: Partial<FollowedQuestion> = {}) =>
  changeFor(SENT, followed({ record: recordWith(record), ...fields }), RULES);
const over = (record: Partial<SettledRecord>) =>
  changeFor(SENT, followed({ settled: true, record: settledWith(record) }), RULES);
const ENDED = { kind: 'settled', question: recordWith().question, at: AT };

describe('what a message is told of an outcome', () => {
  it('is who answered, and which choice it was', () => {
    const record = { response_type: 'choice', choices: CHOICES, response: 'yes' } as const;
    const settled = { settled_at: AT, responded_by: 'bo' };
    const answered = { ...ENDED, outcome: 'answered', by: 'bo', choice_label: 'Refund it' };
    assert.deepEqual(over({ ...record, ...settled }), answered);
  });

  it('is no answer that was not offered, for it may hold personal data', () => {
    const answered = { ...ENDED, outcome: 'answered', by: 'bo' };
    const text = { response_type: 'text', settled_at: AT, responded_by: 'bo' } as const;
    assert.deepEqual(over({ ...text, response: 'To DE89 3704' }), answered);
    const { response: _none, responded_by: _nobody, ...record } = settledWith(text);
    const bare = changeFor(SENT, followed({ settled: true, record }), RULES);
    assert.deepEqual(bare, { ...ENDED, outcome: 'answered' });
  });

  it('is that it expired, or was withdrawn, and nothing else', () => {
    const given = { response: 'yes', responded_by: 'bo', settled_at: AT };
    for (const [resolution, outcome] of [
      ['expired', 'expired'],
      ['cancelled', 'withdrawn'],
    ] as const) {
      assert.deepEqual(over({ ...given, resolution }), { ...ENDED, outcome });
    }
  });

  it('has the time of asking where that of the end is not known', () => {
    const { settled_at: _unknown, ...record } = settledWith({ resolution: 'expired' });
    const told = changeFor(SENT, followed({ settled: true, record }), RULES);
    assert.deepEqual(told, { ...ENDED, outcome: 'expired', at: OPENED_AT });
  });

  it('is what was decided on, as far as that may leave', () => {
    const approval = partWith();
    const told = over({ approval, settled_at: AT });
    assert.ok(told?.kind === 'settled');
    assert.deepEqual(told.approval, { proposal_hash: approval.proposal_hash });
  });

  it('is that the proposal was edited, and what it was before as far as that may leave', () => {
    const call = (amount: number) => ({ id: 'c1', tool: 'wire', arguments: { amount } });
    const approval = partWith({ version: 2, calls: [call(50)], visible_context: {} });
    const record = { approval, context: { tool_call: call(5_000) }, settled_at: AT };
    const told = (
      rules: Partial<typeof RULES>,
      more: Partial<SettledRecord> = {},
      edits: FollowedQuestion['edits'] = [],
    ) => {
      const settled = settledWith({ ...record, ...more });
      const question = followed({ settled: true, record: settled, edits });
      const change = changeFor(SENT, question, { ...RULES, ...rules });
      assert.ok(change?.kind === 'settled');
      return change.edited;
    };
    assert.deepEqual(told({}), { version: 2 });
    const context_keys = ['tool_call'];
    const named = { version: 2, calls: [{ tool: 'wire' }] };
    assert.deepEqual(told({ context_keys }), {
      version: 2,
      calls: [{ tool: 'wire', before: { amount: 5_000 } }],
    });
    assert.deepEqual(told({ context_keys, personal_data_keys: ['amount'] }), named);
    assert.deepEqual(told({ context_keys, personal_data_keys: ['Tool'] }), { version: 2 });
    const several = partWith({ version: 2, calls: [call(50), { ...call(70), id: 'c2' }] });
    assert.deepEqual(told({ context_keys }, { approval: several }), { version: 2 });
    const changed = { before: { amount: 7 }, after: { amount: 70 } };
    const edits = [
      {
        kind: 'proposal_edited' as const,
        detail: { version: 2, edits: [{ call_id: 'c2', tool: 'wire', ...changed }] },
      },
    ];
    assert.deepEqual(told({ context_keys }, { approval: several }, edits), {
      version: 2,
      calls: [{ tool: 'wire', position: 2, before: { amount: 7 } }],
    });
    assert.deepEqual(told({}, { approval: several }, edits), { version: 2 });
    assert.equal(told({ context_keys }, { approval: partWith() }), undefined);
  });

  it('has the notes that came with it, unless comments are personal data there', () => {
    const vote = { principal: 'ana', value: 'yes', question_version: 1, counted_at: AT };
    const votes = [
      { ...vote, actor: 'ana', comment: 'a\nb' },
      { ...vote, actor: 'bo' },
    ];
    const notes = (record: Partial<SettledRecord>, personal_data_keys: readonly string[] = []) => {
      const question = followed({ settled: true, record: settledWith(record) });
      const change = changeFor(SENT, question, { ...RULES, personal_data_keys });
      assert.ok(change?.kind === 'settled');
      return change.notes;
    };
    const own = { comment: ' why', responded_by: 'bo' };
    assert.deepEqual(notes(own), [{ by: 'bo', text: ' why' }]);
    assert.deepEqual(notes({ ...own, votes }), [{ by: 'ana', text: 'a\nb' }]);
    assert.deepEqual(notes({ votes }, ['Comment']), [{ by: 'ana' }]);
    assert.equal(notes({ responded_by: 'bo' }), undefined);
  });

  it('is nothing once personal data was erased', () => {
    assert.equal(over({ erased_at: AT }), undefined);
    assert.equal(open({ erased_at: AT }, { question_version: 2 }), undefined);
  });
});

describe('what a message is told of a question that goes on', () => {
  it('is nothing while it shows the current version', () => {
    assert.equal(open({}), undefined);
  });

  it('is the question as it is now, with no more of its context than others get', () => {
    const told = open(
      {
        question: 'Refund half?',
        response_type: 'choice',
        choices: CHOICES,
        context: { order: 'A-7', iban: 'DE89' },
        expires_at: AT,
      },
      { question_version: 2, attempt: 1 },
    );
    assert.deepEqual(told, {
      kind: 'changed',
      message: {
        suspension_id: ID,
        intent_id: 'i1',
        attempt: 1,
        max_attempts: 3,
        due_at: OPENED_AT,
        channel_hint: 'mail',
        notify_to: 'ana',
        response_type: 'choice',
        text: 'Changed: Refund half?',
        choices: [{ value: 'yes', label: 'Refund it' }],
        context: { order: 'A-7', _attempt: 1, _max_attempts: 3 },
        withheld: 1,
        expires_at: AT,
        next_attempt_at: AT,
        question_version: 2,
      },
    });
  });

  it('counts as left out what no form shows', () => {
    const context = { fields: [{ name: 'sum', type: 'number' }], iban: 'DE89' };
    const form = { response_type: 'form', context } as const;
    for (const [record, withheld] of [
      [form, 1],
      [{ ...form, response_schema: { type: 'object' } }, 2],
      [{ ...form, response_type: 'text' }, 2],
    ] as const) {
      const told = open(record, { question_version: 2 });
      assert.ok(told?.kind === 'changed');
      assert.equal(told.message.withheld, withheld);
    }
  });

  it('leaves out what the question does not have', () => {
    const { expires_at: _never, choices: _none, context: _no, ...record } = recordWith();
    const told = changeFor(SENT, followed({ record, question_version: 2 }), RULES);
    assert.ok(told?.kind === 'changed');
    for (const name of ['choices', 'expires_at', 'approval']) {
      assert.equal(Object.hasOwn(told.message, name), false, name);
    }
    assert.equal(told.message.withheld, 0);
  });

  it('has the hash of what is to be approved', () => {
    const approval = partWith();
    const told = open({ approval }, { question_version: 2 });
    assert.ok(told?.kind === 'changed');
    assert.equal(told.message.approval?.proposal_hash, approval.proposal_hash);
  });
});
