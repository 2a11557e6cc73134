import { ERRORS } from '../../contracts/constants/errors.js';
import { SUSPENSION_SLOT } from '../../domain/intent/state-patch.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { cutTo } from '../../domain/kernel/text.js';
import { writesSlot } from '../../domain/openintent/ask.js';
import { RefusalError } from '../errors.js';
import { versionIn } from '../http/headers.js';
import { requestRefusalOf } from '../http/problem.js';
import type { RouteCall } from '../http/route.js';
import { FieldErrors } from './errors.js';

/** A refusal may quote what was sent. */
const REASON_BYTES = 500;

/**
 * Ends the wait of an intent whose question was refused, whatever refused it: the SDK has suspended the intent before, and
 * gives up. Only who asks ends it so, under the version that it has read; a conflict of versions refuses no question.
 *
 * @returns the error to send, which says so
 */
export async function endRefusedAsk(
  { gateway, caller, req }: RouteCall,
  error: unknown,
): Promise<unknown> {
  const refusal = requestRefusalOf(error);
  const version = versionIn(req);
  if (refusal === undefined || typeof version !== 'number' || !mayAsk(req.body)) return error;
  const [status] = ERRORS[refusal.code];
  if (status >= 500 || refusal.code === 'version_conflict') return error;
  const reason = `The question was refused: ${cutTo(refusal.detail, REASON_BYTES)}`;
  try {
    await gateway.endRefusedAsk(caller, String(req.params['intentId']), version, reason);
  } catch {
    // It waits for no question of the caller, or nothing can be written now.
    return error;
  }
  // The fields at fault are a list, which has no place for it.
  if (error instanceof FieldErrors) return error;
  const detail = `${refusal.detail} The intent is no longer suspended.`;
  const cause = error instanceof RefusalError ? error.cause : error;
  return new RefusalError({ ...refusal, detail }, { cause });
}

/** Whether the body of a write may be a question; one that cannot be read may be. */
function mayAsk(body: unknown): boolean {
  if (!isObject(body) || body instanceof Uint8Array) return true;
  const { patches, state } = body;
  if (isObject(state) && Object.hasOwn(state, SUSPENSION_SLOT)) return true;
  const paths = Array.isArray(patches) ? patches.map((patch: unknown) => pathOf(patch)) : [];
  return paths.some((path) => typeof path === 'string' && writesSlot(path));
}

function pathOf(patch: unknown): unknown {
  return isObject(patch) ? patch['path'] : undefined;
}
