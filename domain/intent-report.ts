import { isInstant, isObject, type Fields } from './message-form.js';

/**
 * Whether a message is formed like a suspension's report, so that taking it in cannot fail: a Signal
 * has no validator, and whoever reaches Temporal can send one.
 */
export function isReport(message: unknown): boolean {
  if (!isObject(message) || typeof message['suspension_id'] !== 'string') return false;
  if (!Number.isInteger(message['report_sequence'])) return false;
  return message['kind'] === 'settled' ? isSettlement(message) : isAttempt(message);
}

function isSettlement({ record, attempt, suspension_id, rows = [] }: Fields): boolean {
  if (!isObject(record) || record['id'] !== suspension_id) return false;
  const { resolution, fallback_policy, settled_at, suspended_at } = record;
  const { response_type, choices = [] } = record;
  return (
    Number.isInteger(attempt) &&
    isOneOf(response_type, ['choice', 'confirm', 'text', 'form']) &&
    Array.isArray(choices) &&
    choices.every(isObject) &&
    isOneOf(resolution, ['responded', 'expired', 'cancelled']) &&
    isOneOf(fallback_policy, ['fail', 'complete_with_fallback', 'use_default_and_continue']) &&
    isInstant(settled_at) &&
    isInstant(suspended_at) &&
    Array.isArray(rows) &&
    rows.every((row) => isObject(row) && isRowOf(row, suspension_id))
  );
}

/** What the store could not take would be tried for ever. */
function isRowOf(row: Fields, suspensionId: unknown): boolean {
  const { kind, suspension_id, revision, entry, settlement } = row;
  if (suspension_id !== suspensionId) return false;
  if (kind === 'timeline') {
    return isObject(entry) && Number.isInteger(entry['sequence']) && isInstant(entry['at']);
  }
  if (!Number.isInteger(revision)) return false;
  if (kind === 'suspension_progress') return Number.isInteger(row['attempt']);
  return (
    kind === 'suspension_settled' && isObject(settlement) && isInstant(settlement['settled_at'])
  );
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

function isOneOf(value: unknown, accepted: readonly string[]): boolean {
  return typeof value === 'string' && accepted.includes(value);
}
