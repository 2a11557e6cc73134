import type {
  Coordinator,
  CreateCoordinatorRequest,
  HeartbeatReply,
} from '../../contracts/coordinator.js';
import type {
  CoordinatorDecision,
  CoordinatorDecisionRequest,
} from '../../contracts/coordinator-decision.js';
import type { MemberPage as Page } from './portfolio-types.js';
import type { Caller, Read } from './types.js';

/** What the routes may do with coordinator leases (RFC-0013). */
export interface CoordinatorGateway {
  createCoordinator(caller: Caller, request: CreateCoordinatorRequest): Promise<Coordinator>;
  getCoordinator(coordinatorId: string): Promise<Read<Coordinator>>;
  heartbeat(caller: Caller, coordinatorId: string): Promise<HeartbeatReply>;
  listCoordinators(intentId: string, page: Page): Promise<Read<readonly Coordinator[]>>;
  /** For who holds the lease, and an intent in its scope. */
  recordDecision(caller: Caller, request: CoordinatorDecisionRequest): Promise<CoordinatorDecision>;
}

/** What of coordinators the gateway reads from the store. Ids have the form of an entity's id. */
export interface CoordinatorReads {
  findCoordinator(id: string): Promise<Coordinator | undefined>;
  coordinatorsOf(intentId: string, page: Page): Promise<readonly Coordinator[]>;
}
