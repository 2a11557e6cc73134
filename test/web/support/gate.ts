import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Stands between a browser and the API, and can be shut: then the API is away, as while it is started again. */
export class Gate {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private readonly target: number;
  private isShut = false;

  private constructor(server: Server, target: number) {
    this.server = server;
    this.target = target;
    server.on('connection', (client) => {
      this.pass(client);
    });
  }

  /** @param url - where the API listens */
  static async before(url: string): Promise<Gate> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Gate(server, Number(new URL(url).port));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Ends all connections, and refuses new ones. */
  shut(): void {
    this.isShut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  open(): void {
    this.isShut = false;
  }

  close(): void {
    this.shut();
    this.server.close();
  }

  private pass(client: Socket): void {
    if (this.isShut) {
      client.destroy();
      return;
    }
    const api = connect(this.target, '127.0.0.1');
    for (const [from, to] of [
      [client, api],
      [api, client],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }
}
