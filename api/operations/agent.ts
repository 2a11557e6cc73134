import {
  IN_BODY,
  START,
  WRITE,
  asCaller,
  forAnyone,
  operations,
  read,
  readOf,
  storeRead,
} from './operation.js';
import { readable } from './visibility.js';

/** The leases of coordinators, and what they decide. */
export const COORDINATORS = operations({
  createCoordinator: {
    resource: 'coordinator',
    refusals: ['intent_not_found', 'portfolio_not_found', 'deadline_in_past', ...START],
    intentIn: IN_BODY,
    run: asCaller('createCoordinator'),
  },
  getCoordinator: read('coordinator', (call, coordinatorId: string) =>
    readable(call, 'listCoordinators', call.gateway.getCoordinator(coordinatorId)),
  ),
  listCoordinators: readOf(forAnyone('listCoordinators')),
  heartbeat: {
    resource: 'coordinator',
    refusals: ['lease_not_found', 'coordinator_closed', ...WRITE],
    run: asCaller('heartbeat'),
  },
  /** Only by the holder of the lease, for an intent in its scope. */
  recordDecision: {
    resource: 'coordinator',
    refusals: [
      'coordinator_not_found',
      'lease_not_found',
      'coordinator_closed',
      'outside_scope',
      'intent_not_found',
      'intent_closed',
      ...WRITE,
    ],
    run: asCaller('recordDecision'),
  },
});

/** Registrations and heartbeats of agents: no agent needs them to work. */
export const AGENTS = operations({
  registerAgent: {
    resource: 'agent',
    refusals: ['store_unavailable'],
    run: asCaller('registerAgent'),
  },
  listAgents: storeRead('agent', forAnyone('listAgents')),
  getAgent: {
    resource: 'agent',
    refusals: ['agent_not_found', 'store_unavailable'],
    run: forAnyone('getAgent'),
  },
  beatAgent: {
    resource: 'agent',
    refusals: ['agent_not_found', 'store_unavailable'],
    run: asCaller('beatAgent'),
  },
  setAgentStatus: {
    resource: 'agent',
    refusals: ['agent_not_found', 'store_unavailable'],
    run: asCaller('setAgentStatus'),
  },
});
