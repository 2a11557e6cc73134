import type { PauseBody } from '../contracts/suspension/pause-requests.js';
import type { SuspendBody } from '../contracts/suspension/requests.js';
import type { SuspensionView } from '../contracts/suspension/view.js';
import type { SettledRecord } from '../contracts/suspension/suspension.js';
import { defined } from '../contracts/constants/defined.js';
import { pathOf, type Connection } from './connection.js';
import { supported, viewIn } from './reply.js';
import { pauseBeforeRetry } from './retry.js';

/** Opens a question, or re-attaches to the one of this `request_key`, which makes repeats safe. */
export function openSuspension(
  connection: Connection,
  intentId: string,
  body: SuspendBody & { readonly request_key: string },
  signal: AbortSignal | undefined,
): Promise<SuspensionView> {
  return open(connection, pathOf('intents', intentId, '/suspend'), body, signal);
}

/** Opens a question or a pause without an intent, or re-attaches to the one that this `request_key` has opened. */
export function openAlone(
  connection: Connection,
  body: (SuspendBody | PauseBody) & { readonly request_key: string },
  signal: AbortSignal | undefined,
): Promise<SuspensionView> {
  return open(connection, '/suspensions', body, signal);
}

async function open(
  connection: Connection,
  path: string,
  body: object,
  signal: AbortSignal | undefined,
): Promise<SuspensionView> {
  return viewIn(await supported(connection.repeat<unknown>('POST', path, body, signal)));
}

/** Withdraws a question by its id; its waiters get the withdrawal. */
export async function withdrawSuspension(
  connection: Connection,
  suspensionId: string,
  reason: string | undefined,
): Promise<SettledRecord> {
  const path = pathOf('suspensions', suspensionId, '/cancel');
  return supported(connection.write('POST', path, { body: defined({ reason }) }));
}

/** Options of a wait; see `waitUntilSettled`. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Called and awaited for each new attempt; several missed ones count as one. If it resolves with false, it is called again
   * soon while the question is open.
   */
  readonly onAttempt?: ((view: SuspensionView) => Promise<boolean>) | undefined;
}

/** Under the server's limit of 60 s, and under the idle limit of common proxies. */
const LONG_POLL_SECONDS = 50;
/** The length of a poll while `onAttempt` must be called again. */
const SHORT_POLL_SECONDS = 2;
const EXTRA_PATIENCE_SECONDS = 15;
/** A pending reply that comes sooner means that the server could not hold the request. */
const HELD_MS = 1_000;

/**
 * Waits until a suspension is settled, however long it takes, also through restarts of the server, which holds each request
 * until something happens. Throws HoldpointError if the server refuses, and the signal's reason if it is aborted.
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
  /** Also ends the wait when the question has passed this attempt. */
  readonly afterAttempt?: number;
  /** At most the server's limit of 60. */
  readonly timeoutSeconds: number;
  /** Whether a repeat waits only for the rest of the time. */
  readonly inAll?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Waits once for up to `timeoutSeconds`, and returns the question as it is then. */
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
