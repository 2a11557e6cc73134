import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A port of loopback behind which a server is further away than it is. */
export interface DelayedPort {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Does some work after so many milliseconds; of two that begin one after the other, the first first. */
type Later = (ms: number, work: () => void) => void;

/** Timers of one length end in the order in which they began. */
const byTimer: Later = (ms, work) => {
  setTimeout(work, ms).unref();
};

/**
 * Opens a port that leads to another port of loopback. All that either side sends arrives `ms` later, in its order, as over a long line with
 * room enough.
 */
export async function delayedPort(
  target: number,
  ms: number,
  later: Later = byTimer,
): Promise<DelayedPort> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (chunk) => later(ms, () => void (to.writable && to.write(chunk))));
      from.on('end', () => later(ms, () => void to.end()));
      // Whoever is gone is gone for the other side too.
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        later(ms, () => to.destroySoon());
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
