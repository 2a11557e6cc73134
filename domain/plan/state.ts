import { TASK_STATUSES } from '../../contracts/constants/statuses.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { Plan, PlanMember, PlanProgress, PhasedPlanView } from '../../contracts/plan.js';
import type { TaskNews, TaskStatus } from '../../contracts/task.js';
import type { EventDraft } from '../intent/entity.js';
import { asMarkdown } from '../kernel/text.js';

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
  /** Whether somebody paused it, so that no answer lets it go on. */
  readonly paused_by_hand?: boolean;
}

/** What takes more than telling. */
export type PlanDuty =
  /** Opens the question of a checkpoint. */
  | { readonly kind: 'ask_approval'; readonly checkpoint_id: string }
  /** Opens the question what becomes of a task that failed. */
  | { readonly kind: 'ask_decision'; readonly task_id: string }
  | { readonly kind: 'withdraw'; readonly suspension_id: string }
  /** Tries a task again; `granted` comes on top of its attempts. */
  | {
      readonly kind: 'retry';
      readonly task_id: string;
      readonly attempt: number;
      readonly granted: boolean;
    }
  | { readonly kind: 'skip'; readonly task_id: string };

/** The next state, the events that tell of it, and what is to be done. */
export interface PlanChange {
  readonly state: PlanState;
  readonly events: readonly EventDraft[];
  readonly duties: readonly PlanDuty[];
}

export function planUnchanged(state: PlanState): PlanChange {
  return { state, events: [], duties: [] };
}

/** Applies a second rule to what the first left. */
export function planThen(first: PlanChange, rule: (state: PlanState) => PlanChange): PlanChange {
  const second = rule(first.state);
  return {
    state: second.state,
    events: [...first.events, ...second.events],
    duties: [...first.duties, ...second.duties],
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
  return { state: next, events, duties: [] };
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

/** Whether the plan waits for an operator: for an approval, or a decision about a task that failed. */
export function isWaiting({ checkpoints, escalations }: PlanRecord): boolean {
  return (
    checkpoints.some(({ status }) => status === 'reached') ||
    escalations.some(({ status }) => status === 'open')
  );
}

/** Whether the plan goes on by itself after this change: all that it waited for is answered. */
export function goesOn(
  { plan, paused_by_hand = false }: PlanState,
  change: Partial<PlanRecord>,
): boolean {
  return plan.state === 'paused' && !paused_by_hand && !isWaiting({ ...plan, ...change });
}

/** The questions of the plan that are open, by their suspensions' ids. */
export function openQuestions({ checkpoints, escalations }: PlanRecord): readonly string[] {
  const waiting = [
    ...checkpoints.filter(({ status }) => status === 'reached'),
    ...escalations.filter(({ status }) => status === 'open'),
  ];
  return waiting.flatMap(({ suspension_id }) => (suspension_id === null ? [] : [suspension_id]));
}

/** The tasks on which something is still to be done, by id. */
export function openTasks({ members }: PlanState): readonly string[] {
  return members
    .filter((one) => ['pending', 'ready', 'claimed', 'running', 'blocked'].includes(statusOf(one)))
    .map(({ task_id }) => task_id);
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
  const counts = Object.fromEntries(TASK_STATUSES.map((status) => [status, 0])) as Record<
    TaskStatus,
    number
  >;
  for (const member of members) counts[statusOf(member)] += 1;
  return counts;
}

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
export function phasedPlanView(plan: Plan): PhasedPlanView | undefined {
  if (plan.workflow === null) return undefined;
  const { id, intent_id, state, members, progress, created_by, created_at, updated_at } = plan;
  const { total, by_status, suspended_tasks } = progress;
  const nameOf = (taskId: string) => members.find(({ task_id }) => task_id === taskId)?.name ?? '';
  return {
    id,
    plan_id: id,
    intent_id,
    ...plan.workflow,
    state,
    phases: members.map(({ name, ...phase }) => ({ phase_name: name, ...phase })),
    progress: {
      total,
      by_status,
      suspended_phases: suspended_tasks.map(({ task_id, ...suspended }) => ({
        phase_name: nameOf(task_id),
        ...suspended,
      })),
    },
    created_by,
    created_at,
    updated_at,
  };
}

/** What an engineer reads of a plan in the Temporal UI. Markdown. */
export function describePlan({ state, version, members, progress, workflow }: Plan): string {
  const waiting = progress.suspended_tasks.length;
  return [
    `**${asMarkdown(workflow?.title ?? 'Plan')}**`,
    '',
    `- State: \`${state}\`, version ${version}`,
    ...(waiting > 0 ? [`- ${waiting} of ${members.length} tasks wait for an operator`] : []),
    ...members.map(({ name, status }) => `- ${asMarkdown(name)}: \`${status}\``),
  ].join('\n');
}
