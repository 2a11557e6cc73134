import { TASK_STATUSES } from '../../contracts/constants/statuses.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Plan, PlanMember, PlanProgress, PhasedPlanView } from '../../contracts/plan/plan.js';
import type { TaskNews, TaskStatus } from '../../contracts/plan/task.js';
import type { EventDraft } from '../intent/entity.js';
import { asMarkdown } from '../kernel/text.js';

/** A plan without what can be derived from its tasks. */
export type PlanRecord = Omit<Plan, 'members' | 'progress'>;

/** The part of a task's news that a plan stores; its member has the rest. */
export type KeptNews = Omit<TaskNews, 'task_id' | 'name' | 'output'>;

export interface Member extends Omit<PlanMember, 'status'> {
  readonly news: KeptNews | null;
}

export interface PlanState {
  readonly plan: PlanRecord;
  readonly members: readonly Member[];
  /** Counts all visible changes. */
  readonly revision: number;
  /** Whether somebody paused the plan; then no answer resumes it. */
  readonly paused_by_hand?: boolean;
  /** The question whose workflow has not started: nobody can answer it yet, so nobody is shown its id. */
  readonly starting?: string;
}

/** The tasks of a plan besides recording events. */
export type PlanDuty =
  | { readonly kind: 'ask_approval'; readonly checkpoint_id: string }
  | { readonly kind: 'ask_decision'; readonly task_id: string }
  | { readonly kind: 'withdraw'; readonly suspension_id: string }
  /** Retries a task. If `granted`, the attempt does not count against the task's own. */
  | {
      readonly kind: 'retry';
      readonly task_id: string;
      readonly attempt: number;
      readonly granted: boolean;
    }
  | { readonly kind: 'skip'; readonly task_id: string };

/** The next state, its events, and the tasks that follow. */
export interface PlanChange {
  readonly state: PlanState;
  readonly events: readonly EventDraft[];
  readonly duties: readonly PlanDuty[];
}

export function planUnchanged(state: PlanState): PlanChange {
  return { state, events: [], duties: [] };
}

/** Applies a second rule to the result of a first one. */
export function planThen(first: PlanChange, rule: (state: PlanState) => PlanChange): PlanChange {
  const second = rule(first.state);
  return {
    state: second.state,
    events: [...first.events, ...second.events],
    duties: [...first.duties, ...second.duties],
  };
}

/** Changes the plan itself. Adds one version and one revision. */
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

/** Returns an event of the plan. Its payload begins with the id of the plan. */
export function planEvent(
  { plan }: Pick<PlanState, 'plan'>,
  event_type: EventDraft['event_type'],
  actor: string,
  payload: JsonObject = {},
): EventDraft {
  return { event_type, actor, payload: { plan_id: plan.id, ...payload } };
}

/** Whether the plan waits for an operator, for an approval or about a failed task. */
export function isWaiting({ checkpoints, escalations }: PlanRecord): boolean {
  return (
    checkpoints.some(({ status }) => status === 'reached') ||
    escalations.some(({ status }) => status === 'open')
  );
}

/** Whether this change resumes the plan: it was paused, not by hand, and no question is open any more. */
export function goesOn(
  { plan, paused_by_hand = false }: PlanState,
  change: Partial<PlanRecord>,
): boolean {
  return plan.state === 'paused' && !paused_by_hand && !isWaiting({ ...plan, ...change });
}

export function openQuestions({ checkpoints, escalations }: PlanRecord): readonly string[] {
  const waiting = [
    ...checkpoints.filter(({ status }) => status === 'reached'),
    ...escalations.filter(({ status }) => status === 'open'),
  ];
  return waiting.flatMap(({ suspension_id }) => (suspension_id === null ? [] : [suspension_id]));
}

export function openTasks({ members }: PlanState): readonly string[] {
  return members
    .filter((one) => ['pending', 'ready', 'claimed', 'running', 'blocked'].includes(statusOf(one)))
    .map(({ task_id }) => task_id);
}

/** Returns the latest news of a task, or null before it has reported. */
export function newsOf({ task_id, name, news }: Member): TaskNews | null {
  return news && { task_id, name, ...news };
}

/** Returns the status of a task. Without news it is pending. */
export function statusOf({ news }: Member): TaskStatus {
  return news?.status ?? 'pending';
}

/** Returns the progress of a plan, with the tasks whose intents are suspended (R26-24, R26-26). */
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

/** Records the question of a checkpoint or a failed task. Readers see it once it has started. */
export function questionAsked(
  state: PlanState,
  suspension_id: string,
  fields: Partial<PlanRecord>,
): PlanChange {
  const plan = { ...state.plan, ...fields };
  return planUnchanged({ ...state, plan, starting: suspension_id });
}

/** The workflow of the question that was asked last has started. */
export function questionStarted({ starting: _starting, ...state }: PlanState, at: string) {
  return evolvePlan(state, at, {});
}

export function planView({ plan, members, starting }: PlanState): Plan {
  const shown = <T extends { readonly suspension_id: string | null }>(one: T): T =>
    starting !== undefined && one.suspension_id === starting
      ? { ...one, suspension_id: null }
      : one;
  return {
    ...plan,
    checkpoints: plan.checkpoints.map(shown),
    escalations: plan.escalations.map(shown),
    members: members.map(({ news, ...member }) => ({
      ...member,
      status: statusOf({ ...member, news }),
    })),
    progress: planProgress(members),
  };
}

/** Returns a phased plan as readers see it (R26-25), or undefined if the plan has no phases. */
export function phasedPlanView(plan: Plan): PhasedPlanView | undefined {
  if (plan.workflow === null) return undefined;
  const { id, intent_id, state, members, progress, created_by, created_at, updated_at } = plan;
  const { total, by_status, suspended_tasks } = progress;
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
      suspended_phases: suspended_tasks.flatMap(({ task_id, ...suspended }) =>
        members
          .filter((one) => one.task_id === task_id)
          .map(({ name }) => ({ phase_name: name, ...suspended })),
      ),
    },
    created_by,
    created_at,
    updated_at,
  };
}

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
