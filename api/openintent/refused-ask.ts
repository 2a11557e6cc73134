import { ERRORS } from '../../contracts/constants/errors.js';
import { SUSPENSION_SLOT } from '../../domain/intent/state-patch.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { cutTo } from '../../domain/kernel/text.js';
import { writesSlot } from '../../domain/openintent/question-writes.js';
import { RefusalError } from '../errors.js';
import { versionIn } from '../http/headers.js';
import { requestRefusalOf } from '../http/problem.js';
import type { RouteCall } from '../http/route.js';
import { endRefusedAsk as endWait } from '../usecases/intent/write.js';
import { FieldErrors } from './errors.js';

/** A refusal may quote what was sent. */
const REASON_BYTES = 500;

/**
 * Ends the wait of an intent whose question was refused: the SDK suspended the intent before, and now gives up. Only the asker
 * ends it so, under the version that it read; a conflict of versions does not refuse a question.
 *
 * @returns the error to send, which says that the intent is no longer suspended
 */
export async function endRefusedAsk(call: RouteCall, error: unknown): Promise<unknown> {
  const { req } = call;
  const refusal = requestRefusalOf(error);
  const version = versionIn(req);
  if (refusal === undefined || typeof version !== 'number' || !mayAsk(req.body)) return error;
  const [status] = ERRORS[refusal.code];
  if (status >= 500 || refusal.code === 'version_conflict') return error;
  const reason = `The question was refused: ${cutTo(refusal.detail, REASON_BYTES)}`;
  try {
    await endWait(call, String(req.params['intentId']), version, reason);
  } catch {
    // The intent waits for no question of the caller, or cannot be written now.
    return error;
  }
  // This error is a list of fields, which has no place for the sentence.
  if (error instanceof FieldErrors) return error;
  const detail = `${refusal.detail} The intent is no longer suspended.`;
  const cause = error instanceof RefusalError ? error.cause : error;
  return new RefusalError({ ...refusal, detail }, { cause });
}

/** Whether the body of a write may be a question, as may one that cannot be read. */
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
