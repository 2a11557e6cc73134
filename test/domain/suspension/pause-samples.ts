import type { Caller } from '../../../contracts/people/caller.js';
import type { PausePart, SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import type { Answer } from '../../../domain/suspension/answering/answer.js';
import { recordWith } from '../samples.js';

/** The pause of the specification's example. `fields` replace. */
export function pausedWith(fields: Partial<PausePart> = {}): SuspensionRecord {
  return recordWith({
    question: 'Waits for a rate limit: rate_limit_cleared',
    response_type: 'form',
    timeout_seconds: 60,
    expires_at: '2026-03-24T10:01:00.000Z',
    fallback_policy: 'use_default_and_continue',
    pause: {
      reason: 'rate_limit',
      resume_signal: 'rate_limit_cleared',
      resumable_by: [],
      timeout_outcome: 'timeout',
      metadata: { retry_after: 60 },
      ...fields,
    },
  });
}

/** The signal that resumes it. `fields` replace or add. */
export function signalOf(by: Caller, fields: Partial<Answer> = {}): Answer {
  return {
    resume_signal: 'rate_limit_cleared',
    value: { remaining: 500 },
    responded_by: by.principal,
    by,
    answer: { key: 'r:1', body_hash: '' },
    ...fields,
  };
}
