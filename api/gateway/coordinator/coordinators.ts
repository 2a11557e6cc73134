import { randomUUID } from 'node:crypto';
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
import { coordinatorAttributes } from '../../../workflows/engine/search-attributes.js';
import { RefusalError } from '../../errors.js';
import type { Caller, Page, Read } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import { fromCopy } from '../intent/reads.js';
import type { Reads } from '../intent/reads.js';
import type { AppendEvent } from '../intent/writes.js';
import type { GetPortfolio } from '../portfolio/reads.js';
import type { Consistency } from '../reads/consistency.js';
import type { FromStore } from '../reads/from-store.js';
import { isEntityId, referenced } from '../references.js';
import { coordinatorNotFound, refused, writeUnavailable } from '../refusals.js';

interface LeaseDeps {
  readonly temporal: Pick<Temporal, 'start' | 'update'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly getCoordinator: GetCoordinator;
  readonly getPortfolio: GetPortfolio;
  readonly consistency: Pick<Consistency, 'touch'>;
}

/** The lease is the caller's, unless an admin grants it to another; the OpenIntent API checks no names. */
function holderOf(
  { principal, roles, openintent }: Caller,
  request: CreateCoordinatorRequest,
): string {
  const holder = request.agent_id ?? principal;
  if (holder === principal || roles.has('admin') || openintent !== undefined) return holder;
  throw refused('forbidden', 'Only an admin key may make somebody else a coordinator.', {
    field: 'agent_id',
    accepted: 'the principal of the key, or nothing',
  });
}

/**
 * Takes and renews coordinator leases. Each throws `coordinator_not_found`, or what its scope's read throws; a heartbeat is
 * for who holds the lease (`lease_not_found`), and refused with `coordinator_closed` once it is over.
 */
export function createCoordinators(deps: LeaseDeps) {
  const { temporal, clock, reads, getPortfolio, getCoordinator, consistency } = deps;

  async function begin(coordinator: Coordinator): Promise<Coordinator> {
    const { intent_id, portfolio_id, own_intent_id } = coordinator;
    if (intent_id !== null) await referenced('intent_id', reads.getIntent(intent_id));
    if (portfolio_id !== null) await referenced('portfolio_id', getPortfolio(portfolio_id));
    if (own_intent_id !== null) await referenced('own_intent_id', reads.getIntent(own_intent_id));
    await temporal.start('coordinator', {
      workflowId: workflowIdOf('coordinator', coordinator.id),
      input: { coordinator },
      summary: `Coordinator ${coordinator.agent_id}`,
      attributes: coordinatorAttributes(coordinator),
    });
    consistency.touch(coordinator.id, coordinator.version);
    return coordinator;
  }

  return {
    async createCoordinator(
      caller: Caller,
      request: CreateCoordinatorRequest,
    ): Promise<Coordinator> {
      const agent_id = holderOf(caller, request);
      const identity = { id: randomUUID(), agent_id, granted_at: toInstant(clock.now()) };
      const made = newCoordinator(request, identity, LIMITS);
      if (!made.ok) throw new RefusalError(made.refusal);
      return begin(made.value);
    },
    async heartbeat({ principal, openintent }: Caller, id: string): Promise<HeartbeatReply> {
      if (!isEntityId(id)) throw coordinatorNotFound();
      const actor = openintent ? (await getCoordinator(id)).value.agent_id : principal;
      const outcome = await temporal.update(workflowIdOf('coordinator', id), heartbeatUpdate, {
        actor,
      });
      if (outcome.kind === 'no_answer') throw writeUnavailable();
      if (outcome.kind === 'done') {
        return { status: 'ok', next_heartbeat_at: nextHeartbeat(outcome.value) };
      }
      const { status } = (await getCoordinator(id)).value;
      const state = { coordinator_status: status };
      throw refused('coordinator_closed', `The coordinator is ${status}.`, { state });
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
 * Reads of coordinators: one is asked itself, an intent's are the store's as of their last change of status.
 * Each throws `coordinator_not_found`, or what reading the intent throws.
 */
export function createCoordinatorReads({ temporal, reads, consistency, fromStore }: ReadDeps) {
  async function getCoordinator(id: string): Promise<Read<Coordinator>> {
    if (!isEntityId(id)) throw coordinatorNotFound();
    const asked = await temporal.query(workflowIdOf('coordinator', id), coordinatorQuery);
    if (asked.kind === 'done') return { value: asked.value, stale: false };
    const copy = await fromStore(findCoordinator, id);
    return fromCopy(asked, copy, ({ status }) => isCoordinatorClosed(status), coordinatorNotFound);
  }

  return {
    getCoordinator,
    async listCoordinators(intentId: string, page: Page): Promise<Read<readonly Coordinator[]>> {
      await reads.getIntent(intentId);
      const caughtUp = await consistency.catchUpAll();
      return {
        value: await fromStore(coordinatorsOf, intentId, page),
        stale: !caughtUp,
      };
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
 * and `store_unavailable` where the members of the portfolio are not known for sure.
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
    /** For who holds the lease, and an intent in its scope. */
    async recordDecision(
      caller: Caller,
      request: CoordinatorDecisionRequest,
    ): Promise<CoordinatorDecision> {
      const { coordinator_id, intent_id, confidence = null } = request;
      const { value } = await referenced('coordinator_id', getCoordinator(coordinator_id));
      await referenced('intent_id', reads.getIntent(intent_id));
      const { portfolio_id } = value;
      const inPortfolio = portfolio_id !== null && (await isInPortfolio(portfolio_id, intent_id));
      const allowed = checkDecision(value, caller.principal, intent_id, inPortfolio);
      if (!allowed.ok) throw new RefusalError(allowed.refusal);
      const payload: JsonObject = { ...request, confidence };
      return decisionOf(await appendEvent(caller, intent_id, COORDINATOR_DECISION, payload));
    },
  };
}
