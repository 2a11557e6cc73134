import { RISK_CLASSES } from '../../../contracts/constants/approvals.js';
import {
  FALLBACK_POLICIES,
  RESOLUTIONS,
  RESPONSE_TYPES,
} from '../../../contracts/constants/statuses.js';
import { isVotesCast } from '../../approval/deciding/votes.js';
import { isCaller, isInstant, isObject, isOneOf, type Fields } from '../../kernel/message-form.js';
import { readInstant, toMillis } from '../../kernel/time.js';
import type { Answer } from '../answering/answer.js';
import { VERB_EVENTS } from '../people/verb.js';

function isOptionalText(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

export function isAnswer(message: unknown): message is Answer {
  if (!isObject(message) || !isObject(message['answer'])) return false;
  const { value, answer, question_version: version, resume_signal = '' } = message;
  const { key, body_hash } = answer;
  const texts = [message['responded_by'], key, body_hash, resume_signal];
  const despite = message['despite_claim'];
  return (
    isOptionalText(message['intent_id']) &&
    isCaller(message['by']) &&
    texts.every((text) => typeof text === 'string') &&
    value !== undefined &&
    (version === undefined || Number.isInteger(version)) &&
    (despite === undefined || typeof despite === 'boolean') &&
    hasNotes(message) &&
    isAboutProposal(message)
  );
}

/** Whether the notes beside an answer's value have the right form, if present. */
function hasNotes({ comment = '', data = {}, metadata = {} }: Fields): boolean {
  return typeof comment === 'string' && isObject(data) && isObject(metadata);
}

/** Whether the parts of an answer about a proposal have the right form, if present. */
function isAboutProposal({ proposal_hash: hash, edits = [], edits_allowed: allowed }: Fields) {
  return (
    (hash === undefined || typeof hash === 'string') &&
    Array.isArray(edits) &&
    edits.every(
      (edit) =>
        isObject(edit) && typeof edit['call_id'] === 'string' && isObject(edit['arguments']),
    ) &&
    (allowed === undefined || (isObject(allowed) && isOneOf(allowed['risk_class'], RISK_CLASSES)))
  );
}

export function isEligibilityRequest(message: unknown): boolean {
  if (!isObject(message) || !isCaller(message['by']) || !isObject(message['eligible']))
    return false;
  const { principals, roles, groups } = message['eligible'];
  const lists = [principals, roles, groups, message['warnings']].filter(
    (list) => list !== undefined,
  );
  return lists.every((list) => Array.isArray(list) && list.every((one) => typeof one === 'string'));
}

export function isWithdrawal(message: unknown): boolean {
  if (!isObject(message)) return false;
  const { intent_id, cancelled_by, settled_by, reason } = message;
  return (
    isOptionalText(intent_id) &&
    typeof cancelled_by === 'string' &&
    typeof settled_by === 'string' &&
    (reason === undefined || typeof reason === 'string')
  );
}

export function isKnownOutcome(message: unknown): boolean {
  if (!isObject(message) || !isObject(message['settlement'])) return false;
  const { settlement, answer, answers = [] } = message;
  const { resolution, settled_by, settled_at, votes } = settlement;
  return (
    isOneOf(resolution, RESOLUTIONS) &&
    typeof settled_by === 'string' &&
    isInstant(settled_at) &&
    isOptionalList(votes) &&
    (answer === undefined || isKey(answer)) &&
    Array.isArray(answers) &&
    answers.every(isKey)
  );
}

function isKey(answer: unknown): boolean {
  if (!isObject(answer)) return false;
  return typeof answer['key'] === 'string' && typeof answer['body_hash'] === 'string';
}

/**
 * Returns the instant of an answer by Signal (ms): when it was received, but neither before the question nor in the
 * future; `now` if the instant is unreadable.
 */
export function arrivalOf(receivedAt: unknown, suspendedAt: string, now: number): number {
  const received = readInstant(receivedAt);
  if (received === undefined) return now;
  return Math.min(now, Math.max(toMillis(suspendedAt), toMillis(received)));
}

export function isReport(message: unknown): boolean {
  if (!isObject(message) || typeof message['suspension_id'] !== 'string') return false;
  if (!Number.isInteger(message['report_sequence'])) return false;
  if (message['kind'] === 'voted') return isVotesCast(message);
  if (message['kind'] === 'event') return isVerbEvent(message);
  return message['kind'] === 'settled' ? isSettlement(message) : isAttempt(message);
}

/** The intent appends such an event to its log, so its form is checked. */
function isVerbEvent({ at, event, amended = {}, findings = {} }: Fields): boolean {
  if (!isInstant(at) || !isObject(event) || !isObject(amended)) return false;
  if (!isObject(findings)) return false;
  if (!isObject(event['payload'])) return false;
  const names = [event['actor'], event['principal']];
  return isOneOf(event['event_type'], VERB_EVENTS) && names.every((one) => typeof one === 'string');
}

function isSettlement({ record, attempt, suspension_id, rows = [] }: Fields): boolean {
  if (!isObject(record) || record['id'] !== suspension_id) return false;
  const { resolution, fallback_policy, settled_at, suspended_at } = record;
  const { response_type, choices = [] } = record;
  return (
    Number.isInteger(attempt) &&
    isOneOf(response_type, RESPONSE_TYPES) &&
    Array.isArray(choices) &&
    choices.every(isObject) &&
    isOneOf(resolution, RESOLUTIONS) &&
    isOneOf(fallback_policy, FALLBACK_POLICIES) &&
    isInstant(settled_at) &&
    isInstant(suspended_at) &&
    Array.isArray(rows) &&
    rows.every((row) => isObject(row) && isRowOf(row, suspension_id))
  );
}

/** The store must be able to write these rows, because a failed write is retried without end. */
function isRowOf(row: Fields, suspensionId: unknown): boolean {
  const { kind, suspension_id, revision, entry, seal, settlement } = row;
  if (suspension_id !== suspensionId) return false;
  if (kind === 'timeline') return isEntry(entry) && isSeal(seal);
  if (!Number.isInteger(revision)) return false;
  if (kind === 'suspension_progress') return isProgress(row);
  return (
    kind === 'suspension_settled' &&
    isObject(settlement) &&
    isInstant(settlement['settled_at']) &&
    isOptionalList(row['answers'])
  );
}

function isEntry(entry: unknown): boolean {
  return isObject(entry) && Number.isInteger(entry['sequence']) && isInstant(entry['at']);
}

function isSeal(seal: unknown): boolean {
  if (!isObject(seal)) return false;
  const { payload_commitment, event_hash } = seal;
  return [payload_commitment, event_hash].every((hash) => typeof hash === 'string');
}

function isProgress({ attempt, comment_count = 0, ...row }: Fields): boolean {
  const { votes, delegates, delegate_groups = {}, approval = {}, claim = {}, amended = {} } = row;
  const areParts = [approval, claim, amended, delegate_groups].every(isObject);
  const areLists = isOptionalList(votes) && isOptionalList(delegates);
  return [attempt, comment_count].every(Number.isInteger) && areLists && areParts;
}

function isOptionalList(value: unknown): boolean {
  return value === undefined || Array.isArray(value);
}

function isAttempt({ kind, attempt, max_attempts, skipped, record }: Fields): boolean {
  return (
    kind === 'attempt' &&
    isObject(attempt) &&
    Number.isInteger(attempt['attempt']) &&
    isInstant(attempt['at']) &&
    Array.isArray(attempt['ladder']) &&
    attempt['ladder'].every(isObject) &&
    Number.isInteger(max_attempts) &&
    typeof skipped === 'boolean' &&
    (record === undefined || (isObject(record) && isInstant(record['suspended_at'])))
  );
}
