import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What one party's requests have come to. */
interface Account {
  /** The idempotency key of each request, in their order. */
  readonly requests: string[];
  readonly wires: unknown[];
}

/** Wires once for an idempotency key, however often it is asked, and always gives the same receipt for it. */
export class Bank {
  private readonly accounts = new Map<string, Account>();
  private readonly receipts = new Map<string, object>();
  private readonly server: Server = createServer((request, response) => {
    void json(request).then((wire) => {
      const key = String(request.headers['idempotency-key']);
      const account = this.accountOf(request.url ?? '/');
      account.requests.push(key);
      if (!this.receipts.has(key)) {
        account.wires.push(wire);
        this.receipts.set(key, { receipt: this.receipts.size + 1 });
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(this.receipts.get(key)));
    });
  });

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  /** The wires that were asked for at a path, each once. */
  wires(path = '/'): readonly unknown[] {
    return this.accountOf(path).wires;
  }

  /** The idempotency keys of all requests at a path, repeats included. */
  requests(path = '/'): readonly string[] {
    return this.accountOf(path).requests;
  }

  private accountOf(path: string): Account {
    const account = this.accounts.get(path) ?? { requests: [], wires: [] };
    this.accounts.set(path, account);
    return account;
  }
}
