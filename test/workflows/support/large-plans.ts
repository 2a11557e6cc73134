import { LIMITS } from '../../../contracts/constants/limits.js';
import type { Task } from '../../../contracts/plan/task.js';
import { assemblePlan, type PlanDraft } from '../../../domain/plan/assembly.js';
import { takeNews } from '../../../domain/plan/plan.js';
import {
  checkpointAsked,
  checkpointSettled,
  failureAsked,
  failureSettled,
} from '../../../domain/plan/questions.js';
import { checkStart } from '../../../domain/plan/sizes.js';
import { questionStarted, type PlanChange, type PlanState } from '../../../domain/plan/state.js';
import type { CarriedPlan } from '../../../workflows/plan/entity.js';
import { settled } from '../../domain/plan/plan-samples.js';
import { aDefinition } from '../../domain/plan/task-samples.js';
import { ID, INTENT_ID, OPENED_AT } from '../../domain/samples.js';
import { GUARD, ERROR, NAME, largest, sized } from './sizes.js';

export const most = Number.MAX_SAFE_INTEGER;
export const numbers = Array.from({ length: LIMITS.planTasks }, (_, number) => number);
const taskIdOf = (number: number) => `${String(number).padStart(8, '0')}${ID.slice(8)}`;
export const HASH = 'f'.repeat(64);

const DEFINITIONS = numbers.map((number) => aDefinition({ name: `t${number}` }));

/** Each has the checkpoint after it; what decides them comes on top of what the door counts. */
const DRAFT: PlanDraft = {
  id: ID,
  intent_id: INTENT_ID,
  state: 'active',
  on_failure: 'pause_and_escalate',
  on_complete: NAME,
  metadata: {},
  created_by: NAME,
  created_at: OPENED_AT,
  definitions: DEFINITIONS,
  types: {},
  checkpoints: numbers.map((number) => ({
    id: `${number}`,
    name: null,
    after_task: `t${number}`,
    requires_approval: true,
    approvers: [],
    timeout_hours: null,
    on_timeout: 'escalate',
  })),
  conditions: [],
  existing: [],
  workflow: null,
  statics: { trigger: {}, initial_state: {} },
};

export const fieldOf = (task?: Pick<Task, 'name'>) => (task ? `tasks.${task.name}` : 'tasks');

export function assembled(fields: Partial<PlanDraft>) {
  let last = 0;
  return assemblePlan({ ...DRAFT, ...fields }, () => taskIdOf((last += 1)));
}

/** With as much metadata as the plan may have, and `more` bytes. */
export function filled(more = 0) {
  const planOf = (bytes: number) => assembled({ metadata: { text: sized(bytes) } });
  return planOf(largest((bytes) => checkStart(planOf(bytes), fieldOf).ok, LIMITS.planBytes) + more);
}

/** As many tasks as may be, each with so much metadata that together they are as large as may be, and `more` bytes. */
export function largestTasks(more = 0) {
  const planOf = (bytes: number) =>
    assembled({
      definitions: DEFINITIONS.map((one) => ({ ...one, metadata: { text: sized(bytes) } })),
    });
  return planOf(
    largest(
      (bytes) => checkStart(planOf(bytes), fieldOf).ok,
      LIMITS.planTasksBytes / LIMITS.planTasks,
    ) + more,
  );
}

/** Every task but the last was asked about after it failed, was skipped, and its checkpoint was approved. */
export function allButOneDecided(start: PlanState): PlanState {
  const last = start.members.at(-1)?.task_id;
  return decided(start, (task_id) => task_id !== last);
}

/** Those tasks were asked about after they failed, were skipped, and their checkpoints are approved. */
export function decided(start: PlanState, isDecided = (_taskId: string) => true): PlanState {
  const by = { responded_by: NAME, settled_at: OPENED_AT };
  let state = start;
  const then = (rule: (known: PlanState) => PlanChange) => {
    ({ state } = rule(state));
  };
  for (const { task_id, name } of start.members) {
    if (!isDecided(task_id)) continue;
    const news = {
      task_id,
      name,
      attempt: LIMITS.attempts,
      max_attempts: LIMITS.attempts,
      suspension: { intent_id: INTENT_ID, suspended_since: OPENED_AT, expires_at: OPENED_AT },
      dependents_held_by: ID,
      final: true,
    } as const;
    const failed = { ...news, revision: most - 1, status: 'failed', error: ERROR } as const;
    then((known) => takeNews(known, failed, OPENED_AT));
    then((known) => failureAsked(known, task_id, task_id));
    then((known) => questionStarted(known, OPENED_AT));
    const skipped = settled({ ...by, id: task_id, response: 'skip' });
    then((known) => failureSettled(known, skipped, OPENED_AT));
    const over = { ...news, revision: most, status: 'skipped', error: null } as const;
    then((known) => takeNews(known, over, OPENED_AT));
    const checkpoint = state.plan.checkpoints.find(({ after_task }) => after_task === task_id);
    then((known) => checkpointAsked(known, checkpoint?.id ?? '', task_id));
    then((known) => questionStarted(known, OPENED_AT));
    if (task_id === start.members.at(-1)?.task_id) break;
    const approved = settled({ ...by, id: task_id, response: 'approve' });
    then((known) => checkpointSettled(known, approved, OPENED_AT));
  }
  return state;
}

/** What it keeps, but for what is still on its way. */
export function kept({ members }: PlanState): Omit<CarriedPlan, 'state'> {
  const ids = members.map(({ task_id }) => task_id);
  return {
    gates: ids.map((id) => [id, { revision: most, open: false, held: 'checkpoint' }] as const),
    duties: ids.map((task_id) => ({ kind: 'retry', task_id, attempt: most, granted: false })),
    observing: ids.map((id) => [id, 'unobserve'] as const),
    intent: { intent_id: ids[0] ?? '', version: most, last_sequence: most, guard: GUARD },
    unsent_events: [],
    unwritten: [],
  };
}
