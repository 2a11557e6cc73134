import { InvalidAskError, questionOf } from '../contracts/constants/ask.js';
import type { AskOptions } from '../contracts/suspension/ask.js';
import type { SuspendBody } from '../contracts/suspension/requests.js';
import type { SuspensionView } from '../contracts/suspension/view.js';
import { randomKey, type Connection } from './connection.js';
import { HoldpointError } from './errors.js';
import { openAlone, waitUntilSettled, withdrawSuspension } from './suspension.js';

export interface AskCall {
  /** Names the question: the same call with the same key finds it again, so that nobody is asked twice after a crash. */
  readonly key?: string | undefined;
  /**
   * Ends the wait with the signal's reason. A question with a `key` stays open, and the same call waits for it again. One without
   * a key is withdrawn, because nobody could get its answer.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Asks, and waits until the question is settled. Throws as `Agent.ask` says. */
export async function settledAsk(
  connection: Connection,
  question: string,
  { key, signal, ...options }: AskOptions & AskCall,
  policy: SuspendBody['agent_retry_policy'],
): Promise<SuspensionView> {
  const asked = askedQuestion(question, options);
  const body = { ...asked, request_key: key ?? randomKey(), agent_retry_policy: policy };
  signal?.throwIfAborted();
  if (key !== undefined) {
    return waitUntilSettled(connection, await openAlone(connection, body, signal), { signal });
  }
  const opening = openAlone(connection, body, undefined);
  try {
    return await waitUntilSettled(connection, await orAborted(opening, signal), { signal });
  } catch (error) {
    if (signal?.aborted === true) void withdrawOnceOpen(connection, opening);
    throw error;
  }
}

function askedQuestion(question: string, options: AskOptions) {
  try {
    return questionOf(question, options, ['key', 'signal']);
  } catch (error) {
    if (!(error instanceof InvalidAskError)) throw error;
    const { code, detail, ...more } = error.refusal;
    throw new HoldpointError(code, detail, more);
  }
}

/** Waits for a call that goes on after the signal has ended the wait. */
function orAborted<T>(call: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', abort, { once: true });
    void call.then(resolve, reject).then(() => {
      signal?.removeEventListener('abort', abort);
    });
  });
}

/** Withdraws a question that nobody waits for, if it was asked and is still open. If that fails, it stays until it expires. */
async function withdrawOnceOpen(
  connection: Connection,
  opening: Promise<SuspensionView>,
): Promise<void> {
  try {
    const { id } = await opening;
    await withdrawSuspension(connection, id, 'asker_gave_up');
  } catch {
    // A failed withdrawal is ignored: no caller waits for it.
  }
}

/** Refuses a question for an intent that names none. */
export function checkIntentId(intentId: unknown): void {
  if (typeof intentId === 'string' && intentId !== '') return;
  throw new HoldpointError(
    'invalid_request',
    "requestInput asks for an intent, whose id comes first: requestInput(intent.id, { question: 'Refund order #12345?', … }). " +
      "Without an intent, call ask('Refund order #12345?').",
    { field: 'intentId', accepted: 'the id of an intent' },
  );
}
