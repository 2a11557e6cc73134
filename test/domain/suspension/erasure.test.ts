import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ERASED_TEXT, FORGOTTEN_HASH } from '../../../contracts/constants/erasure.js';
import type { JournalRow } from '../../../contracts/log/journal.js';
import {
  erasedAsked,
  erasedEntry,
  erasedRecord,
  erasedSchedule,
  erasedState,
  erasedSuspensionRow,
} from '../../../domain/suspension/record/erasure.js';
import { partWith } from '../approval/wires.js';
import { SCHEDULE, SETTLEMENT, instant, openedRow, settledRow } from '../../store/rows.js';
import { ID, INTENT_ID, OPENED_AT, recordWith, settledWith } from '../samples.js';

const AT = instant(500);
const RECORD = recordWith({ context: { mail: 'ada' }, timeout_seconds: 60 });
const ERASED = {
  id: ID,
  response_type: 'text',
  suspended_at: OPENED_AT,
  timeout_seconds: 60,
  fallback_policy: 'fail',
  question: ERASED_TEXT,
  erased_at: AT,
};
const vote = { principal: 'ada', actor: 'ada', value: 'yes', question_version: 1 };
const VOTES = [{ ...vote, counted_at: OPENED_AT }];

describe('what is left of a question whose personal data is erased', () => {
  it('is which it was, and no field that it did not have', () => {
    assert.deepEqual(erasedRecord(RECORD, AT), ERASED);
    assert.deepEqual(erasedRecord({ ...RECORD, erased_at: instant(1) }, AT), {
      ...ERASED,
      erased_at: instant(1),
    });
  });

  it('is when its attempts were due, and not whom they went to', () => {
    const told = SCHEDULE.attempts.map((one) => ({
      ...one,
      channel_hint: 'slack',
      notify_to: 'ada',
      ladder: [{ attempt: 1, channel_hint: 'slack', notify_to: 'ada' }],
    }));
    assert.deepEqual(erasedSchedule({ ...SCHEDULE, attempts: told }), SCHEDULE);
    assert.deepEqual(erasedSchedule({ attempts: [] }), { attempts: [] });
  });

  it('is neither an answer nor a vote of its state', () => {
    const state = {
      intent_id: INTENT_ID,
      record: RECORD,
      attempt: 2,
      votes: VOTES.map((one) => ({ vote: one, answer: { key: 'r:1', body_hash: 'ada' } })),
    };
    assert.deepEqual(erasedState(state, AT), {
      intent_id: INTENT_ID,
      attempt: 2,
      record: ERASED,
    });
  });

  it('is the key that it was asked under, and not the hash of what was asked', () => {
    const asked = { intent_id: INTENT_ID, record: RECORD, schedule: SCHEDULE };
    const left = { ...asked, record: ERASED };
    assert.deepEqual(erasedAsked(asked, AT), left);
    assert.deepEqual(erasedAsked({ ...asked, request: { key: 'k', body_hash: 'ada' } }, AT), {
      ...left,
      request: { key: 'k', body_hash: FORGOTTEN_HASH },
    });
  });

  it('is none of what was found about it, which quotes what was asked', () => {
    const asked = { intent_id: INTENT_ID, record: RECORD, schedule: SCHEDULE };
    const findings = {
      fallback_value_valid: false,
      warnings: ['The label of ada is blank.'],
    } as const;
    assert.deepEqual(erasedAsked({ ...asked, findings }, AT), { ...asked, record: ERASED });
    const state = { intent_id: INTENT_ID, record: settledWith(), attempt: 1, findings };
    assert.doesNotMatch(JSON.stringify(erasedState(state, AT)), /ada/);
  });
});

describe('what is left of a row of a question', () => {
  const left = (row: JournalRow) => erasedSuspensionRow(row, AT);

  it('that opened it is how it was asked', () => {
    const row = openedRow(INTENT_ID, RECORD);
    assert.deepEqual(left(row), { ...row, record: ERASED });
  });

  it('of its progress is all but what people did and the proposal', () => {
    const progress = {
      kind: 'suspension_progress',
      suspension_id: ID,
      revision: 4,
      attempt: 2,
      max_attempts: 3,
      next_attempt_at: null,
    } as const;
    const claim = { holder: 'ada', claimed_at: AT, expires_at: AT };
    assert.deepEqual(left({ ...progress, votes: VOTES, approval: partWith(), claim }), progress);
  });

  it('that settled it is how it ended, and who decided', () => {
    const answered = settledRow(ID, 5);
    const { answer: _answer, ...row } = answered;
    const { resolution, settled_by, settled_at, responded_at, responded_by } = SETTLEMENT;
    const kept = { resolution, settled_by, settled_at, responded_at, responded_by };
    const settlement = { ...SETTLEMENT, response: 'ada', reason: 'ada', votes: VOTES };
    assert.deepEqual(left({ ...answered, answers: [answered.answer], settlement }), {
      ...row,
      settlement: kept,
    });
    const byRoot = { ...settlement, submitted_by: 'root' };
    assert.deepEqual(left({ ...row, settlement: byRoot }), {
      ...row,
      settlement: { ...kept, submitted_by: 'root' },
    });
  });

  it('that settled it without an answer names nobody', () => {
    const { answer: _, ...row } = settledRow(ID, 5);
    const expiry = { resolution: 'expired', settled_by: 'clock', settled_at: AT } as const;
    assert.deepEqual(left({ ...row, settlement: expiry }), { ...row, settlement: expiry });
  });

  it('of its timeline is what happened, under a seal without its salt', () => {
    const entry = { sequence: 1, at: AT, kind: 'delivered', detail: { to: 'ada' } } as const;
    const bare = { ...entry, detail: {} };
    assert.deepEqual(erasedEntry(entry), bare);
    const seal = {
      payload_commitment: 'sha256:c',
      payload_salt: 'salt',
      previous_event_hash: null,
      event_hash: 'sha256:h',
    };
    const row = { kind: 'timeline', suspension_id: ID, entry, seal } as const;
    assert.deepEqual(left(row), {
      ...row,
      entry: bare,
      seal: { ...seal, payload_salt: null },
    });
  });

  it('of something else is the row as it was', () => {
    const { answer: _, ...row } = settledRow(ID, 1);
    const other = { kind: 'task', task: row, revision: 1 } as unknown as JournalRow;
    assert.equal(left(other), other);
  });
});

describe('a settled question whose personal data is erased', () => {
  it('says who answered for whom', () => {
    const record = settledWith({ submitted_by: 'root' });
    const { responded_by, submitted_by, response } = erasedRecord(record, AT);
    assert.deepEqual(
      [responded_by, submitted_by, response],
      [record.responded_by, 'root', undefined],
    );
  });
});
