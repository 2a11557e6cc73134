import type {
  Coordinator,
  CreateCoordinatorRequest,
  HeartbeatReply,
} from '../../contracts/coordinator.js';
import type { Caller, Read } from './types.js';

/** What the routes may do with coordinator leases (RFC-0013). */
export interface CoordinatorGateway {
  createCoordinator(caller: Caller, request: CreateCoordinatorRequest): Promise<Coordinator>;
  getCoordinator(coordinatorId: string): Promise<Read<Coordinator>>;
  heartbeat(caller: Caller, coordinatorId: string): Promise<HeartbeatReply>;
  listCoordinators(intentId: string): Promise<Read<readonly Coordinator[]>>;
}

/** What of coordinators the gateway reads from the store. Ids have the form of an entity's id. */
export interface CoordinatorReads {
  findCoordinator(id: string): Promise<Coordinator | undefined>;
  coordinatorsOf(intentId: string): Promise<readonly Coordinator[]>;
}
