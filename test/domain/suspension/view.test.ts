import assert from 'node:assert/strict';
import type { HumanRetryPolicy } from '../../../contracts/suspension/retry-policy.js';
import type { TimelineEntry } from '../../../contracts/suspension/suspension.js';
import { toMillis } from '../../../domain/kernel/time.js';
import { warningsIn } from '../../../domain/suspension/asking/warnings.js';
import type { SuspensionState } from '../../../domain/suspension/record/state.js';
import {
  askedSuspension,
  inputResponse,
  viewAt,
  viewOf,
} from '../../../domain/suspension/record/view.js';
import { ID, OPENED_AT, recordWith, settledWith } from '../samples.js';

const LADDER: HumanRetryPolicy = {
  max_attempts: 2,
  interval_seconds: 600,
  strategy: 'fixed',
  escalation_ladder: [{ attempt: 2, channel_hint: 'email', notify_to: 'bob' }],
  final_fallback_policy: 'fail',
};

describe('what hooks of an agent on Temporal see of a record', () => {
  it('is the channel and recipient in force, with the attempt in the context [R26-61, R26-62]', () => {
    const context = { order: '1', _attempt: 7 };
    const record = recordWith({ context, channel_hint: 'slack', retry_policy: LADDER });
    const seen = [1, 2].map((attempt) => askedSuspension(record, attempt));
    assert.deepEqual(
      seen.map(({ channel_hint, notify_to, context: own }) => [channel_hint, notify_to, own]),
      [
        ['slack', null, { order: '1', _attempt: 1, _max_attempts: 2 }],
        ['email', 'bob', { order: '1', _attempt: 2, _max_attempts: 2 }],
      ],
    );
    assert.equal(seen[0]?.intent_id, null);
    assert.deepEqual(record.context, context);
  });

  it('has no channel where none is named', () => {
    assert.equal(Object.hasOwn(askedSuspension(recordWith(), 1), 'channel_hint'), false);
  });
});

describe('the answer that hooks of an agent on Temporal see [R25-97]', () => {
  it('names the choice that it matches', () => {
    const choices = [{ value: 'go ahead', label: 'Go', description: 'All of it' }];
    const record = settledWith({ response_type: 'choice', choices, metadata: { via: 'phone' } });
    assert.deepEqual(inputResponse(record), {
      suspension_id: ID,
      value: 'go ahead',
      choice_label: 'Go',
      choice_description: 'All of it',
      responded_by: 'alice@example.com',
      responded_at: '2026-03-24T10:30:00.000Z',
      metadata: { via: 'phone' },
    });
  });

  it('is the value alone where it matches none', () => {
    const answer = inputResponse(settledWith({ response: { amount: 3 } }));
    assert.deepEqual(answer.value, { amount: 3 });
    assert.equal(Object.hasOwn(answer, 'choice_label'), false);
  });
});

describe('what people have done to a question', () => {
  const state: SuspensionState = { intent_id: null, record: recordWith(), attempt: 1 };
  const opened = { asked_by: 'bot', schedule: { attempts: [] } } as const;
  const entry = (kind: TimelineEntry['kind'], detail: TimelineEntry['detail']): TimelineEntry => ({
    sequence: 1,
    at: OPENED_AT,
    kind,
    detail,
  });
  const timeline = [
    entry('commented', { commented_by: 'ana', text: 'Ask sales' }),
    entry('delegated', { delegated_by: 'ana', to: 'bo', reason: 'holiday' }),
  ];
  const claim = {
    holder: 'ana',
    claimed_at: '2026-03-24T10:00:00.000Z',
    expires_at: '2026-03-24T10:30:00.000Z',
  };
  const LEFT_OUT = ['claim', 'comment_count', 'comments', 'delegations'];

  it('is left out where there is nothing of it', () => {
    const view = viewOf(state, opened, []);
    for (const name of LEFT_OUT) assert.equal(Object.hasOwn(view, name), false, name);
    const read = viewAt(view, toMillis(OPENED_AT));
    assert.deepEqual(
      [read.id, read.claim, read.comment_count, read.comments, read.delegations],
      [ID, null, 0, [], []],
    );
  });

  it('is a claim while it is open, comments, and to whom it was passed on', () => {
    const view = viewOf({ ...state, claim }, opened, timeline);
    assert.deepEqual(view.claim, claim);
    assert.equal(view.comment_count, 1);
    assert.deepEqual(
      view.comments?.map(({ principal, text }) => [principal, text]),
      [['ana', 'Ask sales']],
    );
    assert.deepEqual(
      view.delegations?.map(({ by, to }) => [by, to]),
      [['ana', 'bo']],
    );
    const settled = viewOf({ ...state, record: settledWith(), claim }, opened, []);
    assert.equal(Object.hasOwn(settled, 'claim'), false);
  });

  it('is a claim that is over by the time at which it is read no longer', () => {
    const view = viewOf({ ...state, claim }, opened, []);
    assert.deepEqual(viewAt(view, toMillis(claim.expires_at) - 1).claim, claim);
    assert.equal(viewAt(view, toMillis(claim.expires_at)).claim, null);
  });

  it('is votes, of which the values and who gave them are read', () => {
    const vote = { principal: 'ann', actor: 'ann', value: 'yes', question_version: 1 };
    const counted = { ...vote, counted_at: OPENED_AT };
    const votes = [{ vote: counted, answer: { key: 'a', body_hash: '' } }];
    assert.deepEqual(viewOf({ ...state, votes }, opened, []).votes, [counted]);
  });
});

function timeline(...entries: readonly (readonly [TimelineEntry['kind'], unknown])[]) {
  return entries.map(([kind, warnings], index) => ({
    sequence: index + 1,
    at: OPENED_AT,
    kind,
    detail: warnings === undefined ? {} : { warnings: warnings as string[] },
  }));
}

describe('the warnings of a question', () => {
  it('are those with which it was asked', () => {
    assert.deepEqual(warningsIn(timeline(['opened', ['a', 'b']], ['delivered', ['c']])), [
      'a',
      'b',
    ]);
    assert.deepEqual(warningsIn(timeline(['opened', undefined])), []);
    assert.deepEqual(warningsIn([]), []);
  });

  it('are those of its latest version, and of what changed who may answer since', () => {
    const amended = timeline(['opened', ['a']], ['delegated', ['b']], ['amended', ['c']]);
    assert.deepEqual(warningsIn(amended), ['c']);
    assert.deepEqual(warningsIn(timeline(['opened', ['a']], ['amended', undefined])), []);
    const named = timeline(['opened', ['a']], ['eligibility_changed', ['b']], ['delegated', ['b']]);
    assert.deepEqual(warningsIn(named), ['a', 'b']);
  });

  it('are passed over where they have another form', () => {
    assert.deepEqual(warningsIn(timeline(['opened', 'a'], ['delegated', [7]])), []);
  });

  it('say that the last attempt reached nobody who may answer, until one does', () => {
    const tried = (...all: readonly (readonly [TimelineEntry['kind'], number])[]) =>
      warningsIn(
        all.map(([kind, attempt], index) => ({
          sequence: index + 1,
          at: OPENED_AT,
          kind,
          detail: { attempt, ...(kind === 'delivery_failed' && { error: 'address_missing' }) },
        })),
      );
    const said = ['Attempt 2 told nobody who may answer: address_missing.'];
    assert.deepEqual(tried(['delivered', 1], ['delivery_failed', 2]), said);
    assert.deepEqual(tried(['delivery_failed', 2], ['delivery_failed', 2]), said);
    assert.deepEqual(tried(['delivery_failed', 2], ['delivered', 2]), []);
    assert.deepEqual(tried(['delivery_failed', 1], ['delivered', 2]), []);
    assert.deepEqual(
      tried(['delivered', 2], ['eligibility_changed', 2], ['delivery_failed', 2]),
      said,
    );
    assert.deepEqual(tried(['delivery_failed', 2], ['eligibility_changed', 2]), []);
  });

  it('are in its view if there are any', () => {
    const state = { intent_id: null, record: recordWith(), attempt: 1 };
    const opened = { asked_by: 'agent-1', schedule: { attempts: [] } };
    assert.deepEqual(viewOf(state, opened, timeline(['opened', ['a']])).warnings, ['a']);
    assert.equal('warnings' in viewOf(state, opened, timeline(['opened', undefined])), false);
  });
});
