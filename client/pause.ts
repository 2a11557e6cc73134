import { RESUMED } from '../contracts/constants/statuses.js';
import type { PauseBody, PauseEnd, ResumeBody } from '../contracts/suspension/pause-requests.js';
import type { RespondResult, SuspensionView } from '../contracts/suspension/view.js';
import { pathOf, randomKey, type Connection } from './connection.js';
import { InputCancelledError } from './errors.js';
import { supported, unexpected } from './reply.js';
import { openAlone, waitUntilSettled } from './suspension.js';

/** A pause of a process; with the same `request_key` it finds its pause again. */
export type PauseOptions = PauseBody & {
  /** Ends the wait, not the pause. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * The outcome of an answer or signal: accepted (HTTP 200; an answer without `resolution` counts until others agree), or
 * handed over (202): stored durably, but not yet judged; the suspension shows later whether it counted.
 */
export type AnswerReceipt =
  | { readonly accepted: true; readonly result: RespondResult }
  | { readonly accepted: false; readonly suspension_id: string };

/**
 * Opens a pause, or finds the one that this `request_key` has opened, and waits for its end, however long that takes.
 * Throws InputCancelledError if it is withdrawn.
 */
export async function untilResumed(
  connection: Connection,
  { signal, ...body }: PauseOptions,
): Promise<PauseEnd> {
  const request_key = body.request_key ?? randomKey();
  const opened = await openAlone(connection, { ...body, request_key }, signal);
  return endOf(await waitUntilSettled(connection, opened, { signal }));
}

function endOf({ record }: SuspensionView): PauseEnd {
  switch (record.resolution) {
    case 'responded':
      return { outcome: RESUMED, data: record.response ?? null };
    case 'expired':
      return { outcome: record.pause?.timeout_outcome ?? 'timeout', data: null };
    case 'cancelled':
      throw new InputCancelledError('', record);
    case undefined:
      throw unexpected('the outcome of a settled suspension');
  }
}

/** Sends a signal, or an answer, to a suspension by its id. */
export function resumeSuspension(
  connection: Connection,
  suspension_id: string,
  body: ResumeBody,
  key?: string,
): Promise<AnswerReceipt> {
  const path = pathOf('suspensions', suspension_id, '/resume');
  return sendAnswer(connection, { path, body, suspension_id, key });
}

interface SentAnswer {
  readonly path: string;
  readonly body: object;
  readonly suspension_id: string;
  readonly key: string | undefined;
}

/** Sends an answer or a signal under an Idempotency-Key, a new one by default. */
export async function sendAnswer(
  connection: Connection,
  { path, body, suspension_id, key = randomKey() }: SentAnswer,
): Promise<AnswerReceipt> {
  const headers = { 'idempotency-key': key };
  const call = { method: 'POST', path, headers, body, repeatable: 'always' } as const;
  const reply = await supported(connection.send(call));
  if (reply.status === 202) return { accepted: false, suspension_id };
  return { accepted: true, result: reply.body as RespondResult };
}
