import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as a push service gets it. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A push service on this machine, which answers as it is told. */
export async function startPushService() {
  const received: Received[] = [];
  const replies: { readonly status: number; readonly headers?: Record<string, string> }[] = [];
  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      received.push({ path: req.url ?? '', headers: req.headers, body: Buffer.concat(parts) });
      const { status, headers = {} } = replies.shift() ?? { status: 201 };
      res.writeHead(status, headers).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    endpoint: `http://127.0.0.1:${port}/push/one`,
    received,
    replies,
    close: () => server.close(),
  };
}
