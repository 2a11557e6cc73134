import type { IntentEvent } from '../contracts/event.js';
import type {
  CreateIntentBody,
  Intent,
  Lease,
  StatePatch,
  StatusRequest,
} from '../contracts/intent.js';
import type { JsonObject } from '../contracts/primitives.js';
import { pathOf, randomKey } from './connection.js';
import type { Call, Connection, EventQuery } from './connection.js';
import { CoordinatorClient } from './coordinator-client.js';
import { GraphClient } from './graph-client.js';
import { PlanClient } from './plan-client.js';
import { PortfolioClient } from './portfolio-client.js';
import { listIn } from './reply.js';
import { subscribe } from './subscribe.js';
import type { FeedItem, SubscribeOptions } from './subscribe.js';

/** A new intent; `status` is `draft` unless given. */
export type NewIntent = Readonly<CreateIntentBody>;

/** How long a read is worth trying; `tries` is 10 (about a minute) unless given. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly tries?: number | undefined;
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

/** Leases of RFC-0003. Durations are whole seconds; refusals are thrown as HoldpointError. */
export class LeaseClient {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Takes a lease on a scope; 409 `lease_held` where somebody has it. */
  async acquire(
    intentId: string,
    request: { scope: string; duration_seconds: number },
  ): Promise<Lease> {
    return this.#send({
      method: 'POST',
      path: pathOf('intents', intentId, '/leases'),
      body: request,
      repeatable: 'undelivered',
    });
  }

  /** Prolongs a lease from now on; works while the intent is suspended too (R25-11). */
  async renew(
    intentId: string,
    leaseId: string,
    { duration_seconds }: { duration_seconds: number },
  ): Promise<Lease> {
    return this.#send({
      method: 'PATCH',
      path: leasePath(intentId, leaseId),
      body: { duration_seconds },
      repeatable: 'always',
    });
  }

  /** Gives a lease back. */
  async release(intentId: string, leaseId: string): Promise<Lease> {
    return this.#send({
      method: 'DELETE',
      path: leasePath(intentId, leaseId),
      repeatable: 'undelivered',
    });
  }

  /** The leases of an intent that are not over. */
  async list(intentId: string): Promise<readonly Lease[]> {
    const path = pathOf('intents', intentId, '/leases');
    const reply = await this.#connection.send({ method: 'GET', path, repeatable: 'always' });
    return listIn(reply.body, 'leases') as readonly Lease[];
  }

  async #send(call: Call): Promise<Lease> {
    return (await this.#connection.send(call)).body as Lease;
  }
}

function leasePath(intentId: string, leaseId: string): string {
  return pathOf('intents', intentId, `/leases/${encodeURIComponent(leaseId)}`);
}
