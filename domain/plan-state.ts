import type { JsonObject } from '../contracts/json.js';
import type { Plan, PlanMember, PlanProgress, WorkflowView } from '../contracts/plan.js';
import type { TaskNews, TaskStatus } from '../contracts/task.js';
import type { EventDraft } from './intent-entity.js';

/** A plan without what follows from its tasks. */
export type PlanRecord = Omit<Plan, 'members' | 'progress'>;

/** A task of the plan, and the newest that is known of it. */
export interface Member extends Omit<PlanMember, 'status'> {
  readonly news: TaskNews | null;
}

export interface PlanState {
  readonly plan: PlanRecord;
  readonly members: readonly Member[];
  /** Counts every change that shows. */
  readonly revision: number;
}

/** The next state, the events that tell of it, and what is to be done. */
export interface PlanChange {
  readonly state: PlanState;
  readonly events: readonly EventDraft[];
  /** Checkpoints whose question is to be opened, by id. */
  readonly asks: readonly string[];
  /** Tasks to be tried again, by id. */
  readonly retries: readonly string[];
}

export function planUnchanged(state: PlanState): PlanChange {
  return { state, events: [], asks: [], retries: [] };
}

/** Applies a second rule to what the first left. */
export function planThen(first: PlanChange, rule: (state: PlanState) => PlanChange): PlanChange {
  const second = rule(first.state);
  return {
    state: second.state,
    events: [...first.events, ...second.events],
    asks: [...first.asks, ...second.asks],
    retries: [...first.retries, ...second.retries],
  };
}

/** A change of the plan itself: one version and one revision on. */
export function evolvePlan(
  state: PlanState,
  at: string,
  fields: Partial<PlanRecord>,
  ...events: readonly EventDraft[]
): PlanChange {
  const plan = { ...state.plan, ...fields, version: state.plan.version + 1, updated_at: at };
  const next = { ...state, plan, revision: state.revision + 1 };
  return { state: next, events, asks: [], retries: [] };
}

/** An event of the plan, whose id it names first. */
export function planEvent(
  { plan }: Pick<PlanState, 'plan'>,
  event_type: EventDraft['event_type'],
  actor: string,
  payload: JsonObject = {},
): EventDraft {
  return { event_type, actor, payload: { plan_id: plan.id, ...payload } };
}

/** A task that has not told anything yet is pending. */
export function statusOf({ news }: Member): TaskStatus {
  return news?.status ?? 'pending';
}

/** How far the plan has come; `suspended_tasks` names each task whose intent waits (R26-24, R26-26). */
export function planProgress(members: readonly Member[]): PlanProgress {
  return {
    total: members.length,
    by_status: countsOf(members),
    suspended_tasks: members.flatMap(({ task_id, news }) =>
      news?.suspension ? [{ task_id, ...news.suspension }] : [],
    ),
  };
}

function countsOf(members: readonly Member[]): PlanProgress['by_status'] {
  const counts = { ...NONE };
  for (const member of members) counts[statusOf(member)] += 1;
  return counts;
}

const NONE: Readonly<PlanProgress['by_status']> = {
  ...{ pending: 0, ready: 0, claimed: 0, running: 0, blocked: 0 },
  ...{ completed: 0, failed: 0, cancelled: 0, skipped: 0 },
};

/** The plan as it is read. */
export function planView({ plan, members }: PlanState): Plan {
  return {
    ...plan,
    members: members.map(({ news, ...member }) => ({
      ...member,
      status: statusOf({ ...member, news }),
    })),
    progress: planProgress(members),
  };
}

/** The same as a workflow with phases (R26-25); undefined where the plan is none. */
export function workflowView(plan: Plan): WorkflowView | undefined {
  if (plan.workflow === null) return undefined;
  const { id, intent_id, state, members, progress, created_by, created_at, updated_at } = plan;
  const { total, by_status, suspended_tasks } = progress;
  const nameOf = (taskId: string) => members.find(({ task_id }) => task_id === taskId)?.name ?? '';
  return {
    ...{ id, plan_id: id, intent_id, ...plan.workflow, state },
    phases: members.map(({ name, ...phase }) => ({ phase_name: name, ...phase })),
    progress: {
      ...{ total, by_status },
      suspended_phases: suspended_tasks.map(({ task_id, ...suspended }) => ({
        phase_name: nameOf(task_id),
        ...suspended,
      })),
    },
    ...{ created_by, created_at, updated_at },
  };
}
