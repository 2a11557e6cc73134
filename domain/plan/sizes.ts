import { LIMITS } from '../../contracts/constants/limits.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { Task, TaskNews } from '../../contracts/plan/task.js';
import { jsonBytes } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';
import type { PlanState } from './state.js';
import type { TaskRules } from './task-state.js';

/** The parts of a plan whose size its author determines, by the fields of a request. */
interface PlanParts {
  readonly tasks?: unknown;
  readonly checkpoints?: unknown;
  readonly conditions?: unknown;
  readonly metadata?: unknown;
  readonly description?: unknown;
}

/** Returns the parts of a plan whose size its author determines, without the progress of its tasks. */
export function partsOf({ plan, members }: Pick<PlanState, 'plan' | 'members'>): PlanParts {
  const { checkpoints, conditions, metadata, workflow } = plan;
  const tasks = [plan.tasks, members.map(({ news: _news, ...member }) => member)];
  return { tasks, checkpoints, conditions, metadata, description: workflow };
}

/**
 * Refuses `state_too_large` for a plan that is too large for its workflow.
 *
 * @param field - what was written; the largest part by default
 */
export function checkPlanSize(parts: PlanParts, field = largestOf(parts)): Ruling<true> {
  const { planBytes: most } = LIMITS;
  if (jsonBytes(parts) <= most) return ok(true);
  const accepted = `at most ${most} bytes of JSON, with tasks, all checkpoints, conditions and metadata`;
  return refuse('state_too_large', 'The plan would be too large.', { field, accepted });
}

function largestOf(parts: object): string {
  const sizes = Object.entries(parts).map(([field, part]) => ({ field, bytes: jsonBytes(part) }));
  return sizes.reduce((most, one) => (one.bytes > most.bytes ? one : most)).field;
}

interface StartedTask {
  readonly task: Task;
  readonly upstream: readonly TaskNews[];
  readonly rules?: TaskRules;
}

/**
 * Refuses `state_too_large` for a task whose input is too large.
 *
 * @param field - its path in a request; its largest field by default
 */
export function checkTaskSize(started: StartedTask, field = largestOf(started.task)): Ruling<true> {
  if (jsonBytes(started) <= LIMITS.taskBytes) return ok(true);
  return refuse('state_too_large', 'The task would be too large.', {
    field,
    accepted: `at most ${LIMITS.taskBytes} bytes of JSON, with the dependencies, types and values that it refers to`,
  });
}

/**
 * Refuses `state_too_large` for a plan and its tasks that are together too large to start.
 *
 * @param fieldOf - path of a task in the request; without a task, that of all
 */
export function checkStart(
  {
    children,
    ...state
  }: Pick<PlanState, 'plan' | 'members'> & {
    readonly children: readonly StartedTask[];
  },
  fieldOf: (task?: Task) => string,
): Ruling<true> {
  const parts = partsOf(state);
  const largest = largestOf(parts);
  const plan = checkPlanSize(parts, largest === 'tasks' ? fieldOf() : largest);
  if (!plan.ok) return plan;
  for (const child of children) {
    const task = checkTaskSize(child, fieldOf(child.task));
    if (!task.ok) return task;
  }
  if (jsonBytes(children) <= LIMITS.planTasksBytes) return ok(true);
  return refuse('state_too_large', 'The tasks of the plan would be too large together.', {
    field: fieldOf(),
    accepted: `at most ${LIMITS.planTasksBytes} bytes of JSON, with the dependencies, types and values that each refers to`,
  });
}
