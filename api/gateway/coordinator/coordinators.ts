import { LIMITS } from '../../../contracts/constants/limits.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type {
  Coordinator,
  CoordinatorDecision,
  CoordinatorDecisionRequest,
  CreateCoordinatorRequest,
  HeartbeatReply,
} from '../../../contracts/coordinator.js';
import type { JsonObject } from '../../../contracts/primitives.js';
import {
  COORDINATOR_DECISION,
  checkDecision,
  decisionOf,
  isCoordinatorClosed,
  newCoordinator,
  nextHeartbeat,
} from '../../../domain/coordinator/coordinator.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { coordinatorsOf, findCoordinator } from '../../../store/queries/coordinator.js';
import { isMember } from '../../../store/queries/portfolio.js';
import { coordinatorQuery, heartbeatUpdate } from '../../../workflows/coordinator/messages.js';
import { creationQuery } from '../../../workflows/engine/messages.js';
import { coordinatorAttributes } from '../../../workflows/engine/search-attributes.js';
import { demand } from '../../errors.js';
import { nameFor, proven } from '../caller.js';
import type { Caller, Listed, Naming, Page } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import { createLiveRead, createLiveWrite } from '../calls/live.js';
import { createOnce } from '../calls/once.js';
import type { Creation, CreationOf } from '../calls/once.js';
import type { Temporal } from '../calls/temporal.js';
import type { OwnReach } from '../intent/access.js';
import type { Reads } from '../intent/reads.js';
import type { AppendEvent } from '../intent/writes.js';
import type { GetPortfolio } from '../portfolio/reads.js';
import type { Consistency } from '../reads/consistency.js';
import { referenced, refused } from '../refusals.js';
import { listAfter } from '../reads/from-store.js';
import type { FromStore } from '../reads/from-store.js';

interface LeaseDeps {
  readonly temporal: Pick<Temporal, 'start' | 'update' | 'query'>;
  readonly fromStore: FromStore;
  readonly creationOf: CreationOf;
  readonly clock: Pick<Clock, 'now'>;
  readonly readNamed: OwnReach['readNamed'];
  readonly getCoordinator: GetCoordinator;
  readonly getPortfolio: GetPortfolio;
  readonly consistency: Pick<Consistency, 'touch'>;
}

/** Throws the refusal, with its field, of what a coordinator names and its caller cannot read. */
async function demandScope(
  { readNamed, getPortfolio }: Pick<LeaseDeps, 'readNamed' | 'getPortfolio'>,
  caller: Caller,
  { intent_id, portfolio_id, own_intent_id }: Coordinator,
): Promise<void> {
  if (intent_id !== null) await referenced('intent_id', readNamed(caller, intent_id));
  if (portfolio_id !== null) await referenced('portfolio_id', getPortfolio(portfolio_id));
  if (own_intent_id !== null) await referenced('own_intent_id', readNamed(caller, own_intent_id));
}

/**
 * Takes and renews coordinator leases. Each throws `coordinator_not_found`, or what reading the scope throws.
 * Only the holder of the lease sends its heartbeat (`lease_not_found`), and only until the lease is over
 * (`coordinator_closed`).
 */
export function createCoordinators(deps: LeaseDeps) {
  const { temporal, clock, getCoordinator, consistency, creationOf } = deps;
  const write = createLiveWrite(temporal, 'coordinator', async (id) => {
    const { status } = (await getCoordinator(id)).value;
    const state = { coordinator_status: status };
    return refused('coordinator_closed', `The coordinator is ${status}.`, { state });
  });

  async function begin(
    caller: Caller,
    coordinator: Coordinator,
    { creation_hash }: Creation,
  ): Promise<Coordinator | 'exists'> {
    await demandScope(deps, caller, coordinator);
    const started = await temporal.start('coordinator', {
      workflowId: workflowIdOf('coordinator', coordinator.id),
      input: { coordinator, ...(creation_hash !== undefined && { creation_hash }) },
      summary: `Coordinator ${coordinator.agent_id}`,
      attributes: coordinatorAttributes(coordinator),
    });
    if (started === 'exists') return started;
    consistency.touch(coordinator.id, coordinator.version);
    return coordinator;
  }

  return {
    /** With an Idempotency-Key it is created once; see `createOnce`. */
    async createCoordinator(
      caller: Caller,
      request: CreateCoordinatorRequest,
      idempotencyKey?: string,
      naming: Naming = {},
    ): Promise<Coordinator> {
      const refusal = 'Only an admin key may make somebody else a coordinator.';
      const sent = { field: 'agent_id', name: request.agent_id, refusal };
      const agent_id = nameFor(caller, 'createCoordinator', sent, naming);
      // Where any name is taken, it says nothing about who holds the lease.
      const holder = naming.anyName ? caller.principal : agent_id;
      const granted_at = toInstant(clock.now());
      const creation = creationOf('coordinator', caller, idempotencyKey, request);
      const { id } = creation;
      const identity = { id, agent_id, holder, granted_at };
      return createOnce(deps, creation, {
        table: 'coordinators',
        definition: creationQuery,
        create: async () =>
          begin(caller, demand(newCoordinator(request, identity, LIMITS)), creation),
        viewOf: async () => (await getCoordinator(id)).value,
        read: getCoordinator,
      });
    },
    async heartbeat(caller: Caller, id: string): Promise<HeartbeatReply> {
      const next = await write(id, heartbeatUpdate, { by: proven(caller) });
      return { status: 'ok', next_heartbeat_at: nextHeartbeat(next) };
    },
  };
}

type GetCoordinator = ReturnType<typeof createCoordinatorReads>['getCoordinator'];

interface ReadDeps {
  readonly temporal: Pick<Temporal, 'query'>;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly consistency: Pick<Consistency, 'catchUpAll'>;
  readonly fromStore: FromStore;
}

/**
 * Reads of coordinators: one is read from its workflow, those of an intent from the store as of their last change
 * of status.
 * Each throws `coordinator_not_found`, or what reading the intent throws.
 */
export function createCoordinatorReads({ temporal, reads, consistency, fromStore }: ReadDeps) {
  const getCoordinator = createLiveRead(
    { temporal, fromStore },
    {
      type: 'coordinator',
      query: coordinatorQuery,
      view: (coordinator) => coordinator,
      stored: (id) => fromStore(findCoordinator, id),
      isOver: ({ status }) => isCoordinatorClosed(status),
    },
  );

  return {
    getCoordinator,
    async listCoordinators(intentId: string, page: Page): Promise<Listed<Coordinator>> {
      await reads.getIntent(intentId);
      return listAfter(consistency.catchUpAll(), () => fromStore(coordinatorsOf, intentId, page));
    },
  };
}

interface DecisionDeps {
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly getCoordinator: GetCoordinator;
  readonly appendEvent: AppendEvent;
  readonly consistency: Pick<Consistency, 'catchUp'>;
  readonly fromStore: FromStore;
}

/**
 * Records what a coordinator decided, as an event of the intent (RFC-0013 §4). Throws what `checkDecision`
 * refuses, `coordinator_not_found` and `intent_not_found` with their fields, what appending the event throws,
 * and `store_unavailable` if the store may not know all members of the portfolio.
 */
export function createDecisions(deps: DecisionDeps) {
  const { reads, getCoordinator, appendEvent, consistency, fromStore } = deps;

  async function isInPortfolio(portfolioId: string, intentId: string): Promise<boolean> {
    if ((await consistency.catchUp(portfolioId, 'portfolio')) === 'behind') {
      throw refused('store_unavailable', 'The store has not caught up with the portfolio.');
    }
    return fromStore(isMember, portfolioId, intentId);
  }

  return {
    /** Only the holder of the lease records decisions, and only for an intent in its scope. */
    async recordDecision(
      caller: Caller,
      request: CoordinatorDecisionRequest,
    ): Promise<CoordinatorDecision> {
      const { coordinator_id, intent_id, confidence = null } = request;
      const { value } = await referenced('coordinator_id', getCoordinator(coordinator_id));
      await referenced('intent_id', reads.getIntent(intent_id));
      const { portfolio_id } = value;
      const inPortfolio = portfolio_id !== null && (await isInPortfolio(portfolio_id, intent_id));
      demand(checkDecision(value, caller, intent_id, inPortfolio));
      const payload: JsonObject = { ...request, confidence };
      // The intent does not know who holds the coordinator's lease; it judges the event in its log.
      const action = 'logCoordinatorDecision';
      return decisionOf(
        await appendEvent(caller, action, intent_id, COORDINATOR_DECISION, payload),
      );
    },
  };
}
