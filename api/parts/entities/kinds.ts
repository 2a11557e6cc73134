import type { QueryDefinition, UpdateDefinition } from '@temporalio/common';
import type { Part } from '../../../store/queries/bounded.js';
import type { CreatedTable } from '../../../store/queries/records.js';
import type { Store } from '../../../store/schema.js';
import type { RefusalError } from '../../errors.js';
import type { Read } from '../caller.js';
import { createLiveRead, createLiveWrite, demandKept, fromCopy } from '../calls/live.js';
import { createOnce, type Creation } from '../calls/once.js';
import type { Patient } from '../calls/patience.js';
import type { Temporal } from '../calls/temporal.js';
import { listAfter, type FromStore, type WarningLog } from '../reads/from-store.js';
import type { Consistency, Reads } from '../reads/reads.js';
import { workflowIdOf, type WorkflowType } from '../../../contracts/constants/names.js';
import type { Coordinator } from '../../../contracts/coordinator/coordinator.js';
import type { Plan } from '../../../contracts/plan/plan.js';
import type { Task } from '../../../contracts/plan/task.js';
import type { PortfolioView } from '../../../contracts/portfolio/portfolio.js';
import { isCoordinatorClosed } from '../../../domain/coordinator/coordinator.js';
import { isPlanOver } from '../../../domain/plan/plan.js';
import { isTaskOver } from '../../../domain/plan/task-state.js';
import { viewOfPortfolio } from '../../../domain/portfolio/view.js';
import { findCoordinator } from '../../../store/queries/coordinator.js';
import { findPlans, findTasks } from '../../../store/queries/plan.js';
import { findPortfolio } from '../../../store/queries/portfolio.js';
import { coordinatorQuery } from '../../../workflows/coordinator/messages.js';
import { creationQuery, type Created } from '../../../workflows/engine/messages.js';
import { planQuery, type PlanSnapshot } from '../../../workflows/plan/messages.js';
import { portfolioQuery, type PortfolioSnapshot } from '../../../workflows/portfolio/messages.js';
import { taskQuery } from '../../../workflows/task/messages.js';
import type { Clock } from '../calls/deadline.js';
import { ReadYourWrites } from '../reads/read-your-writes.js';
import type { SpaceMemory } from '../reads/write-memory.js';
import { demandEntityId, refused, workflowLost } from '../refusals.js';

/** The particulars of one kind of thing that has a workflow and a row in the store each. */
interface Kind<T, C extends Created> {
  readonly type: WorkflowType;
  /** Reads one from its workflow, then from the store. */
  readonly read: (id: string) => Promise<Read<T>>;
  /** Returns why one whose workflow has ended takes nothing more. */
  readonly refusalOfEnded: (value: T) => RefusalError;
  readonly table: CreatedTable;
  /** Asks a workflow what created it. */
  readonly creation: QueryDefinition<C>;
  /** The reply to a repeated creation; by default it is read. */
  readonly created?: (made: C, id: string) => T | Promise<T>;
  /** The writes of this replica that lists of the store have to show. */
  readonly writes: {
    readonly touch: (id: string, version: number) => void;
    readonly catchUp: () => Promise<boolean>;
  };
}

interface EntityDeps {
  readonly temporal: Temporal;
  readonly patientTemporal: Pick<Temporal, 'query'>;
  readonly patient: Patient;
  readonly fromStore: FromStore;
  readonly reads: Pick<Reads, 'getIntent'>;
}

/** Builds the functions that read, list, write and create things of one kind. */
function createEntity<T, C extends Created>(deps: EntityDeps, kind: Kind<T, C>) {
  const { temporal, patientTemporal, patient, fromStore, reads } = deps;
  const { type, read, table, creation: definition, writes } = kind;
  const known = patient(read);
  const { created: viewOf = async (_made: C, id: string) => (await known(id)).value } = kind;

  return {
    /** Throws `…_not_found`, `workflow_unavailable` if that cannot be decided, and `store_unavailable`. */
    read,
    /** Reads what a write refers to: it waits as long as a write for one that has just been created. */
    known,
    /** Remembers a write, so that lists wait for it. */
    touch(id: string, version: number): void {
      writes.touch(id, version);
    },
    /**
     * Sends one Update and returns its result. Throws what the workflow refuses with, what `known` throws, the
     * refusal of an ended one, and `workflow_unavailable` without a worker within 10 s: it may still be carried out.
     */
    write<R, A>(
      id: string,
      update: UpdateDefinition<R, [A]>,
      argument: A,
      refusalOfEnded = kind.refusalOfEnded,
    ): Promise<R> {
      const refusal = async (ended: string) => refusalOfEnded((await known(ended)).value);
      return createLiveWrite(temporal, type, refusal)(id, update, argument);
    },
    /** Creates one, or returns what the same key and body created before; see `createOnce`. */
    createOnce(creation: Creation, create: () => Promise<T | 'exists'>): Promise<T> {
      const memory = { temporal: patientTemporal, fromStore };
      return createOnce(memory, creation, { table, definition, create, viewOf, read: known });
    },
    /**
     * Returns what a query lists of an intent, once the store shows the writes of this replica. Throws
     * `intent_not_found`.
     */
    async listOf<Page, P extends Part<unknown>>(
      query: (db: Store, intentId: string, page: Page) => Promise<P>,
      intentId: string,
      page: Page,
    ) {
      await reads.getIntent(intentId);
      return listAfter(writes.catchUp(), () => fromStore(query, intentId, page));
    },
  };
}

interface Deps extends EntityDeps {
  readonly clock: Clock;
  readonly log: WarningLog;
  readonly consistency: Consistency;
  readonly memory: { readonly tasks: SpaceMemory<number>; readonly plans: SpaceMemory<number> };
}

/** The kinds that have a workflow and a row in the store each, besides intents and questions. */
export function createEntities(deps: Deps) {
  return {
    coordinators: createEntity(deps, coordinatorKind(deps)),
    portfolios: createEntity(deps, portfolioKind(deps)),
    tasks: createEntity(deps, taskKind(deps)),
    plans: createEntity(deps, planKind(deps)),
  };
}

/** The kinds whose lists wait until the store has caught up with all logs. */
function logged({ consistency }: Pick<Deps, 'consistency'>): Kind<never, never>['writes'] {
  return {
    touch: (id, version) => consistency.touch(id, version),
    catchUp: () => consistency.catchUpAll(),
  };
}

/** Leases of coordinators; the store has their state after the last change of status. */
function coordinatorKind(deps: Deps): Kind<Coordinator, Created> {
  const { fromStore } = deps;
  return {
    type: 'coordinator',
    table: 'coordinators',
    creation: creationQuery,
    read: createLiveRead(deps, {
      type: 'coordinator',
      query: coordinatorQuery,
      view: (coordinator) => coordinator,
      stored: (id) => fromStore(findCoordinator, id),
      isOver: ({ status }) => isCoordinatorClosed(status),
    }),
    refusalOfEnded({ status }) {
      const state = { coordinator_status: status };
      if (!isCoordinatorClosed(status)) return workflowLost('coordinator', state);
      return refused('coordinator_closed', `The coordinator is ${status}.`, { state });
    },
    writes: logged(deps),
  };
}

/** Portfolios. A closed one no longer observes its members, so the store counts them. */
function portfolioKind(deps: Deps): Kind<PortfolioView, PortfolioSnapshot> {
  const { temporal, fromStore, consistency } = deps;

  async function read(portfolioId: string): Promise<Read<PortfolioView>> {
    demandEntityId('portfolio', portfolioId);
    const asked = await temporal.query(workflowIdOf('portfolio', portfolioId), portfolioQuery);
    const live = asked.kind === 'done' ? asked.value.portfolio : undefined;
    if (live?.status === 'active') return { value: live, stale: false };
    const copy = await fromStore(findPortfolio, portfolioId);
    if (copy === undefined) await demandKept(fromStore, 'portfolio', portfolioId);
    if (live) {
      const counts = (copy ?? live).aggregate_status.by_status;
      return { value: viewOfPortfolio(live, counts), stale: false };
    }
    const missed = asked.kind === 'gone' ? asked : ({ kind: 'no_answer' } as const);
    return fromCopy('portfolio', missed, copy, ({ status }) => status !== 'active');
  }

  return {
    type: 'portfolio',
    table: 'portfolios',
    creation: portfolioQuery,
    async created({ portfolio, last_sequence }, id) {
      await consistency.hold(id, last_sequence);
      return portfolio;
    },
    read,
    refusalOfEnded({ status }) {
      const state = { portfolio_status: status };
      return status === 'active'
        ? workflowLost('portfolio', state)
        : refused('portfolio_closed', `The portfolio is ${status}.`, { state });
    },
    writes: logged(deps),
  };
}

/** Tasks. A failed one may be tried again, and may have been removed. */
function taskKind(deps: Deps): Kind<Task, Created> {
  const { fromStore, clock, log, memory } = deps;
  return {
    type: 'task',
    table: 'tasks',
    creation: creationQuery,
    read: createLiveRead(deps, {
      type: 'task',
      query: taskQuery,
      view: (task) => task,
      stored: async (id) => (await fromStore(findTasks, [id]))[0]?.task,
      isOver: ({ status }) => isTaskOver(status),
      mayBeRemoved: ({ status }) => isTaskOver(status) || status === 'failed',
    }),
    refusalOfEnded({ status }) {
      const state = { task_status: status };
      if (!isTaskOver(status)) return workflowLost('task', state);
      return refused('invalid_transition', `The task is ${status}.`, {
        field: 'status',
        accepted: 'nothing: the task is over',
        state,
      });
    },
    writes: createVersions({ clock, log, memory: memory.tasks }, async (ids) => {
      const found = await fromStore(findTasks, ids);
      return found.map(({ task }) => task);
    }),
  };
}

function planKind(deps: Deps): Kind<Plan, PlanSnapshot> {
  const { fromStore, clock, log, memory } = deps;
  return {
    type: 'plan',
    table: 'plans',
    creation: planQuery,
    created: ({ plan }) => plan,
    read: createLiveRead(deps, {
      type: 'plan',
      query: planQuery,
      view: ({ plan }) => plan,
      stored: async (id) => (await fromStore(findPlans, [id]))[0],
      isOver: ({ state }) => isPlanOver(state),
    }),
    refusalOfEnded({ state: plan_state }) {
      const state = { plan_state };
      if (!isPlanOver(plan_state)) return workflowLost('plan', state);
      return refused('invalid_transition', `The plan is ${plan_state}.`, {
        field: 'state',
        accepted: 'nothing: the plan is over',
        state,
      });
    },
    writes: createVersions({ clock, log, memory: memory.plans }, (ids) =>
      fromStore(findPlans, ids),
    ),
  };
}

export function createVersions(
  deps: Pick<Deps, 'clock' | 'log'> & { readonly memory: SpaceMemory<number> },
  find: (ids: readonly string[]) => Promise<readonly { id: string; version: number }[]>,
): ReadYourWrites<number> {
  return new ReadYourWrites<number>(deps, {
    missing: async (wanted) => {
      const found = await find([...wanted.keys()]);
      const stored = new Map(found.map(({ id, version }) => [id, version]));
      return [...wanted].flatMap(([id, version]) => ((stored.get(id) ?? 0) < version ? [id] : []));
    },
  });
}
