import { randomUUID } from 'node:crypto';
import { LIMITS } from '../../contracts/constants/limits.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { Coordinator, CreateCoordinatorRequest } from '../../contracts/coordinator.js';
import { newCoordinator, nextHeartbeat } from '../../domain/coordinator.js';
import { toInstant } from '../../domain/time.js';
import { heartbeatUpdate } from '../../workflows/coordinator/messages.js';
import { coordinatorAttributes } from '../../workflows/support/attributes.js';
import { RefusalError } from '../errors.js';
import type { Clock } from './clock.js';
import type { Consistency } from './consistency.js';
import type { CoordinatorGateway } from './coordinator-types.js';
import { isEntityId } from './ids.js';
import { named } from './named.js';
import type { PortfolioGateway } from './portfolio-types.js';
import type { Reads } from './reads.js';
import { coordinatorNotFound, refused, writeUnavailable } from './refusals.js';
import type { Start } from './starts.js';
import type { Caller } from './types.js';
import type { Updates } from './updates.js';

type Methods = Pick<CoordinatorGateway, 'createCoordinator' | 'heartbeat'>;

interface Deps {
  readonly start: Start;
  readonly updates: Updates;
  readonly clock: Pick<Clock, 'now'>;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly getCoordinator: CoordinatorGateway['getCoordinator'];
  readonly getPortfolio: PortfolioGateway['getPortfolio'];
  readonly consistency: Pick<Consistency, 'touch'>;
}

/** The lease is the caller's, unless an admin grants it to another; the compatible door checks no names. */
function holderOf({ principal, roles, door }: Caller, request: CreateCoordinatorRequest): string {
  const holder = request.agent_id ?? principal;
  if (holder === principal || roles.has('admin') || door !== undefined) return holder;
  throw refused('forbidden', 'Only an admin key may make somebody else a coordinator.', {
    field: 'agent_id',
    accepted: 'the principal of the key, or nothing',
  });
}

/**
 * Takes and renews coordinator leases. Each throws `coordinator_not_found`, or what its scope's read throws; a heartbeat is
 * for who holds the lease (`lease_not_found`), and refused with `coordinator_closed` once it is over.
 */
export function createCoordinators(deps: Deps): Methods {
  const { start, updates, clock, reads, getPortfolio, getCoordinator, consistency } = deps;

  async function begin(coordinator: Coordinator): Promise<Coordinator> {
    const { intent_id, portfolio_id, own_intent_id } = coordinator;
    if (intent_id !== null) await named('intent_id', reads.getIntent(intent_id));
    if (portfolio_id !== null) await named('portfolio_id', getPortfolio(portfolio_id));
    if (own_intent_id !== null) await named('own_intent_id', reads.getIntent(own_intent_id));
    await start('coordinator', {
      workflowId: workflowIdOf('coordinator', coordinator.id),
      input: { coordinator },
      summary: `Coordinator ${coordinator.agent_id}`,
      attributes: coordinatorAttributes(coordinator),
    });
    consistency.touch(coordinator.id, coordinator.version);
    return coordinator;
  }

  return {
    async createCoordinator(caller, request) {
      const agent_id = holderOf(caller, request);
      const identity = { id: randomUUID(), agent_id, granted_at: toInstant(clock.now()) };
      const made = newCoordinator(request, identity, LIMITS);
      if (!made.ok) throw new RefusalError(made.refusal);
      return begin(made.value);
    },
    async heartbeat({ principal, door }, id) {
      if (!isEntityId(id)) throw coordinatorNotFound();
      const actor = door ? (await getCoordinator(id)).value.agent_id : principal;
      const outcome = await updates.send(workflowIdOf('coordinator', id), heartbeatUpdate, {
        actor,
      });
      if (outcome.kind === 'no_worker') throw writeUnavailable();
      if (outcome.kind === 'done') {
        return { status: 'ok', next_heartbeat_at: nextHeartbeat(outcome.value) };
      }
      const { status } = (await getCoordinator(id)).value;
      const state = { coordinator_status: status };
      throw refused('coordinator_closed', `The coordinator is ${status}.`, { state });
    },
  };
}
