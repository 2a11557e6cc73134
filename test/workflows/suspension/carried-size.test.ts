import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS, WORKFLOW_LIMITS } from '../../../contracts/constants/limits.js';
import { KEPT_EDIT_BYTES } from '../../../domain/approval/proposal/edits.js';
import type {
  SuspensionRecord,
  TimelineEntry,
  TimelineKind,
} from '../../../contracts/suspension/suspension.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import type { CarriedSuspension, SuspensionRun } from '../../../workflows/suspension/carried.js';
import { partWith } from '../../domain/approval/wires.js';
import { ID, INTENT_ID, OPENED_AT, recordWith } from '../../domain/samples.js';
import { WRITERS } from '../../../workflows/engine/row-duty.js';
import { PAYLOAD_BYTES, sized, text, times, NAME } from '../support/sizes.js';

const RECORD = {
  ...recordWith({ expires_at: OPENED_AT }),
  context: { text: sized(LIMITS.questionBytes) },
};

/** The names in a ladder are a part of the question, once in each entry and once more in the attempt. */
const attempt = {
  attempt: LIMITS.attempts,
  at: OPENED_AT,
  next_attempt_at: OPENED_AT,
  channel_hint: NAME,
  notify_to: null,
  ladder: [],
};
const SCHEDULE = {
  attempts: times(LIMITS.attempts, attempt),
  expires_at: OPENED_AT,
  ladders: sized(LIMITS.questionBytes),
  last_of_ladders: sized(LIMITS.questionBytes),
};

function entries(count: number, kind: TimelineKind, detail: TimelineEntry['detail']) {
  return times(count, { sequence: 10_000, at: OPENED_AT, kind, detail });
}

const DELIVERIES = LIMITS.attempts + LIMITS.ladderEntries;
const DELIVERY = `${ID}:${LIMITS.attempts}:${LIMITS.ladderEntriesPerAttempt}`;
const vote = { responded_by: NAME, submitted_by: NAME, approvals: 1, required: 1 };

/** All that can happen to one question; the names in its ladder come once with the attempts and once with deliveries. */
const TIMELINE: readonly TimelineEntry[] = [
  ...entries(1, 'opened', { asked_by: NAME, workflow_id: NAME }),
  ...entries(LIMITS.attempts, 'attempt_skipped', {
    attempt: LIMITS.attempts,
    due_at: OPENED_AT,
    channel_hint: NAME,
    notify_to: null,
  }),
  ...entries(1, 'attempt', { ladders: sized(LIMITS.questionBytes) }),
  ...entries(DELIVERIES, 'delivery_failed', {
    delivery_id: DELIVERY,
    attempt: LIMITS.attempts,
    channel_hint: NAME,
    notify_to: null,
    error: 'redirect_not_followed',
    message: 'x'.repeat(200),
  }),
  ...entries(1, 'delivered', { ladders: sized(LIMITS.questionBytes) }),
  ...entries(WORKFLOW_LIMITS.keptRefusedAnswers, 'answer_rejected', {
    code: 'question_version_mismatch',
    message: 'x'.repeat(200),
    responded_by: NAME,
    submitted_by: NAME,
  }),
  ...entries(LIMITS.votes, 'vote_counted', { ...vote, value: sized(LIMITS.voteValueBytes) }),
  ...entries(LIMITS.eligibilityChanges, 'eligibility_changed', {
    changed_by: NAME,
    eligible: sized(LIMITS.eligibilityBytes),
    reason: text(LIMITS.questionCharacters),
  }),
  ...entries(1, 'commented', { text: sized(LIMITS.verbsBytes) }),
  // A release is never refused: there is one more entry than the others have room for.
  ...entries(1, 'released', { released_by: NAME, holder: NAME }),
];

/** What a suspension keeps, but for rows that the store has not taken yet. */
const KEPT: CarriedSuspension = {
  state: {
    intent_id: INTENT_ID,
    record: RECORD,
    attempt: LIMITS.attempts,
    votes: sized(LIMITS.answerBytes + LIMITS.votes * 2 * 80) as never,
    eligibility: { eligible: sized(LIMITS.eligibilityBytes) as never, attempt: LIMITS.attempts },
    claim: { holder: NAME, claimed_at: OPENED_AT, expires_at: OPENED_AT },
    delegates: times(LIMITS.delegations, NAME),
  },
  timeline: TIMELINE,
  timeline_head: `sha256:${'f'.repeat(43)}`,
  revision: Number.MAX_SAFE_INTEGER,
  report_sequence: Number.MAX_SAFE_INTEGER,
  unwritten: [],
  undelivered: times(LIMITS.ladderEntriesPerAttempt, DELIVERY),
};

const START: SuspensionRun = {
  intent_id: INTENT_ID,
  subject_workflow_id: NAME,
  writers: WRITERS.intent,
  asked_by: NAME,
  asked_as: NAME,
  record: RECORD,
  schedule: SCHEDULE,
  request: { key: NAME, body_hash: 'f'.repeat(64) },
  log_key: 'k'.repeat(43),
};

/**
 * An approval is asked of named tiers without a ladder, but its proposal may be edited, and each version voted on: a quorum that
 * one rejection ends has one vote less on each but the last.
 */
const MOST_QUORUM = Math.floor((LIMITS.votes + 1) / 2);
const PROPOSED: SuspensionRecord = {
  ...RECORD,
  approval: {
    ...partWith({ prompt: sized(LIMITS.proposalBytes) }),
    input_schemas: { wire: { title: sized(LIMITS.proposalBytes) } },
    summaries: { wire: [sized(LIMITS.summaryBytes)] },
  },
};
const APPROVAL_TIMELINE: readonly TimelineEntry[] = [
  ...TIMELINE.filter(
    ({ kind, detail }) => !['vote_counted', 'delivery_failed'].includes(kind) && !detail['ladders'],
  ),
  ...TIMELINE.filter(({ kind }) => kind === 'delivery_failed').slice(0, LIMITS.attempts),
  ...entries(LIMITS.proposalVersions * MOST_QUORUM, 'vote_counted', {
    ...vote,
    value: 'approved',
  }),
  ...entries(LIMITS.proposalVersions, 'proposal_edited', {
    ...vote,
    version: LIMITS.proposalVersions,
    risk_class: 'critical',
    previous_hash: 'f'.repeat(64),
    proposal_hash: 'f'.repeat(64),
    edits: sized(KEPT_EDIT_BYTES),
    notes_before: [],
    left_out: 100,
  }),
];
const KEPT_APPROVAL: CarriedSuspension = {
  ...KEPT,
  state: { ...KEPT.state, record: PROPOSED },
  timeline: APPROVAL_TIMELINE,
};
const START_APPROVAL: SuspensionRun = {
  ...START,
  record: PROPOSED,
  schedule: { attempts: SCHEDULE.attempts, expires_at: OPENED_AT },
};

describe('what a suspension carries into its next run', () => {
  it('fits, however large each part of it is', () => {
    const { suspensionCarriedBytes: most } = WORKFLOW_LIMITS;
    assert.ok(jsonBytes(KEPT) <= most, `${jsonBytes(KEPT)} bytes`);
    assert.ok(most + jsonBytes(START) <= PAYLOAD_BYTES, `${jsonBytes(START)} bytes`);
  });

  it('fits for an approval too, however often its proposal was edited', () => {
    const { suspensionCarriedBytes: most } = WORKFLOW_LIMITS;
    assert.ok(jsonBytes(KEPT_APPROVAL) <= most, `${jsonBytes(KEPT_APPROVAL)} bytes`);
    const start = jsonBytes(START_APPROVAL);
    assert.ok(most + start <= PAYLOAD_BYTES, `${start} bytes`);
  });
});
