import type { Express } from 'express';
import ipaddr from 'ipaddr.js';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PortTakenError, StartupError, type Environment } from '../runtime/program.js';

/** Longer than the 10 s that an answer may take. */
const DRAIN_MS = 12_000;

/**
 * The time that a client has to send the headers, and the whole request: nothing else limits a client that sends a
 * byte now and then. Streams and long polls are not affected, because the time of the reply does not count.
 */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 30_000 } as const;
/** Milliseconds between two checks of connections for these timeouts. */
const CHECK_MS = 2_000;
/**
 * How long an idle connection stays open; longer than the minute of common load balancers. If the server closes
 * first, a request on its way is lost, and its client sees a 502 or a reset connection.
 */
export const IDLE_MS = 75_000;

const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function isWildcard(address: string): boolean {
  return Object.hasOwn(WILDCARDS, address);
}

interface ServerOptions {
  readonly app: Express;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** The time that requests in flight have when the server closes; milliseconds, 12,000 by default. */
  readonly drainMs?: number;
  /** Milliseconds; 10,000 for the headers and 30,000 for the whole request by default. */
  readonly timeouts?: { readonly headersTimeout: number; readonly requestTimeout: number };
}

export interface RunningServer {
  readonly address: AddressInfo;
  /** The address for clients on this machine. */
  readonly url: string;
  /** Lets requests in flight end, then resolves; may be called more than once. */
  close(): Promise<void>;
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new PortTakenError(host, port)
          : new StartupError(`Cannot listen on ${host}:${port}: ${error.code ?? error.message}.`),
      );
    });
    server.listen(port, host, () => {
      const address = server.address();
      if (typeof address === 'object' && address !== null) resolve(address);
      else reject(new StartupError('The server has no network address.'));
    });
  });
}

function urlOf({ address, port }: AddressInfo): string {
  const host = WILDCARDS[address] ?? address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Closes a server in order: no new connections, replies in flight end, then every socket. */
function closer(server: Server, inFlight: ReadonlySet<ServerResponse>, drainMs: number) {
  return new Promise<void>((resolve, reject) => {
    const deadline = setTimeout(() => {
      server.closeAllConnections();
    }, drainMs);
    server.close((error) => {
      clearTimeout(deadline);
      if (error === undefined) resolve();
      else reject(error);
    });
    for (const res of inFlight) if (!res.headersSent) res.setHeader('Connection', 'close');
  });
}

/**
 * Serves the app. Closing emits `shutdown` on it, which ends long polls, and lets all other requests end.
 * @throws PortTakenError, or StartupError if the host or port cannot be used
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { app, host, port, drainMs = DRAIN_MS, timeouts = TIMEOUTS } = options;
  const connectionsCheckingInterval = Math.min(CHECK_MS, timeouts.headersTimeout);
  const inFlight = new Set<ServerResponse>();
  let closing: Promise<void> | undefined;
  const connections = { connectionsCheckingInterval, keepAliveTimeout: IDLE_MS };
  const server = createServer({ ...timeouts, ...connections }, (req, res) => {
    inFlight.add(res);
    if (closing !== undefined) res.setHeader('Connection', 'close');
    res.once('close', () => {
      inFlight.delete(res);
      if (closing !== undefined) server.closeIdleConnections();
    });
    (app as (req: unknown, res: unknown) => void)(req, res);
  });
  const address = await listen(server, host, port);
  return {
    address,
    url: urlOf(address),
    close() {
      if (closing === undefined) {
        closing = closer(server, inFlight, drainMs);
        app.emit('shutdown');
      }
      return closing;
    },
  };
}

const LOOPBACK = '127.0.0.1';
const USUAL_PORT = 4000;

/** Returns `HOST`; loopback if it is not set, and always with keys for development. */
export function hostOf(env: Environment, keysAreMade: boolean): string {
  const host = env['HOST'] ?? '';
  return keysAreMade || host === '' ? LOOPBACK : host;
}

/** Whether only this machine reaches an address. A name other than `localhost` may stand for any. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

/** Long enough for a proxy that asks `/ready` every two seconds to see it red twice. */
const NOTICE_SECONDS = 5;
const MOST_NOTICE_SECONDS = 300;

/** Returns `HOLDPOINT_STOP_NOTICE_SECONDS` in milliseconds: the time that `/ready` is red before the listener closes. */
export function noticeMsOf(env: Environment): number {
  const text = env['HOLDPOINT_STOP_NOTICE_SECONDS'] ?? '';
  if (text === '') return NOTICE_SECONDS * 1_000;
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : NaN;
  if (seconds <= MOST_NOTICE_SECONDS) return seconds * 1_000;
  throw new StartupError(
    `HOLDPOINT_STOP_NOTICE_SECONDS is "${text}": it must be a number from 0 to ${MOST_NOTICE_SECONDS}.`,
  );
}

/** Returns `PORT`; undefined if it is not set. */
function portOf(env: Environment): number | undefined {
  const text = env['PORT'] ?? '';
  if (text === '') return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new StartupError(`PORT is "${text}": it must be a number from 0 to 65535.`);
}

/**
 * Serves the app on `PORT`, or on 4000, or if that is taken on a free port.
 *
 * @throws StartupError if `PORT` is no port, PortTakenError if it is taken
 */
export async function listenOnConfiguredPort(
  app: Express,
  host: string,
  env: Environment,
): Promise<RunningServer> {
  const port = portOf(env);
  try {
    return await startServer({ app, host, port: port ?? USUAL_PORT });
  } catch (error) {
    if (port !== undefined || !(error instanceof PortTakenError)) throw error;
    return startServer({ app, host, port: 0 });
  }
}
