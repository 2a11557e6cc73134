import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';

/** A transfer that the bank has made. */
export interface Transfer {
  readonly key: string;
  readonly body: JsonObject;
}

/** What money is wired by. It makes a transfer once for a key, as a real one does. */
export interface Bank {
  readonly url: string;
  readonly transfers: readonly Transfer[];
  readonly close: () => void;
}

/** Opens a bank on loopback. */
export async function openBank(): Promise<Bank> {
  const transfers: Transfer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const key = String(request.headers['idempotency-key']);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
      if (!transfers.some((one) => one.key === key)) transfers.push({ key, body });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ receipt: `transfer ${transfers.length}` }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, transfers, close: () => void server.close() };
}
