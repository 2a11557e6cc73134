import { workflowIdOf } from '../../../contracts/constants/names.js';
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
import { creationQuery } from '../../../workflows/engine/messages.js';
import type { Created } from '../../../workflows/engine/messages.js';
import { planQuery } from '../../../workflows/plan/messages.js';
import type { PlanSnapshot } from '../../../workflows/plan/messages.js';
import { portfolioQuery } from '../../../workflows/portfolio/messages.js';
import type { PortfolioSnapshot } from '../../../workflows/portfolio/messages.js';
import { taskQuery } from '../../../workflows/task/messages.js';
import type { Read } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import { createLiveRead, demandKept, fromCopy } from '../calls/live.js';
import type { Consistency } from '../reads/consistency.js';
import type { WarningLog } from '../reads/from-store.js';
import { ReadYourWrites } from '../reads/read-your-writes.js';
import type { SpaceMemory } from '../reads/write-memory.js';
import { demandEntityId, refused, workflowLost } from '../refusals.js';
import { createEntity } from './entity.js';
import type { EntityDeps, Kind } from './entity.js';

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

/** Leases of coordinators; the store has them as of their last change of status. */
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

/** Plans of tasks. */
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

/** Remembers which versions of tasks or plans this replica wrote, for lists of them. */
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
