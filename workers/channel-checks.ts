import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel } from '../activities/channels/channel.js';
import { ChannelError } from '../activities/channels/try-outcome.js';
import { traceOf, type Environment } from '../runtime/program.js';
import { failureOf } from '../store/failures.js';
import {
  firstReferenceOf,
  forgetChecks,
  recordCheck,
  type NewCheck,
} from '../store/queries/work/deliveries.js';
import type { Store } from '../store/schema.js';
import type { Log } from './log.js';
import { createChannels } from '../activities/channels/routing.js';
import type { SlackSurroundings } from '../activities/channels/slack/channel.js';
import type { ActivityDependencies } from '../activities/dependencies.js';
import { tolerate } from '../activities/failures.js';
import { commandName } from '../contracts/constants/command-name.js';
import type { ServerConfig } from '../contracts/server/config.js';
import { buttonKeys, buttonMaker, linkMaker, type LinkKeys } from '../runtime/link-tokens.js';

interface CheckLog extends Log {
  info(fields: object, message: string): void;
}

export interface CheckSurroundings {
  readonly log: CheckLog;
  /** Stores a result where the API reads it. */
  readonly record: (check: Omit<NewCheck, 'worker'>) => Promise<void>;
  readonly forget: () => Promise<void>;
  /** Aborts when the worker stops. */
  readonly signal: AbortSignal;
  /** Waits so many milliseconds, or rejects once the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const EVERY_MS = 5 * 60_000;
/**
 * The pause after a refused login is longer, because a mail server may lock an account after some wrong passwords; it
 * is shorter than `CHECK_COUNTS_MINUTES`.
 */
const AFTER_REFUSED_LOGIN_MS = 10 * 60_000;

/** Returns the store of a worker process's results, under an id of its own. */
export function checksIn(db: Store): Pick<CheckSurroundings, 'record' | 'forget'> {
  const worker = randomUUID();
  return {
    record: (check) => recordCheck(db, { ...check, worker }),
    forget: () => forgetChecks(db, worker),
  };
}

/**
 * Checks, now and every few minutes until the worker stops, whether the service of each channel accepts the
 * credentials, so that a wrong token shows before the first message. Logs each failure, and never throws.
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
      // Only a stop ends the pause early.
      return;
    }
  }
}

interface Failure extends Pick<NewCheck, 'outcome' | 'reason'> {
  readonly trace?: object;
}

/** Returns why a service refuses the credentials, in our own words without secrets; undefined if it accepts them. */
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

/** How long a delivery waits for the place of the first message; milliseconds. */
const LOOK_MS = 2_000;

/**
 * Creates the channels of the configuration, and the maker of links in their messages if keys and `public_url` are there.
 *
 * @throws StartupError if a channel takes answers in Slack and there are no keys for its buttons
 */
export function reachOf(
  config: Pick<ServerConfig, 'notifications' | 'public_url' | 'directory'>,
  linkKeys: LinkKeys | undefined,
  {
    db,
    traceparent,
    env = {},
  }: {
    readonly db: Store;
    readonly traceparent: () => string | undefined;
    /** The environment that shows how people run the command line. */
    readonly env?: Environment;
  },
): Pick<ActivityDependencies, 'channels' | 'links'> {
  const { notifications, public_url } = config;
  const inbox = public_url === undefined ? undefined : `${public_url}/inbox`;
  const channels = createChannels(notifications, undefined, {
    console: {
      inbox,
      command: env['HOLDPOINT_COMMAND'] || commandName(import.meta.url, env),
    },
    webhook: { traceparent },
    email: { inbox },
    slack: { inbox, ...slackOf(config, db, linkKeys) },
  });
  if (linkKeys === undefined || public_url === undefined) return { channels };
  return { channels, links: linkMaker(public_url, linkKeys) };
}

/** Returns what channels to Slack use of the installation. Throws as `reachOf` does. */
export function slackOf(
  { notifications }: Pick<ServerConfig, 'notifications'>,
  db: Store,
  linkKeys: LinkKeys | undefined,
): Omit<SlackSurroundings, 'inbox'> {
  const keys = buttonKeys(notifications, linkKeys);
  return {
    button: keys && buttonMaker(keys),
    firstReference: (first) =>
      tolerate('first_message_unread', first, LOOK_MS, () => firstReferenceOf(db, first)),
  };
}
