import { LogLevel, SocketModeClient, type Logger as SlackLogger } from '@slack/socket-mode';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ServerConfig } from '../../contracts/server/config.js';
import { traceOf } from '../../runtime/program.js';
import { buttonKeys, buttonTokens, linkMaker, type LinkKeys } from '../../runtime/link-tokens.js';
import { createSlackInteractions, type SlackInteractions } from './interactions.js';
import type { SlackDeps } from './question.js';

/** The pause before the next try to connect; it doubles from the first to the last. */
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 60_000;
/** The time that Slack has to close a connection. */
const CLOSING_MS = 2_000;

const nothing = (): void => undefined;

/** Silences the client of Slack, whose log lines may hold texts of people. This file logs the important events. */
const SILENT: SlackLogger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  setName: nothing,
  getLevel: () => LogLevel.ERROR,
};

interface App {
  readonly app_token: string;
  readonly api_url: string;
  readonly channels: readonly string[];
}

interface Deps {
  readonly config: Pick<ServerConfig, 'notifications'>;
  readonly interactions: Pick<SlackInteractions, 'take'>;
  readonly log: Logger;
  /** Milliseconds before the second try to connect; 1,000 by default. */
  readonly firstPauseMs?: number;
}

interface Until {
  readonly signal: AbortSignal;
  readonly stopped: Promise<void>;
}

export interface SlackSockets {
  /** Closes the connections; nothing more is accepted. */
  close(): Promise<void>;
}

/**
 * Connects to Slack for each app with an app-level token, and again when Slack ends the connection after some hours.
 * The client does not reconnect by itself, because a failure there would end the process.
 */
export function openSlackSockets({ firstPauseMs = FIRST_PAUSE_MS, ...deps }: Deps): SlackSockets {
  const stop = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    stop.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const until = { signal: stop.signal, stopped };
  const kept = appsOf(deps.config).map((app) => keepConnected(app, deps, firstPauseMs, until));
  return {
    async close() {
      stop.abort();
      await Promise.all(kept);
    },
  };
}

function appsOf({ notifications }: Deps['config']): readonly App[] {
  const apps = new Map<string, App>();
  for (const [name, channel] of Object.entries(notifications.channels)) {
    if (channel.type !== 'slack' || channel.answers?.app_token === undefined) continue;
    const { app_token } = channel.answers;
    const known = apps.get(app_token)?.channels ?? [];
    apps.set(app_token, { app_token, api_url: channel.api_url, channels: [...known, name] });
  }
  return [...apps.values()];
}

async function keepConnected(
  app: App,
  deps: Omit<Deps, 'firstPauseMs'>,
  firstPauseMs: number,
  until: Until,
): Promise<void> {
  const { log } = deps;
  const { channels } = app;
  let wait = firstPauseMs;
  while (!until.signal.aborted) {
    try {
      await connection(app, deps, until);
      wait = firstPauseMs;
    } catch (error) {
      log.warn({ channels, error: traceOf(error) }, 'slack_connection_failed');
    }
    await pause(wait, undefined, { signal: until.signal }).catch(() => undefined);
    wait = Math.min(wait * 2, LAST_PAUSE_MS);
  }
}

/** Keeps one connection until it ends. Rejects if it cannot start. */
async function connection(
  { app_token, api_url, channels }: App,
  { interactions, log }: Omit<Deps, 'firstPauseMs'>,
  { signal: stop, stopped }: Until,
): Promise<void> {
  const client = new SocketModeClient({
    appToken: app_token,
    autoReconnectEnabled: false,
    logger: SILENT,
    clientOptions: { slackApiUrl: api_url, allowAbsoluteUrls: false, retryConfig: { retries: 0 } },
  });
  client.on('interactive', ({ body, ack }: Envelope) => {
    const answered = interactions.take(body, channels).then((reply) => ack(reply));
    answered.catch((error: unknown) => {
      log.warn({ channels, error: traceOf(error) }, 'slack_not_acknowledged');
    });
  });
  const ended = new Promise<void>((resolve) => client.once('disconnected', () => resolve()));
  const started = client.start();
  // A stop does not wait for it.
  started.catch(() => undefined);
  await Promise.race([started, stopped]);
  if (!stop.aborted) log.info({ channels }, 'slack_connected');
  await Promise.race([ended, stopped]);
  if (stop.aborted) await Promise.race([client.disconnect(), pause(CLOSING_MS)]);
}

/** An interaction as the client of Slack hands it over. */
interface Envelope {
  readonly body: unknown;
  readonly ack: (reply?: Readonly<Record<string, unknown>>) => Promise<void>;
}

type SlackSettings = Pick<SlackDeps, 'makeLink' | 'tokens'>;

/**
 * Returns the settings of answers in Slack; undefined if no channel takes any.
 *
 * @throws StartupError if there are no keys for the tokens of buttons
 */
export function slackSettings(
  { notifications, public_url }: Pick<ServerConfig, 'notifications' | 'public_url'>,
  linkKeys: LinkKeys | undefined,
): SlackSettings | undefined {
  const keys = buttonKeys(notifications, linkKeys);
  if (keys === undefined) return undefined;
  const makeLink = public_url === undefined ? undefined : linkMaker(public_url, keys);
  return { tokens: buttonTokens(keys), makeLink };
}

/** Handles answers that Slack posts, and those of its sockets. */
interface RunningSlack extends SlackInteractions {
  /** Stops taking interactions, and resolves once none is under way. */
  close(): Promise<void>;
}

/** Starts to take answers in Slack; undefined if no channel takes any. */
export function startSlack(
  settings: SlackSettings | undefined,
  deps: Pick<SlackDeps, 'config' | 'partsOf'> & { readonly log: Logger },
): RunningSlack | undefined {
  if (settings === undefined) return undefined;
  const interactions = createSlackInteractions({ ...deps, ...settings });
  const sockets = openSlackSockets({ ...deps, interactions });
  return {
    ...interactions,
    async close() {
      await sockets.close();
      await interactions.idle();
    },
  };
}
