import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands between a browser and the API, and can be shut: then the API is away, as while it is started again. */
export class Gate {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private target = 0;
  private isShut = false;

  private constructor(server: Server) {
    this.server = server;
    server.on('connection', (client) => {
      this.pass(client);
    });
  }

  /** Has its address at once, so that the API can know it before it listens itself. */
  static async start(): Promise<Gate> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Gate(server);
  }

  /** @param url - where the API listens */
  lead(url: string): void {
    this.target = Number(new URL(url).port);
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
