import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel } from '../activities/channels/channel.js';
import { ChannelError } from '../activities/channels/try-outcome.js';
import { traceOf } from '../runtime/program.js';
import { failureOf } from '../store/failures.js';
import { forgetChecks, recordCheck } from '../store/queries/channel-checks.js';
import type { NewCheck } from '../store/queries/channel-checks.js';
import type { Store } from '../store/schema.js';
import type { Log } from './log.js';

interface CheckLog extends Log {
  info(fields: object, message: string): void;
}

/** The dependencies of the checks besides the channels. */
export interface CheckSurroundings {
  readonly log: CheckLog;
  /** Keeps an answer where the API reads it. */
  readonly record: (check: Omit<NewCheck, 'worker'>) => Promise<void>;
  /** Forgets the answers of this worker. */
  readonly forget: () => Promise<void>;
  /** Aborts when the worker stops. */
  readonly signal: AbortSignal;
  /** Waits so many milliseconds, or rejects once the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const EVERY_MS = 5 * 60_000;
/** Less often, for a mail server may lock an account after some wrong passwords; but before `CHECK_COUNTS_MINUTES` are over. */
const AFTER_REFUSED_LOGIN_MS = 10 * 60_000;

/** Where a worker process keeps the answers, under an id of its own. */
export function checksIn(db: Store): Pick<CheckSurroundings, 'record' | 'forget'> {
  const worker = randomUUID();
  return {
    record: (check) => recordCheck(db, { ...check, worker }),
    forget: () => forgetChecks(db, worker),
  };
}

/**
 * Asks the service of each channel, now and every few minutes until the worker stops, whether it takes the credentials, so that a
 * wrong token or password shows before the first message. Logs each failure, and never throws.
 */
export async function checkChannels(
  channels: ReadonlyMap<string, Pick<Channel, 'check'>>,
  around: CheckSurroundings,
): Promise<void> {
  const asked = [...channels].filter(([, channel]) => channel.check !== undefined);
  if (asked.length === 0) return;
  await Promise.all(asked.map(([name, channel]) => keepAsking(name, channel, around)));
  await tolerated(around.log, 'channel_checks_not_forgotten', around.forget);
}

async function keepAsking(
  channel: string,
  asked: Pick<Channel, 'check'>,
  { log, record, signal, wait = pause }: CheckSurroundings,
): Promise<void> {
  let hasFailed = false;
  for (;;) {
    const failure = await askedOnce(asked, signal);
    if (signal.aborted) return;
    if (failure !== undefined) {
      log.warn({ channel, ...failure }, 'channel_check_failed');
    } else if (hasFailed) {
      log.info({ channel }, 'channel_check_passed');
    }
    hasFailed = failure !== undefined;
    const { outcome = null, reason = null } = failure ?? {};
    await tolerated(log, 'channel_check_not_recorded', () => record({ channel, outcome, reason }));
    try {
      await wait(outcome === 'mail_login_refused' ? AFTER_REFUSED_LOGIN_MS : EVERY_MS, signal);
    } catch {
      // Only a stop cuts it short.
      return;
    }
  }
}

interface Failure extends Pick<NewCheck, 'outcome' | 'reason'> {
  /** Of a defect, for the log. */
  readonly trace?: object;
}

/** Returns why a service does not take the credentials, in our own words, which hold no secret; undefined if it does. */
async function askedOnce(
  channel: Pick<Channel, 'check'>,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  try {
    await channel.check?.(signal);
    return undefined;
  } catch (error) {
    if (error instanceof ChannelError) return { outcome: error.kind, reason: error.message };
    return { outcome: 'channel_failed', reason: 'an unexpected error', trace: traceOf(error) };
  }
}

async function tolerated(log: Log, event: string, call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    log.warn(failureOf(error), event);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal, ref: false });
}
