import { RESUMED, type PauseReason } from '../../../contracts/constants/statuses.js';
import type {
  OpenSuspensionRequest,
  PauseEnd,
  PauseRequest,
} from '../../../contracts/suspension/pause-requests.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type {
  QuestionFindings,
  SettledRecord,
  SuspensionDraft,
  SuspensionRecord,
} from '../../../contracts/suspension/suspension.js';
import { jsonBytes } from '../../kernel/json.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { defined } from '../../../contracts/constants/defined.js';

const WAITS_FOR: Readonly<Record<PauseReason, string>> = {
  rate_limit: 'a rate limit',
  async_completion: 'something that completes later',
  external_job: 'an external job',
  custom: 'another reason',
};

export function isPauseRequest(request: OpenSuspensionRequest): request is PauseRequest {
  return request.reason !== undefined && request.reason !== 'human_input';
}

/**
 * Converts a request to pause into a record that accepts any value. Refuses `invalid_request` and
 * `question_too_large`.
 */
export function resolvePause(
  { reason, resume_signal, resumable_by, timeout_seconds, timeout_outcome, metadata }: PauseRequest,
  {
    questionBytes,
    contextBytes,
  }: { readonly questionBytes: number; readonly contextBytes: number },
): Ruling<{
  readonly draft: SuspensionDraft;
  readonly findings: QuestionFindings;
}> {
  if (timeout_outcome === RESUMED) {
    return refuse('invalid_request', 'A timeout cannot look like a resumption.', {
      field: 'timeout_outcome',
      accepted: `any name but ${RESUMED}`,
    });
  }
  if (jsonBytes(metadata) > contextBytes) {
    const accepted = `at most ${contextBytes} bytes of JSON`;
    return refuse('invalid_request', 'The metadata are too large.', {
      field: 'metadata',
      accepted,
    });
  }
  const draft: SuspensionDraft = {
    question: `Waits for ${WAITS_FOR[reason]}: ${resume_signal}`,
    response_type: 'form',
    ...defined({ timeout_seconds }),
    fallback_policy: 'use_default_and_continue',
    pause: {
      reason,
      resume_signal,
      resumable_by: [...new Set(resumable_by)],
      timeout_outcome,
      metadata,
    },
  };
  if (jsonBytes(draft) <= questionBytes) return ok({ draft, findings: {} });
  return refuse('question_too_large', 'The pause is too large as a whole.', {
    accepted: `at most ${questionBytes} bytes of JSON`,
  });
}

/** Refuses a pause with `reason_mismatch`, where only a question to people is possible. */
export function checkIsQuestion({ pause }: Pick<SuspensionRecord, 'pause'>): Ruling<true> {
  if (pause === undefined) return ok(true);
  return refuse('reason_mismatch', 'The suspension waits for a signal, and nobody is asked.', {
    accepted: 'its resume_signal, at …/resume',
    state: { reason: pause.reason },
  });
}

/** Returns how a pause ended that was not withdrawn: with the data of its signal, or with its timeout outcome. */
export function pauseEnd({ pause, resolution, response }: SettledRecord): PauseEnd {
  if (resolution === 'responded') return { outcome: RESUMED, data: response ?? null };
  return { outcome: pause?.timeout_outcome ?? resolution, data: null };
}
