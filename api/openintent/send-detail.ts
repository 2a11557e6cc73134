import type { Response } from 'express';
import { ERRORS } from '../../contracts/constants/errors.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { Refusal } from '../../contracts/refusal.js';
import { FieldErrors } from './field-errors.js';
import { IfMatchRequired } from './if-match.js';
import { InvalidChoice } from './invalid-choice.js';

/** Statuses that this wire form has of its own. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  malformed_json: 422,
};

const TEXTS: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'Invalid or missing API key',
  method_not_allowed: 'Method Not Allowed',
  intent_not_found: 'Intent not found',
  lease_not_found: 'Lease not found or not owned by you',
  portfolio_not_found: 'Portfolio not found',
  task_not_found: 'Task not found',
  plan_not_found: 'Plan not found',
  coordinator_not_found: 'Coordinator not found',
  agent_not_found: 'Agent not found',
  subscription_not_found: 'Subscription not found',
  lease_held: 'Lease already held for this scope',
  version_conflict: 'Version conflict',
  precondition_required: 'If-Match header required',
  missing_suspension_id: 'suspension_id is required',
  suspension_mismatch: 'suspension_id mismatch',
};

function detailOf({ code, detail, state }: Refusal, error: unknown): unknown {
  if (error instanceof FieldErrors) return error.fields;
  if (error instanceof InvalidChoice) return error.told;
  if (code === 'invalid_value') return { error: code, message: detail };
  if (code === 'malformed_json') {
    return [{ type: 'json_invalid', loc: ['body', 0], msg: 'JSON decode error', input: {} }];
  }
  if (code === 'intent_not_suspended') {
    const status = state?.['intent_status'];
    return `Intent is not suspended (status=${typeof status === 'string' ? status : 'unknown'})`;
  }
  if (code === 'not_found' && detail === ERRORS.not_found[2]) return 'Not Found';
  return TEXTS[code] ?? detail;
}

/**
 * Sends a refusal as the OpenIntent SDK reads it: an object with `detail`, and `current_version` where a
 * write came too late. The SDK takes any 409 that holds the word "lease" for a conflict of leases.
 */
export function sendDetail(res: Response, refusal: Refusal, error: unknown): void {
  const [tabled] = ERRORS[refusal.code];
  const own = error instanceof IfMatchRequired ? error.status : STATUS[refusal.code];
  const status = own ?? tabled;
  if (status === 503) res.setHeader('Retry-After', '1');
  const current = refusal.state?.['current_version'];
  res.status(status).json({
    detail: detailOf(refusal, error),
    ...(status === 409 && current !== undefined && { current_version: current }),
  });
}
