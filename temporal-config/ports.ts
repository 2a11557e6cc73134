import { createServer } from 'node:net';

const given = new Set<number>();

/**
 * A TCP port that nothing listens on at `host`, and that this process was not given before. Another
 * process may still take it first: whoever binds it must cope with that.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = await bindOnce(0, host);
    if (!given.has(port)) {
      given.add(port);
      return port;
    }
  }
}

/** True where `port` can be bound at `host` just now. */
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
