import assert from 'node:assert/strict';
import type { Refusal, Ruling } from '../../contracts/kernel/problem.js';
import type { SuspendRequest } from '../../contracts/suspension/requests.js';
import type { SettledRecord, SuspensionRecord } from '../../contracts/suspension/suspension.js';

export const ID = '3f0c1b9e-6a55-4a3e-9a52-2f5d8f1b7c11';
export const INTENT_ID = '8b0f3f64-0a3a-4b0e-8c86-0d1a6a1d6f10';
export const OPENED_AT = '2026-03-24T10:00:00.000Z';

/** A request to suspend with one legal choice. `fields` replace or add. */
export function requestWith(fields: Partial<SuspendRequest> = {}): SuspendRequest {
  return {
    question: 'Refund order 12345?',
    response_type: 'choice',
    choices: [{ value: 'approve', label: 'Approve refund' }],
    inherit_retry_policy: true,
    ...fields,
  };
}

/** An open text question. `fields` replace or add. */
export function recordWith(fields: Partial<SuspensionRecord> = {}): SuspensionRecord {
  return {
    id: ID,
    question: 'Refund order 12345?',
    response_type: 'text',
    suspended_at: OPENED_AT,
    fallback_policy: 'fail',
    ...fields,
  };
}

/** A question that alice answered half an hour after it opened. */
export function settledWith(fields: Partial<SettledRecord> = {}): SettledRecord {
  return {
    ...recordWith(),
    resolution: 'responded',
    settled_by: 'operator',
    settled_at: '2026-03-24T10:30:00.000Z',
    response: 'go ahead',
    responded_at: '2026-03-24T10:30:00.000Z',
    responded_by: 'alice@example.com',
    ...fields,
  };
}

/** Returns the granted value. Fails if the rule refused. */
export function granted<T>(ruling: Ruling<T>): T {
  assert.ok(ruling.ok, `refused: ${JSON.stringify(ruling)}`);
  return ruling.value;
}

/** Returns the refusal. Fails if the rule granted. */
export function refused(ruling: Ruling<unknown>): Refusal {
  assert.ok(!ruling.ok, `granted: ${JSON.stringify(ruling)}`);
  return ruling.refusal;
}
