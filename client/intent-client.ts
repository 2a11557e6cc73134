import type { IntentEvent } from '../contracts/event.js';
import type { CreateIntentBody, Intent, StatePatch, StatusRequest } from '../contracts/intent.js';
import type { JsonObject } from '../contracts/json.js';
import type { Connection } from './connection.js';
import { pathOf } from './connection.js';
import { CoordinatorClient } from './coordinator-client.js';
import { GraphClient } from './graph-client.js';
import { LeaseClient } from './lease-client.js';
import { PlanClient } from './plan-client.js';
import { PortfolioClient } from './portfolio-client.js';
import { randomKey } from './random-key.js';
import { listIn } from './reply.js';
import type { FeedItem, SubscribeOptions } from './subscribe.js';
import { subscribe } from './subscribe.js';

/** A new intent; `status` is `draft` unless given. */
export type NewIntent = Readonly<CreateIntentBody>;

/** How long a read is worth trying; `tries` is 10 (about a minute) unless given. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly tries?: number | undefined;
}

/** Which part of an event log is wanted; newest first, at most `limit` entries. */
export interface EventQuery {
  readonly limit?: number;
  readonly offset?: number;
  readonly event_type?: string;
}

/**
 * Intents, their state, events, leases and what holds them together, over HTTP. Every method throws HoldpointError with the
 * server's code where it is refused, and ConnectionError where the server cannot be reached.
 */
export class IntentClient {
  readonly leases: LeaseClient;
  readonly plans: PlanClient;
  readonly graph: GraphClient;
  readonly portfolios: PortfolioClient;
  readonly coordinators: CoordinatorClient;
  protected readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
    this.leases = new LeaseClient(connection);
    this.plans = new PlanClient(connection);
    this.graph = new GraphClient(connection);
    this.portfolios = new PortfolioClient(connection);
    this.coordinators = new CoordinatorClient(connection);
  }

  /**
   * Creates an intent. The Idempotency-Key (its own unless given) makes repeats return the first
   * intent, so that a program that was started again finds what it had created.
   */
  async createIntent(
    intent: NewIntent,
    options: { idempotencyKey?: string } = {},
  ): Promise<Intent> {
    const reply = await this.connection.send({
      method: 'POST',
      path: '/intents',
      headers: { 'idempotency-key': options.idempotencyKey ?? randomKey() },
      body: intent,
      repeatable: 'always',
    });
    return reply.body as Intent;
  }

  /** Reads an intent; `state._suspension` holds its current or last suspension (R25-34). */
  async getIntent(intentId: string, options: ReadOptions = {}): Promise<Intent> {
    const path = pathOf('intents', intentId);
    const { signal, tries } = options;
    const call = { method: 'GET', path, repeatable: 'always', signal, tries } as const;
    return (await this.connection.send(call)).body as Intent;
  }

  /** Changes the status; `version` is the one that was read, 409 `version_conflict` otherwise. */
  async setStatus(intentId: string, version: number, request: StatusRequest): Promise<Intent> {
    return this.#write(intentId, '/status', version, request);
  }

  /** Applies patches in order, all or none; `version` as for `setStatus`. */
  async patchState(
    intentId: string,
    version: number,
    patches: readonly StatePatch[],
  ): Promise<Intent> {
    return this.#write(intentId, '/state', version, { patches });
  }

  /** Reads the event log, newest first (R25-17). */
  async events(intentId: string, query: EventQuery = {}): Promise<readonly IntentEvent[]> {
    const reply = await this.connection.send({
      method: 'GET',
      path: pathOf('intents', intentId, '/events'),
      query: { limit: query.limit, offset: query.offset, event_type: query.event_type },
      repeatable: 'always',
    });
    return listIn(reply.body, 'events') as readonly IntentEvent[];
  }

  /** Appends an event of the agent's own type; the server's own types are refused. */
  async appendEvent(
    intentId: string,
    eventType: string,
    payload: JsonObject = {},
  ): Promise<IntentEvent> {
    const reply = await this.connection.send({
      method: 'POST',
      path: pathOf('intents', intentId, '/events'),
      body: { event_type: eventType, payload },
      repeatable: 'undelivered',
    });
    return reply.body as IntentEvent;
  }

  /** Events as they come, without an end and without a loss; see `subscribe`. */
  subscribe(options: SubscribeOptions = {}): AsyncGenerator<FeedItem, never> {
    return subscribe(this.connection, options);
  }

  async #write(intentId: string, rest: string, version: number, body: unknown): Promise<Intent> {
    const reply = await this.connection.send({
      method: 'POST',
      path: pathOf('intents', intentId, rest),
      headers: { 'if-match': String(version) },
      body,
      repeatable: 'undelivered',
    });
    return reply.body as Intent;
  }
}
