import { LIMITS } from '../../../contracts/constants/limits.js';
import type { OpenSuspensionRequest } from '../../../contracts/suspension/pause-requests.js';
import type { LiveView, SuspensionView } from '../../../contracts/suspension/view.js';
import { toMillis } from '../../../domain/kernel/time.js';
import { configuredQuestion } from '../../../domain/suspension/asking/configured-question.js';
import { isPauseRequest, resolvePause } from '../../../domain/suspension/asking/pause.js';
import { viewAt } from '../../../domain/suspension/record/view.js';
import { demand } from '../../errors.js';
import { actorOf } from '../../parts/caller.js';
import { refuseSecrets } from '../secrets.js';
import type { Call } from '../usecase.js';

/** A question as it stands; `created` is false if its request_key has opened it before. */
export interface Opened {
  readonly created: boolean;
  readonly view: SuspensionView;
  readonly warnings: readonly string[];
}

/** The refusals of every question, wherever it is asked. */
export const QUESTION_REFUSALS = [
  'secret_refused',
  'unknown_recipient',
  'unknown_principal',
  'request_key_reused',
  'question_too_large',
] as const;

/**
 * The question or the pause that a request asks for, with warnings for the caller. Throws `invalid_choices`, `invalid_request`,
 * `invalid_retry_policy`, `secret_refused`, `unknown_recipient`, `unknown_principal` and `question_too_large`.
 */
export async function questionOf(call: Call, request: OpenSuspensionRequest) {
  const { caller, parts } = call;
  await refuseSecrets(call, request);
  if (isPauseRequest(request)) return demand(resolvePause(request, LIMITS));
  const { config, people } = parts;
  const askers = [caller.principal, actorOf(caller)];
  return demand(configuredQuestion(request, config, LIMITS, caller.space, people(), askers));
}

/** A question that was just opened, as it is read. */
export function asOpened(view: LiveView): SuspensionView {
  return viewAt(view, toMillis(view.record.suspended_at));
}
