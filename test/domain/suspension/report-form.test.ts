import assert from 'node:assert/strict';
import { isReport } from '../../../domain/suspension/record/message-form.js';
import { ID, settledWith } from '../samples.js';

const ATTEMPT = {
  suspension_id: ID,
  report_sequence: 1,
  kind: 'attempt',
  attempt: {
    attempt: 2,
    at: '2026-03-24T11:00:00.000Z',
    ladder: [{ attempt: 2, channel_hint: 'email' }],
  },
  max_attempts: 3,
  skipped: false,
};
const SETTLED = {
  suspension_id: ID,
  report_sequence: 2,
  kind: 'settled',
  record: settledWith(),
  attempt: 1,
};

const AT = '2026-03-24T11:00:00.000Z';
const VOTE = { principal: 'alice', actor: 'alice', decision: 'approved', at: AT };
const VOTED = {
  suspension_id: ID,
  report_sequence: 1,
  kind: 'voted',
  version: 1,
  proposal_hash: 'hash',
  votes: [VOTE],
};
const EVENT = {
  suspension_id: ID,
  report_sequence: 1,
  kind: 'event',
  at: AT,
  event: {
    event_type: 'intent.suspension_claimed',
    actor: 'alice',
    principal: 'alice',
    payload: {},
  },
};
const ENTRY = { sequence: 1, at: AT, kind: 'opened', detail: {} };
const SEAL = { payload_commitment: 'sha256:c', event_hash: 'sha256:h' };
const ROWS = [
  { kind: 'timeline', suspension_id: ID, entry: ENTRY, seal: SEAL },
  { kind: 'suspension_progress', suspension_id: ID, revision: 1, attempt: 2 },
  { kind: 'suspension_progress', suspension_id: ID, revision: 1, attempt: 2, approval: {} },
  { kind: 'suspension_settled', suspension_id: ID, revision: 2, settlement: { settled_at: AT } },
];

describe('a report', () => {
  it('is one when it tells an attempt, votes, what somebody did, or an end', () => {
    const found = { ...EVENT, findings: { fallback_value_valid: false } };
    const reports = [ATTEMPT, VOTED, { ...VOTED, votes: [] }, EVENT, found, SETTLED];
    assert.deepEqual(
      reports.map(isReport),
      reports.map(() => true),
    );
  });

  it('may bring the rows of its suspension', () => {
    assert.equal(isReport({ ...SETTLED, rows: ROWS }), true);
  });

  it('may bring the record of its suspension with an attempt', () => {
    assert.equal(isReport({ ...ATTEMPT, record: { suspended_at: AT } }), true);
  });

  const NONE: readonly (readonly [string, unknown])[] = [
    ['nothing', undefined],
    ['null', null],
    ['text', 'settled'],
    ['an event without an instant', { ...EVENT, at: 'noon' }],
    ['an event that is none', { ...EVENT, event: null }],
    ['an event without a payload', { ...EVENT, event: { ...EVENT.event, payload: [] } }],
    ['an event of nobody', { ...EVENT, event: { ...EVENT.event, principal: undefined } }],
    ['an event without an actor', { ...EVENT, event: { ...EVENT.event, actor: 1 } }],
    [
      'an event of another type',
      { ...EVENT, event: { ...EVENT.event, event_type: 'intent.resumed' } },
    ],
    ['a list', []],
    ['no id', { ...ATTEMPT, suspension_id: 7 }],
    ['no sequence', { ...ATTEMPT, report_sequence: '1' }],
    ['another kind', { ...ATTEMPT, kind: 'reminder' }],
    ['an attempt without a ladder', { ...ATTEMPT, attempt: { ...ATTEMPT.attempt, ladder: null } }],
    ['an attempt of no instant', { ...ATTEMPT, attempt: { ...ATTEMPT.attempt, at: 'soon' } }],
    [
      'a ladder that is partly nothing',
      { ...ATTEMPT, attempt: { ...ATTEMPT.attempt, ladder: [...ATTEMPT.attempt.ladder, null] } },
    ],
    ['a ladder of nothing', { ...ATTEMPT, attempt: { ...ATTEMPT.attempt, ladder: [null] } }],
    ['no count', { ...ATTEMPT, max_attempts: null }],
    ['a record without an instant', { ...ATTEMPT, record: { id: ID } }],
    ['a record that is no object', { ...ATTEMPT, record: 'record' }],
    ['votes on no version', { ...VOTED, version: '1' }],
    ['votes on nothing', { ...VOTED, proposal_hash: undefined }],
    ['votes that are no list', { ...VOTED, votes: {} }],
    ['a vote of nothing', { ...VOTED, votes: [null] }],
    ['a vote of nobody', { ...VOTED, votes: [{ ...VOTE, principal: 7 }] }],
    ['a vote in no name', { ...VOTED, votes: [{ ...VOTE, actor: null }] }],
    ['a vote for something else', { ...VOTED, votes: [{ ...VOTE, decision: 'maybe' }] }],
    ['a vote at no instant', { ...VOTED, votes: [{ ...VOTE, at: 'soon' }] }],
    ['no mark', { ...ATTEMPT, skipped: undefined }],
    ['no record', { ...SETTLED, record: null }],
    ['the record of another', { ...SETTLED, record: settledWith({ id: 'x' }) }],
    ['no resolution', { ...SETTLED, record: { ...settledWith(), resolution: 'won' } }],
    ['no policy', { ...SETTLED, record: { ...settledWith(), fallback_policy: undefined } }],
    ['no instant', { ...SETTLED, record: settledWith({ suspended_at: 'soon' }) }],
    ['no response type', { ...SETTLED, record: { ...settledWith(), response_type: 'song' } }],
    ['choices of nothing', { ...SETTLED, record: { ...settledWith(), choices: [null] } }],
    ['no attempt', { ...SETTLED, attempt: undefined }],
    ['a proposal that is none', { ...SETTLED, rows: [{ ...ROWS[1], approval: 'wire' }] }],
    ['rows that are no list', { ...SETTLED, rows: {} }],
    ['a row of nothing', { ...SETTLED, rows: [null] }],
    ['a row of another', { ...SETTLED, rows: [{ ...ROWS[0], suspension_id: 'x' }] }],
    ['a row of another kind', { ...SETTLED, rows: [{ ...ROWS[3], kind: 'event' }] }],
    ['an entry without an instant', { ...SETTLED, rows: [{ ...ROWS[0], entry: { sequence: 1 } }] }],
    [
      'a seal without a hash',
      { ...SETTLED, rows: [{ ...ROWS[0], seal: { ...SEAL, event_hash: 1 } }] },
    ],
    ['an entry without a seal', { ...SETTLED, rows: [{ ...ROWS[0], seal: undefined }] }],
    ['no entry', { ...SETTLED, rows: [{ ...ROWS[0], entry: null }] }],
    [
      'an entry without a sequence',
      { ...SETTLED, rows: [{ ...ROWS[0], entry: { ...ENTRY, sequence: '1' } }] },
    ],
    ['a progress without an attempt', { ...SETTLED, rows: [{ ...ROWS[1], attempt: null }] }],
    ['a settlement without a revision', { ...SETTLED, rows: [{ ...ROWS[3], revision: null }] }],
    ['a settlement of nothing', { ...SETTLED, rows: [{ ...ROWS[3], settlement: null }] }],
  ];
  for (const [what, message] of NONE) {
    it(`is none with ${what}`, () => {
      assert.equal(isReport(message), false);
    });
  }
});
