import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchStack } from './bench-stack.js';
import { rateOf } from './statistics.js';

/** How often an obedient client comes back before it gives up. */
const MOST_TRIES = 100;

/** A request that was refused, or to which no reply came. */
interface Refused {
  readonly error: string;
  readonly retryAfterSeconds: number;
}

/** What the clients of a burst were told. */
export interface Told {
  readonly errors: Map<string, number>;
  /** Milliseconds from the first try of each write until its reply. */
  readonly tookMs: number[];
  opened: number;
  answered: number;
  givenUp: number;
}

/** Many clients at once: every second one comes back after `Retry-After`, the others take a refusal for an error. */
export class BurstClients {
  readonly told: Told = { errors: new Map(), tookMs: [], opened: 0, answered: 0, givenUp: 0 };
  private readonly bench: BenchStack;
  private readonly clients: number;
  private readonly isAlone: boolean;
  private asked = 0;

  /** @param isAlone - whether questions hold up no intent */
  constructor(bench: BenchStack, clients: number, isAlone: boolean) {
    this.bench = bench;
    this.clients = clients;
    this.isAlone = isAlone;
  }

  /** The clients ask, each for an intent that it creates or for none, and answer once all have asked. May be called again. */
  async run(questions: number): Promise<{ opensPerSecond: number; answersPerSecond: number }> {
    const open: { suspensionId: string; obeys: boolean }[] = [];
    const first = this.asked;
    this.asked += questions;
    const opensPerSecond = await rateOf(questions, this.clients, async (index) => {
      const obeys = index % 2 === 0;
      const suspensionId = await this.open(obeys, first + index);
      if (suspensionId === undefined) {
        this.giveUp(obeys);
        return;
      }
      this.told.opened += 1;
      open.push({ suspensionId, obeys });
    });
    const answersPerSecond = await rateOf(open.length, this.clients, async (index) => {
      const asked = open[index];
      if (asked === undefined) return;
      const { suspensionId, obeys } = asked;
      const route = `/suspensions/${suspensionId}/respond`;
      const answered = await this.write(obeys, 'operator', route, { value: 'yes' });
      if (answered === undefined) this.giveUp(obeys);
      else this.told.answered += 1;
    });
    return { opensPerSecond, answersPerSecond };
  }

  /** The id of the question, or undefined if the client gives up. */
  private async open(obeys: boolean, index: number): Promise<string | undefined> {
    const question = {
      question: `Refund order ${index}?`,
      response_type: 'confirm',
      request_key: `order-${index}`,
    };
    if (this.isAlone) return this.write(obeys, 'agent', '/suspensions', question);
    const intent = { title: `Refund ${index}`, status: 'active' };
    const intentId = await this.write(obeys, 'agent', '/intents', intent);
    if (intentId === undefined) return undefined;
    return this.write(obeys, 'agent', `/intents/${intentId}/suspend`, question);
  }

  private giveUp(obeys: boolean): void {
    if (obeys) this.told.givenUp += 1;
  }

  /** The id in the reply, or undefined if the client gives up. */
  private async write(
    obeys: boolean,
    role: 'agent' | 'operator',
    route: string,
    body: object,
  ): Promise<string | undefined> {
    const key = randomUUID();
    const began = performance.now();
    for (let tries = 0; tries < (obeys ? MOST_TRIES : 1); tries += 1) {
      const done = await this.send(role, route, body, key);
      if (typeof done === 'string') {
        this.told.tookMs.push(performance.now() - began);
        return done;
      }
      this.told.errors.set(done.error, (this.told.errors.get(done.error) ?? 0) + 1);
      if (obeys) await pause(done.retryAfterSeconds * 1_000);
    }
    return undefined;
  }

  private async send(
    role: 'agent' | 'operator',
    route: string,
    body: object,
    key: string,
  ): Promise<string | Refused> {
    try {
      const reply = await fetch(`${this.bench.stack.apiUrl}/v1${route}`, {
        method: 'POST',
        headers: {
          'X-API-Key': this.bench.keyOf(role),
          'Content-Type': 'application/json',
          ...(!('request_key' in body) && { 'Idempotency-Key': key }),
        },
        body: JSON.stringify(body),
      });
      const { id, code } = (await reply.json()) as { id?: string; code?: string };
      if (reply.ok) return id ?? 'answered';
      return {
        error: `${reply.status} ${code ?? 'without a code'}`,
        retryAfterSeconds: Number(reply.headers.get('retry-after') ?? 1),
      };
    } catch (error) {
      return { error: error instanceof Error ? error.name : String(error), retryAfterSeconds: 1 };
    }
  }
}
