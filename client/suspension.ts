import type { PauseBody } from '../contracts/pause-requests.js';
import type { SuspendBody } from '../contracts/suspension-requests.js';
import type { SuspensionView } from '../contracts/suspension-view.js';
import type { SettledRecord } from '../contracts/suspension.js';
import { pathOf } from './connection.js';
import type { Connection } from './connection.js';
import { supported, viewIn } from './reply.js';
import { pauseBeforeRetry } from './retry.js';

/**
 * Opens a question, or re-attaches to the one that this `request_key` had opened. The key makes
 * repeats safe: whatever became of the first call, the question is asked once.
 */
export async function openSuspension(
  connection: Connection,
  intentId: string,
  body: SuspendBody & { readonly request_key: string },
  signal: AbortSignal | undefined,
): Promise<SuspensionView> {
  const reply = await supported(
    connection.send({
      method: 'POST',
      path: pathOf('intents', intentId, '/suspend'),
      body,
      repeatable: 'always',
      signal,
    }),
  );
  return viewIn(reply.body);
}

/**
 * Opens a question or a pause that holds up no intent, or re-attaches to the one that this `request_key` had opened.
 */
export async function openAlone(
  connection: Connection,
  body: (SuspendBody | PauseBody) & { readonly request_key: string },
  signal: AbortSignal | undefined,
): Promise<SuspensionView> {
  const reply = await supported(
    connection.send({ method: 'POST', path: '/suspensions', body, repeatable: 'always', signal }),
  );
  return viewIn(reply.body);
}

/** Withdraws a question by its id; whoever waits for it learns that it was withdrawn. */
export async function withdrawSuspension(
  connection: Connection,
  suspensionId: string,
  reason: string | undefined,
): Promise<SettledRecord> {
  const path = pathOf('suspensions', suspensionId, '/cancel');
  const body = reason === undefined ? {} : { reason };
  return supported(connection.write('POST', path, { body }));
}

/** How a wait is followed and ended; see `waitUntilSettled`. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Is called, and awaited, for each attempt that is seen; several missed ones count as one. Where
   * it resolves with false it is called again soon, as long as the question is open.
   */
  readonly onAttempt?: ((view: SuspensionView) => Promise<boolean>) | undefined;
}

/** Under the server's limit of 60 s, and under the idle limit of common proxies. */
const LONG_POLL_SECONDS = 50;
/** While `onAttempt` has still to be called for an attempt. */
const SHORT_POLL_SECONDS = 2;
const EXTRA_PATIENCE_SECONDS = 15;
/** A pending reply that came sooner was not a wait: the server could not hold the request. */
const HELD_MS = 1_000;

/**
 * Waits until a suspension is settled, for as long as it takes: the server holds each request
 * until something happens. A server that is away or restarting is waited for. Throws
 * HoldpointError if the server refuses, and the signal's reason if it is aborted.
 */
export async function waitUntilSettled(
  connection: Connection,
  first: SuspensionView,
  { signal, onAttempt = async () => true }: WaitOptions,
): Promise<SuspensionView> {
  let view = first;
  let announced = 0;
  let hurried = 0;
  while (view.state === 'pending') {
    const seen = Math.max(announced, view.attempt);
    if (seen > announced && (await onAttempt(view))) announced = seen;
    const started = Date.now();
    const timeoutSeconds = seen > announced ? SHORT_POLL_SECONDS : LONG_POLL_SECONDS;
    view = await longPoll(connection, view.id, { afterAttempt: seen, timeoutSeconds, signal });
    const nothingNew = view.state === 'pending' && view.attempt <= seen;
    hurried = nothingNew && Date.now() - started < HELD_MS ? hurried + 1 : 0;
    if (hurried > 0) await connection.timers.pause(pauseBeforeRetry(hurried), signal);
  }
  return view;
}

interface Poll {
  /** Ends the wait when the question has passed this attempt, too. */
  readonly afterAttempt?: number;
  /** At most the server's limit of 60. */
  readonly timeoutSeconds: number;
  /** A repeat waits for the rest of the time, not for all of it again. */
  readonly inAll?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Waits once, for as long as is said, and resolves with the question as it stands then. */
export async function longPoll(
  connection: Connection,
  suspensionId: string,
  { afterAttempt, timeoutSeconds, inAll = false, signal }: Poll,
): Promise<SuspensionView> {
  const { timers } = connection;
  const until = timers.now() + timeoutSeconds * 1_000;
  const leftSeconds = (): number => Math.max(1, Math.ceil((until - timers.now()) / 1_000));
  const reply = await connection.send({
    method: 'GET',
    path: pathOf('suspensions', suspensionId, '/wait'),
    query: () => ({
      timeout_seconds: inAll ? leftSeconds() : timeoutSeconds,
      after_attempt: afterAttempt,
    }),
    repeatable: 'always',
    tries: inAll ? undefined : Infinity,
    patienceSeconds: timeoutSeconds + EXTRA_PATIENCE_SECONDS,
    signal,
  });
  return viewIn(reply.body);
}
