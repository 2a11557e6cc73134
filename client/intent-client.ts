import type { IntentEvent, Tracing } from '../contracts/intent/event.js';
import type {
  CreateIntentBody,
  Intent,
  Lease,
  StatePatch,
  StatusRequest,
} from '../contracts/intent/intent.js';
import type { JsonObject } from '../contracts/kernel/primitives.js';
import {
  SubjectClient,
  pathOf,
  randomKey,
  type Connection,
  type CreationOptions,
  type EventQuery,
  type ReadOptions,
} from './connection.js';
import {
  CoordinatorClient,
  GraphClient,
  PlanClient,
  PortfolioClient,
} from './container-clients.js';
import { subscribe, type FeedItem, type SubscribeOptions } from './subscribe.js';

/** A new intent; `status` is `draft` by default. */
export type NewIntent = Readonly<CreateIntentBody>;

/**
 * Intents, with their state, events, leases and relations. Every method throws HoldpointError with the server's code if it
 * is refused, and ConnectionError if the server cannot be reached.
 */
export class IntentClient extends SubjectClient {
  readonly leases: LeaseClient;
  readonly plans: PlanClient;
  readonly graph: GraphClient;
  readonly portfolios: PortfolioClient;
  readonly coordinators: CoordinatorClient;

  constructor(connection: Connection) {
    super(connection);
    this.leases = new LeaseClient(connection);
    this.plans = new PlanClient(connection);
    this.graph = new GraphClient(connection);
    this.portfolios = new PortfolioClient(connection);
    this.coordinators = new CoordinatorClient(connection);
  }

  /**
   * Creates an intent. The Idempotency-Key (a new one by default) makes repeats return the first intent, so that a restarted
   * program finds what it has created.
   */
  async createIntent(intent: NewIntent, options: CreationOptions = {}): Promise<Intent> {
    return this.connection.create('/intents', intent, options.idempotencyKey ?? randomKey());
  }

  /** Reads an intent; `state._suspension` holds its current or last suspension (R25-34). */
  async getIntent(intentId: string, options: ReadOptions = {}): Promise<Intent> {
    return this.connection.read(pathOf('intents', intentId), {}, options);
  }

  /** Changes the status; 409 `version_conflict` if `version` is no longer current. */
  async setStatus(intentId: string, version: number, request: StatusRequest): Promise<Intent> {
    const path = pathOf('intents', intentId, '/status');
    return this.connection.write('POST', path, { version, body: request });
  }

  /** Applies patches in order, all or none; `version` as for `setStatus`. */
  async patchState(
    intentId: string,
    version: number,
    patches: readonly StatePatch[],
  ): Promise<Intent> {
    const path = pathOf('intents', intentId, '/state');
    return this.connection.write('POST', path, { version, body: { patches } });
  }

  /** Reads the event log, newest first (R25-17). */
  async events(intentId: string, query: EventQuery = {}): Promise<readonly IntentEvent[]> {
    return this.connection.list(pathOf('intents', intentId, '/events'), 'events', query);
  }

  /** Appends an event of the agent's own type; the server's own types are refused. */
  async appendEvent(
    intentId: string,
    event_type: string,
    payload: JsonObject = {},
    tracing: Tracing = {},
  ): Promise<IntentEvent> {
    const path = pathOf('intents', intentId, '/events');
    return this.connection.write('POST', path, { body: { event_type, payload, ...tracing } });
  }

  /** Yields events, without an end and without a loss; see `subscribe`. */
  subscribe(options: SubscribeOptions = {}): AsyncGenerator<FeedItem, never> {
    return subscribe(this.connection, options);
  }
}

/** Leases of RFC-0003. Durations are whole seconds. */
export class LeaseClient extends SubjectClient {
  /** Takes a lease on a scope; 409 `lease_held` if somebody has it. */
  async acquire(
    intentId: string,
    request: { scope: string; duration_seconds: number },
  ): Promise<Lease> {
    return this.connection.create(pathOf('intents', intentId, '/leases'), request);
  }

  /** Renews a lease from now on, even while the intent is suspended (R25-11). */
  async renew(
    intentId: string,
    leaseId: string,
    { duration_seconds }: { duration_seconds: number },
  ): Promise<Lease> {
    return this.connection.repeat('PATCH', leasePath(intentId, leaseId), { duration_seconds });
  }

  async release(intentId: string, leaseId: string): Promise<Lease> {
    return this.connection.write('DELETE', leasePath(intentId, leaseId));
  }

  async list(intentId: string): Promise<readonly Lease[]> {
    return this.connection.list(pathOf('intents', intentId, '/leases'), 'leases');
  }
}

function leasePath(intentId: string, leaseId: string): string {
  return pathOf('intents', intentId, `/leases/${encodeURIComponent(leaseId)}`);
}
