import { randomBytes } from 'node:crypto';
import { prepareApprovalRequestSchema } from '../contracts/approval-opening.js';
import type { ApprovalAsk, PreparedApproval } from '../contracts/approval-opening.js';
import { parseKnownFields } from '../contracts/unknown-fields.js';
import { openingOf } from '../domain/approval/opening.js';
import { toInstant } from '../domain/kernel/time.js';
import type { ActivityDependencies } from './dependencies.js';
import { refusal, refuseSecrets } from './inputs.js';

const KEY_BYTES = 32;

/**
 * Judges the calls of an approval by the configured rules, and returns what its workflow starts with. It is in the history
 * of the workflow that asks, so rules that change later change nothing there. A refusal, also of what seems to contain a
 * credential, is a non-retryable ApplicationFailure whose type is an error code.
 */
export async function prepareApproval(
  { config, now }: Pick<ActivityDependencies, 'config' | 'now'>,
  request: unknown,
): Promise<PreparedApproval> {
  const parsed = parseKnownFields(prepareApprovalRequestSchema, request);
  if (!parsed.ok) throw refusal(parsed.refusal);
  await refuseSecrets(shownOf(parsed.value), config);
  const opening = openingOf(parsed.value, config.approvals);
  if (!opening.ok) throw refusal(opening.refusal);
  return {
    ...opening.value,
    asked_at: toInstant(now().getTime()),
    log_key: randomBytes(KEY_BYTES).toString('base64url'),
  };
}

/** What people and channels get to see of it. */
function shownOf({ prompt, visible_context, reason, context, calls }: ApprovalAsk) {
  return { prompt, visible_context, reason, context, calls };
}
