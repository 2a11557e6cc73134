import type {
  Coordinator,
  CoordinatorDecision,
  CoordinatorDecisionRequest,
  CreateCoordinatorRequest,
  HeartbeatReply,
} from '../contracts/coordinator/coordinator.js';
import { SubjectClient, pathOf } from './connection.js';
import type { Page, PartialExcept } from './connection.js';

/** The scope (`intent_id` or `portfolio_id`), and any field that differs from its default. */
export type NewCoordinator = Partial<CreateCoordinatorRequest>;
export type NewDecision = PartialExcept<
  CoordinatorDecisionRequest,
  'coordinator_id' | 'intent_id' | 'decision_type' | 'summary' | 'rationale'
>;

/** Leases of coordinators (RFC-0013). */
export class CoordinatorClient extends SubjectClient {
  /** Takes the lease of an intent or a portfolio, which ends without heartbeats. */
  async create(coordinator: NewCoordinator): Promise<Coordinator> {
    return this.connection.create('/coordinators', coordinator);
  }

  async get(coordinatorId: string): Promise<Coordinator> {
    return this.connection.read(pathOf('coordinators', coordinatorId));
  }

  /** Returns the current and former coordinators of an intent, oldest first. */
  async of(intentId: string, page: Page = {}): Promise<readonly Coordinator[]> {
    return this.connection.list(pathOf('intents', intentId, '/coordinators'), 'coordinators', page);
  }

  /** Renews the lease; throws `coordinator_closed` once it is over. */
  async heartbeat(coordinatorId: string): Promise<HeartbeatReply> {
    const path = pathOf('coordinators', coordinatorId, '/heartbeat');
    return this.connection.repeat('POST', path, {});
  }

  /** Records a decision for an intent in the coordinator's scope, with its rationale. */
  async decide(decision: NewDecision): Promise<CoordinatorDecision> {
    return this.connection.create('/decisions', decision);
  }

  /** Returns the decisions of coordinators for an intent, newest first. */
  async decisions(intentId: string, page: Page = {}): Promise<readonly CoordinatorDecision[]> {
    const path = pathOf('intents', intentId, '/coordinator-decisions');
    return this.connection.list(path, 'decisions', page);
  }
}
