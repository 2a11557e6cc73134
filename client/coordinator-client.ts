import type {
  Coordinator,
  CoordinatorDecision,
  CoordinatorDecisionRequest,
  CreateCoordinatorRequest,
  HeartbeatReply,
} from '../contracts/coordinator.js';
import { create, pathOf, read } from './connection.js';
import type { Connection, Page, PartialExcept } from './connection.js';
import { listIn } from './reply.js';

/** The scope, one of `intent_id` and `portfolio_id`, and whatever differs from the defaults. */
export type NewCoordinator = Partial<CreateCoordinatorRequest>;
export type NewDecision = PartialExcept<
  CoordinatorDecisionRequest,
  'coordinator_id' | 'intent_id' | 'decision_type' | 'summary' | 'rationale'
>;

/** Leases of coordinators (RFC-0013) over HTTP. Refusals are thrown as HoldpointError with the server's code. */
export class CoordinatorClient {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Takes the lease of an intent or a portfolio; it ends where no heartbeat comes. */
  async create(coordinator: NewCoordinator): Promise<Coordinator> {
    return (await create(this.#connection, '/coordinators', coordinator)) as Coordinator;
  }

  async get(coordinatorId: string): Promise<Coordinator> {
    return (await read(this.#connection, pathOf('coordinators', coordinatorId))) as Coordinator;
  }

  /** The coordinators that an intent has or had, oldest first. */
  async of(intentId: string, page: Page = {}): Promise<readonly Coordinator[]> {
    const path = pathOf('intents', intentId, '/coordinators');
    const body = await read(this.#connection, path, { ...page });
    return listIn(body, 'coordinators') as readonly Coordinator[];
  }

  /** Renews the lease; throws `coordinator_closed` once it is over. */
  async heartbeat(coordinatorId: string): Promise<HeartbeatReply> {
    const path = pathOf('coordinators', coordinatorId, '/heartbeat');
    const call = { method: 'POST', path, body: {}, repeatable: 'always' } as const;
    return (await this.#connection.send(call)).body as HeartbeatReply;
  }

  /** Records what the coordinator decided for an intent in its scope, and why. */
  async decide(decision: NewDecision): Promise<CoordinatorDecision> {
    return (await create(this.#connection, '/decisions', decision)) as CoordinatorDecision;
  }

  /** What coordinators decided for an intent, newest first. */
  async decisions(intentId: string, page: Page = {}): Promise<readonly CoordinatorDecision[]> {
    const path = pathOf('intents', intentId, '/coordinator-decisions');
    const body = await read(this.#connection, path, { ...page });
    return listIn(body, 'decisions') as readonly CoordinatorDecision[];
  }
}
