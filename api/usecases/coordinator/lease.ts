import { defined } from '../../../contracts/constants/defined.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type {
  Coordinator,
  CreateCoordinatorRequest,
  HeartbeatReply,
} from '../../../contracts/coordinator/coordinator.js';
import { newCoordinator, nextHeartbeat } from '../../../domain/coordinator/coordinator.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { coordinatorsOf } from '../../../store/queries/coordinator.js';
import { heartbeatUpdate } from '../../../workflows/coordinator/messages.js';
import { coordinatorAttributes } from '../../../workflows/engine/search-attributes.js';
import { demand } from '../../errors.js';
import { nameFor, proven } from '../../parts/caller.js';
import type { Listed, Naming, Page, Read } from '../../parts/caller.js';
import type { Creation } from '../../parts/calls/once.js';
import { referenced } from '../../parts/refusals.js';
import { FIRST, IN_BODY, READ, START, WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { readable } from '../visibility.js';

/** With an Idempotency-Key the lease is taken once. */
export const createCoordinator = useCase({
  name: 'createCoordinator',
  resource: 'coordinator',
  refusals: ['intent_not_found', 'portfolio_not_found', 'deadline_in_past', ...START],
  intentIn: IN_BODY,
  async run(
    call: Call,
    request: CreateCoordinatorRequest,
    key?: string,
    naming: Naming = {},
  ): Promise<Coordinator> {
    const { caller, parts } = call;
    const refusal = 'Only an admin key may make somebody else a coordinator.';
    const sent = { field: 'agent_id', name: request.agent_id, refusal };
    const agent_id = nameFor(caller, 'createCoordinator', sent, naming);
    // Where any name is taken, it says nothing about who holds the lease.
    const holder = naming.anyName ? caller.principal : agent_id;
    const granted_at = toInstant(parts.clock.now());
    const creation = parts.creationOf('coordinator', caller, key, request);
    const identity = { id: creation.id, agent_id, holder, granted_at };
    return parts.coordinators.createOnce(creation, async () =>
      begin(call, demand(newCoordinator(request, identity, LIMITS)), creation),
    );
  },
});

async function begin(
  call: Call,
  coordinator: Coordinator,
  { creation_hash }: Creation,
): Promise<Coordinator | 'exists'> {
  const { temporal, coordinators } = call.parts;
  await demandScope(call, coordinator);
  const started = await temporal.start('coordinator', {
    workflowId: workflowIdOf('coordinator', coordinator.id),
    input: { coordinator, ...defined({ creation_hash }) },
    summary: `Coordinator ${coordinator.agent_id}`,
    attributes: coordinatorAttributes(coordinator),
  });
  if (started === 'exists') return started;
  coordinators.touch(coordinator.id, coordinator.version);
  return coordinator;
}

/** Throws the refusal, with its field, of what a coordinator names and its caller cannot read. */
async function demandScope(
  { caller, parts: { readNamed, portfolios } }: Call,
  { intent_id, portfolio_id, own_intent_id }: Coordinator,
): Promise<void> {
  if (intent_id !== null) await referenced('intent_id', readNamed(caller, intent_id));
  if (portfolio_id !== null) await referenced('portfolio_id', portfolios.known(portfolio_id));
  if (own_intent_id !== null) await referenced('own_intent_id', readNamed(caller, own_intent_id));
}

export const getCoordinator = useCase({
  name: 'getCoordinator',
  resource: 'coordinator',
  refusals: READ,
  async run(call: Call, coordinatorId: string): Promise<Read<Coordinator>> {
    return readable(call, 'listCoordinators', call.parts.coordinators.read(coordinatorId));
  },
});

/** The coordinators of an intent, as of their last change of status. */
export const listCoordinators = useCase({
  name: 'listCoordinators',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  async run({ parts }: Call, intentId: string, page: Page): Promise<Listed<Coordinator>> {
    return parts.coordinators.listOf(coordinatorsOf, intentId, page);
  },
});

/** Renews the lease; only its holder does (`lease_not_found`). */
export const heartbeat = useCase({
  name: 'heartbeat',
  resource: 'coordinator',
  refusals: ['lease_not_found', 'coordinator_closed', ...WRITE],
  async run({ caller, parts }: Call, id: string): Promise<HeartbeatReply> {
    const next = await parts.coordinators.write(id, heartbeatUpdate, { by: proven(caller) });
    return { status: 'ok', next_heartbeat_at: nextHeartbeat(next) };
  },
});
