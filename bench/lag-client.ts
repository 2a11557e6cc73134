import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchStack } from './bench-stack.js';

/** How often a client comes back before its request counts as failed. */
const MOST_TRIES = 100;
const BUSY = 429;
const SERVER_ERROR = 500;
/** How the API says for how long the writes of a request have waited for their turn. */
const PLACE = /place;dur=([\d.]+)/;

/** A request that was carried out in the end. Milliseconds. */
export interface Done {
  readonly body: { readonly id?: string };
  /** From its first try until its reply, with the pauses after refusals. */
  readonly allMs: number;
  /** How long it waited for its turn in the API. */
  readonly waitMs: number;
  /** From its turn until its reply. */
  readonly servedMs: number;
}

/** Clients that wait for each reply, and come back after `Retry-After`. */
export class LagClient {
  /** How often a request was refused that may be sent again, by the code. */
  readonly refused: Record<string, number> = {};
  private readonly bench: BenchStack;

  constructor(bench: BenchStack) {
    this.bench = bench;
  }

  createIntent(): Promise<Done> {
    return this.post('agent', '/intents', { title: 'Refund', status: 'active' });
  }

  ask(intentId: string): Promise<Done> {
    const body = {
      question: 'Refund order 12345?',
      response_type: 'confirm',
      request_key: randomUUID(),
    };
    return this.post('agent', `/intents/${intentId}/suspend`, body);
  }

  answer(suspensionId: string): Promise<Done> {
    return this.post('operator', `/suspensions/${suspensionId}/respond`, { value: 'yes' });
  }

  /** @throws Error for a refusal that no repetition helps against */
  private async post(role: 'agent' | 'operator', route: string, body: object): Promise<Done> {
    const key = 'request_key' in body ? {} : { 'Idempotency-Key': randomUUID() };
    const { stack, keyOf } = this.bench;
    const headers = { 'X-API-Key': keyOf(role), 'Content-Type': 'application/json', ...key };
    const began = performance.now();
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const sent = performance.now();
      const request = { method: 'POST', headers, body: JSON.stringify(body) };
      const reply = await fetch(`${stack.apiUrl}/v1${route}`, request);
      const json = (await reply.json()) as { id?: string; code?: string };
      const now = performance.now();
      const waitMs = Number(PLACE.exec(reply.headers.get('server-timing') ?? '')?.[1] ?? 0);
      if (reply.ok) {
        return { body: json, allMs: now - began, waitMs, servedMs: now - sent - waitMs };
      }
      if (reply.status !== BUSY && reply.status < SERVER_ERROR) {
        throw new Error(`${route}: ${reply.status} ${JSON.stringify(json)}`);
      }
      const refusal = `${reply.status} ${json.code ?? 'without a code'}`;
      this.refused[refusal] = (this.refused[refusal] ?? 0) + 1;
      await pause(Number(reply.headers.get('retry-after') ?? 1) * 1_000);
    }
    throw new Error(`${route} was refused ${MOST_TRIES} times`);
  }
}
