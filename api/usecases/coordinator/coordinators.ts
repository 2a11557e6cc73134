import type {
  Coordinator,
  CoordinatorDecision,
  CoordinatorDecisionRequest,
  CreateCoordinatorRequest,
  HeartbeatReply,
} from '../../../contracts/coordinator/coordinator.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import {
  COORDINATOR_DECISION,
  checkDecision,
  decisionOf,
  newCoordinator,
  nextHeartbeat,
} from '../../../domain/coordinator/coordinator.js';
import { isMember } from '../../../store/queries/portfolio.js';
import { demand } from '../../errors.js';
import { referenced, refused } from '../../parts/refusals.js';
import { addRecord } from '../event/events.js';
import { FIRST, IN_BODY, READ, START, WRITE, useCase, type Call } from '../usecase.js';
import { defined } from '../../../contracts/constants/defined.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { coordinatorsOf } from '../../../store/queries/coordinator.js';
import { heartbeatUpdate } from '../../../workflows/coordinator/messages.js';
import { coordinatorAttributes } from '../../../workflows/engine/search-attributes.js';
import {
  nameFor,
  proven,
  type Listed,
  type Naming,
  type Page,
  type Read,
} from '../../parts/caller.js';
import type { Creation } from '../../parts/calls/once.js';
import { readable } from '../visibility.js';

/**
 * Records a coordinator's decision as an event of the intent (RFC-0013 §4). Only the holder of the lease may do so,
 * for an intent in its scope.
 */
export const recordDecision = useCase({
  name: 'recordDecision',
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
  async run(call: Call, request: CoordinatorDecisionRequest): Promise<CoordinatorDecision> {
    const { caller, parts } = call;
    const { coordinator_id, intent_id, confidence = null } = request;
    const { value } = await referenced('coordinator_id', parts.coordinators.known(coordinator_id));
    await referenced('intent_id', parts.patientReads.getIntent(intent_id));
    const { portfolio_id } = value;
    const inPortfolio =
      portfolio_id !== null && (await isInPortfolio(call, portfolio_id, intent_id));
    demand(checkDecision(value, caller, intent_id, inPortfolio));
    const payload: JsonObject = { ...request, confidence };
    // The intent does not know who holds the coordinator's lease; it judges the event in its log.
    const action = 'logCoordinatorDecision';
    return decisionOf(await addRecord(call, action, intent_id, COORDINATOR_DECISION, payload));
  },
});

/** Whether the intent belongs to the portfolio. Throws `store_unavailable` if the store may not know all members. */
async function isInPortfolio(
  { parts: { consistency, fromStore } }: Call,
  portfolioId: string,
  intentId: string,
): Promise<boolean> {
  if ((await consistency.catchUp(portfolioId, 'portfolio')) === 'behind') {
    throw refused('store_unavailable', 'The store has not caught up with the portfolio.');
  }
  return fromStore(isMember, portfolioId, intentId);
}

/** Takes a lease for a coordinator; with an Idempotency-Key once. */
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
    // In an API that accepts any name, the name does not say who holds the lease.
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

/** Throws the refusal, with its field, for an intent or portfolio that the caller cannot read. */
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

/** Lists the coordinators of an intent, each after its last change of status. */
export const listCoordinators = useCase({
  name: 'listCoordinators',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  async run({ parts }: Call, intentId: string, page: Page): Promise<Listed<Coordinator>> {
    return parts.coordinators.listOf(coordinatorsOf, intentId, page);
  },
});

/** Renews the lease, for its holder only (`lease_not_found`). */
export const heartbeat = useCase({
  name: 'heartbeat',
  resource: 'coordinator',
  refusals: ['lease_not_found', 'coordinator_closed', ...WRITE],
  async run({ caller, parts }: Call, id: string): Promise<HeartbeatReply> {
    const next = await parts.coordinators.write(id, heartbeatUpdate, { by: proven(caller) });
    return { status: 'ok', next_heartbeat_at: nextHeartbeat(next) };
  },
});
