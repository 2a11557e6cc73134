import { createServer } from 'node:net';

/** The range is below the ports of outgoing connections, which could be taken in the meantime. */
const FIRST = 15_000;
const LAST = 32_000;
const TRIES = 200;

const handedOut = new Set<number>();

/**
 * Returns a free TCP port at `host` that this process has not received before. Another process may still bind it
 * first.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const wanted = tries < TRIES ? FIRST + Math.floor(Math.random() * (LAST - FIRST)) : 0;
    if (handedOut.has(wanted) || (wanted > 0 && !(await isPortFree(wanted, host)))) continue;
    const port = wanted > 0 ? wanted : await bindOnce(0, host);
    if (handedOut.has(port)) continue;
    handedOut.add(port);
    return port;
  }
}

export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  try {
    await bindOnce(port, host);
    return true;
  } catch {
    return false;
  }
}

function bindOnce(wanted: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: wanted, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port);
        else reject(new Error(`no port could be bound on ${host}`));
      });
    });
  });
}
