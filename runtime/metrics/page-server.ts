import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { PortTakenError, StartupError, traceOf, type Environment } from '../program.js';

export interface PageAddress {
  readonly host: string;
  /** 0 for a free port. */
  readonly port: number;
  /** The environment variable that sets it, for errors. */
  readonly setting: string;
}

export interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export type Pages = Readonly<Record<string, () => Promise<Page>>>;

export interface PageServer {
  readonly url: string;
  /** Ends it at once, without waiting for pages under way. */
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const FORM = /^(?:([\w.-]+|\[[\da-fA-F:.]+\]):)?(\d{1,5})$/;
/** Milliseconds. Requests of clients are short, so they get little time. */
const TIMEOUTS = { headersTimeout: 5_000, requestTimeout: 5_000 } as const;

/**
 * Reads an address from an environment variable: `9464` on loopback, or `0.0.0.0:9464`. Undefined if it is not set, or `off`.
 *
 * @throws StartupError if it is neither
 */
export function pageAddressOf(env: Environment, setting: string): PageAddress | undefined {
  const text = env[setting] ?? '';
  if (text === '' || text === 'off') return undefined;
  const [, host = LOOPBACK, digits = ''] = FORM.exec(text) ?? [];
  const port = digits === '' ? NaN : Number(digits);
  if (port <= 65_535) return { host: host.replaceAll(/[[\]]/g, ''), port, setting };
  throw new StartupError(
    `${setting} is "${text}": it must be a port from 0 to 65535, an address and a port, such as 0.0.0.0:9464, or off.`,
  );
}

export function pageUrl({ host, port }: Pick<PageAddress, 'host' | 'port'>): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/**
 * Serves pages at their own address, apart from the API: anyone who reaches it reads them without a key.
 *
 * @throws PortTakenError, or StartupError if the address cannot be used
 */
export async function servePages(
  pages: Pages,
  address: PageAddress,
  log: Pick<Logger, 'error'>,
): Promise<PageServer> {
  const server = createServer(TIMEOUTS, (req, res) => {
    void serve(pages, req, res).catch((error: unknown) => {
      fail(res, log, error);
    });
  });
  const { address: host, port } = await listen(server, address);
  return {
    url: pageUrl({ host, port }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const TEXT = 'text/plain; charset=utf-8';

/** Ends a reply after an error. It never throws, because nothing would catch it. */
function fail(res: ServerResponse, log: Pick<Logger, 'error'>, error: unknown): void {
  try {
    if (res.headersSent) res.destroy();
    else send(res, { status: 500, type: TEXT, body: 'Internal error.\n' });
    log.error({ error: traceOf(error) }, 'a page for operators failed');
  } catch {
    res.destroy();
  }
}

async function serve(pages: Pages, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const [path = ''] = (req.url ?? '').split('?', 1);
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (page === undefined) {
    send(res, { status: 404, type: TEXT, body: `There is ${Object.keys(pages).join(', ')}.\n` });
  } else if (req.method !== 'GET' && req.method !== 'HEAD') {
    res.setHeader('Allow', 'GET, HEAD');
    send(res, { status: 405, type: TEXT, body: 'Only GET and HEAD.\n' });
  } else {
    send(res, await page());
  }
}

function send(res: ServerResponse, { status, type, body }: Page): void {
  res.writeHead(status, {
    'Content-Type': type,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  res.end(body);
}

function listen(server: Server, { host, port, setting }: PageAddress): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = `${setting}: cannot listen on ${host}:${port}: ${error.code ?? error.message}.`;
      const isTaken = error.code === 'EADDRINUSE';
      reject(isTaken ? new PortTakenError(host, port, setting) : new StartupError(why));
    });
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}
