import { randomUUID } from 'node:crypto';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { Coordinator, CreateCoordinatorRequest } from '../../../contracts/coordinator.js';
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
import { coordinatorQuery, heartbeatUpdate } from '../../../workflows/coordinator/messages.js';
import { coordinatorAttributes } from '../../../workflows/engine/search-attributes.js';
import { RefusalError } from '../../errors.js';
import type { Clock } from '../calls/deadline.js';
import type { Ask } from '../calls/queries.js';
import type { Start } from '../calls/starts.js';
import type { Updates } from '../calls/updates.js';
import { fromCopy } from '../intent/reads.js';
import type { Reads } from '../intent/reads.js';
import type { Consistency } from '../reads/read-your-writes.js';
import type { FromStore } from '../reads/store-reads.js';
import { isEntityId, referenced } from '../references.js';
import { coordinatorNotFound, refused, writeUnavailable } from '../refusals.js';
import type { Caller, CoordinatorGateway, Gateway, PortfolioGateway, Read } from '../types.js';

type LeaseMethods = Pick<CoordinatorGateway, 'createCoordinator' | 'heartbeat'>;

interface LeaseDeps {
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
export function createCoordinators(deps: LeaseDeps): LeaseMethods {
  const { start, updates, clock, reads, getPortfolio, getCoordinator, consistency } = deps;

  async function begin(coordinator: Coordinator): Promise<Coordinator> {
    const { intent_id, portfolio_id, own_intent_id } = coordinator;
    if (intent_id !== null) await referenced('intent_id', reads.getIntent(intent_id));
    if (portfolio_id !== null) await referenced('portfolio_id', getPortfolio(portfolio_id));
    if (own_intent_id !== null) await referenced('own_intent_id', reads.getIntent(own_intent_id));
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

type ReadMethods = Pick<CoordinatorGateway, 'getCoordinator' | 'listCoordinators'>;

interface ReadDeps {
  readonly ask: Ask;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly consistency: Pick<Consistency, 'catchUpAll'>;
  readonly fromStore: FromStore;
}

/**
 * Reads of coordinators: one is asked itself, an intent's are the store's as of their last change of status.
 * Each throws `coordinator_not_found`, or what reading the intent throws.
 */
export function createCoordinatorReads({
  ask,
  reads,
  consistency,
  fromStore,
}: ReadDeps): ReadMethods {
  async function getCoordinator(id: string): Promise<Read<Coordinator>> {
    if (!isEntityId(id)) throw coordinatorNotFound();
    const asked = await ask(workflowIdOf('coordinator', id), coordinatorQuery);
    if (asked.kind === 'found') return { value: asked.value, stale: false };
    const copy = await fromStore((store) => store.findCoordinator(id));
    return fromCopy(asked, copy, ({ status }) => isCoordinatorClosed(status), coordinatorNotFound);
  }

  return {
    getCoordinator,
    async listCoordinators(intentId, page) {
      await reads.getIntent(intentId);
      const caughtUp = await consistency.catchUpAll();
      return {
        value: await fromStore((store) => store.coordinatorsOf(intentId, page)),
        stale: !caughtUp,
      };
    },
  };
}

interface DecisionDeps {
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly getCoordinator: CoordinatorGateway['getCoordinator'];
  readonly appendEvent: Gateway['appendEvent'];
  readonly consistency: Pick<Consistency, 'catchUp'>;
  readonly fromStore: FromStore;
}

/**
 * Records what a coordinator decided, as an event of the intent (RFC-0013 §4). Throws what `checkDecision`
 * refuses, `coordinator_not_found` and `intent_not_found` with their fields, what appending the event throws,
 * and `store_unavailable` where it cannot be told who the members of the portfolio are now.
 */
export function createDecisions(deps: DecisionDeps): Pick<CoordinatorGateway, 'recordDecision'> {
  const { reads, getCoordinator, appendEvent, consistency, fromStore } = deps;

  async function isMember(portfolioId: string, intentId: string): Promise<boolean> {
    if ((await consistency.catchUp(portfolioId, 'portfolio')) === 'behind') {
      throw refused('store_unavailable', 'The store has not caught up with the portfolio.');
    }
    return fromStore((store) => store.isMember(portfolioId, intentId));
  }

  return {
    async recordDecision(caller, request) {
      const { coordinator_id, intent_id, confidence = null } = request;
      const { value } = await referenced('coordinator_id', getCoordinator(coordinator_id));
      await referenced('intent_id', reads.getIntent(intent_id));
      const { portfolio_id } = value;
      const inPortfolio = portfolio_id !== null && (await isMember(portfolio_id, intent_id));
      const allowed = checkDecision(value, caller.principal, intent_id, inPortfolio);
      if (!allowed.ok) throw new RefusalError(allowed.refusal);
      const payload: JsonObject = { ...request, confidence };
      return decisionOf(await appendEvent(caller, intent_id, COORDINATOR_DECISION, payload));
    },
  };
}
