import { READ, WRITE, asCaller, forAnyone, operations } from './operation.js';

/** The leases of coordinators, and what they decide. */
export const COORDINATORS = operations({
  createCoordinator: {
    resource: 'coordinator',
    access: 'agent',
    refusals: ['intent_not_found', 'portfolio_not_found', 'deadline_in_past', ...READ],
    run: asCaller('createCoordinator'),
  },
  getCoordinator: {
    resource: 'coordinator',
    access: 'any',
    refusals: READ,
    run: forAnyone('getCoordinator'),
  },
  listCoordinators: {
    resource: 'intent',
    access: 'any',
    refusals: READ,
    run: forAnyone('listCoordinators'),
  },
  heartbeat: {
    resource: 'coordinator',
    access: 'agent',
    refusals: ['lease_not_found', 'coordinator_closed', ...WRITE],
    run: asCaller('heartbeat'),
  },
  /** By whoever holds the lease, for an intent in its scope. */
  recordDecision: {
    resource: 'coordinator',
    access: 'agent',
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

/** Registrations and signs of life of agents: no agent needs them to work. */
export const AGENTS = operations({
  registerAgent: {
    resource: 'agent',
    access: 'agent',
    refusals: ['store_unavailable'],
    run: asCaller('registerAgent'),
  },
  listAgents: {
    resource: 'agent',
    access: 'any',
    refusals: ['store_unavailable'],
    run: forAnyone('listAgents'),
  },
  getAgent: {
    resource: 'agent',
    access: 'any',
    refusals: ['agent_not_found', 'store_unavailable'],
    run: forAnyone('getAgent'),
  },
  beatAgent: {
    resource: 'agent',
    access: 'agent',
    refusals: ['agent_not_found', 'store_unavailable'],
    run: forAnyone('beatAgent'),
  },
  setAgentStatus: {
    resource: 'agent',
    access: 'agent',
    refusals: ['agent_not_found', 'store_unavailable'],
    run: forAnyone('setAgentStatus'),
  },
});
