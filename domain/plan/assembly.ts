import { LIMITS } from '../../contracts/constants/limits.js';
import type { Checkpoint, ConditionRequest } from '../../contracts/plan/plan.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { DeclaredTypes, Task, TaskDefinition, TaskNews } from '../../contracts/plan/task.js';
import { orderOf } from '../kernel/graph.js';
import { ok, refuse } from '../kernel/ruling.js';
import { REJECT, checkCheckpoint, type JudgedCheckpoint } from './checkpoints.js';
import { follow, isPlanOver } from './plan.js';
import {
  evolvePlan,
  planThen,
  type Member,
  type PlanChange,
  type PlanRecord,
  type PlanState,
} from './state.js';
import { checkPlanSize, partsOf } from './sizes.js';
import { keyOf, phaseOf } from './task-claim.js';
import { typesOf } from './task-output.js';
import type { TaskRules } from './task-state.js';
import { newTask } from './task.js';

/** The request for a plan, after `planFaults` found no mistakes. */
export interface PlanDraft extends Pick<
  PlanRecord,
  | 'id'
  | 'intent_id'
  | 'state'
  | 'on_failure'
  | 'on_complete'
  | 'metadata'
  | 'created_by'
  | 'created_at'
> {
  readonly definitions: readonly TaskDefinition[];
  readonly types: DeclaredTypes;
  readonly checkpoints: readonly JudgedCheckpoint[];
  readonly conditions: readonly ConditionRequest[];
  readonly existing: readonly Task[];
  readonly workflow: PlanRecord['workflow'];
  /** The values of `$trigger` and `$initial_state`. */
  readonly statics: { readonly trigger: JsonObject; readonly initial_state: JsonObject };
}

interface NewTask {
  readonly task: Task;
  readonly upstream: readonly TaskNews[];
  readonly rules: TaskRules;
}

interface AssembledPlan {
  readonly plan: PlanRecord;
  readonly members: readonly Member[];
  /** Each task comes after those it depends on. */
  readonly children: readonly NewTask[];
}

/** Creates the first record of a plan, with version 1, and gives its tasks their ids. */
export function assemblePlan(draft: PlanDraft, newId: () => string): AssembledPlan {
  const { definitions, existing, checkpoints, conditions } = draft;
  const ids = new Map(definitions.map(({ name }) => [name, newId()]));
  const idOf = (ref: string): string => ids.get(ref) ?? ref;
  const points = checkpointsOf(checkpoints, { idOf });
  const rules = conditions.map(({ id, task_id, ...rest }, index) => ({
    id: id ?? `cond_${index + 1}`,
    task_id: idOf(task_id),
    ...rest,
  }));
  const children = orderOf(definitions).ordered.map((one) => childOf(one, draft, idOf, rules));
  const started = definitions.map(({ name }) => idOf(name));
  const { id, intent_id, state, on_failure, on_complete, metadata, workflow } = draft;
  const { created_by, created_at } = draft;
  return {
    plan: {
      id,
      intent_id,
      version: 1,
      state,
      on_failure,
      on_complete,
      metadata,
      workflow,
      created_by,
      created_at,
      updated_at: created_at,
      tasks: [...started, ...existing.map((task) => task.id)],
      checkpoints: points,
      conditions: rules,
      escalations: [],
    },
    members: [
      ...started.flatMap((taskId) => children.filter(({ task }) => task.id === taskId)),
      ...existing.map((task) => ({ task })),
    ].map(({ task }) => memberOf(task)),
    children,
  };
}

export function memberOf({ id, name, intent_id, depends_on }: Task): Member {
  return { task_id: id, name, intent_id, depends_on, news: null };
}

/** Returns the news of a task that has not reported yet. */
export function initialNews({
  id,
  name,
}: {
  readonly id: string;
  readonly name: string;
}): TaskNews {
  return {
    task_id: id,
    revision: 0,
    name,
    status: 'pending',
    attempt: 1,
    max_attempts: 1,
    error: null,
    suspension: null,
  };
}

/** Creates the checkpoints of a plan. A checkpoint without an id gets the first free `cp_<n>`. */
export function checkpointsOf(
  requests: readonly JudgedCheckpoint[],
  { taken, idOf = (ref) => ref }: CheckpointNames = {},
): Checkpoint[] {
  const used = new Set<string | undefined>(taken);
  for (const { id } of requests) used.add(id);
  return requests.map(({ id = freeId(used), after_task, ...rest }) => {
    used.add(id);
    return {
      id,
      after_task: idOf(after_task),
      ...rest,
      // Only an approval lets the plan continue, whatever the rule says about votes.
      denials: [REJECT],
      status: 'pending' as const,
      suspension_id: null,
      decided_by: null,
    };
  });
}

interface CheckpointNames {
  readonly taken?: readonly string[];
  readonly idOf?: (ref: string) => string;
}

function freeId(used: ReadonlySet<string | undefined>): string {
  let number = 1;
  while (used.has(`cp_${number}`)) number += 1;
  return `cp_${number}`;
}

function childOf(
  { name, intent_id, depends_on, inputs, outputs, ...details }: TaskDefinition,
  draft: PlanDraft,
  idOf: (ref: string) => string,
  conditions: PlanRecord['conditions'],
): NewTask {
  const id = idOf(name);
  const { created_by, created_at, definitions, types, statics } = draft;
  const request = {
    ...details,
    name,
    intent_id: intent_id ?? draft.intent_id,
    plan_id: draft.id,
    depends_on: depends_on.map(idOf),
  };
  const blocks = definitions.flatMap((one) =>
    one.depends_on.includes(name) ? [idOf(one.name)] : [],
  );
  const condition = conditions.find(({ task_id }) => task_id === id);
  return {
    task: newTask(request, { id, created_by, created_at }, { inputs, outputs, blocks }),
    upstream: depends_on.map((one) => initialNews({ id: idOf(one), name: one })),
    rules: {
      types: typesOf(outputs, types),
      static_values: staticValues(Object.values(inputs), statics),
      condition: condition ? { id: condition.id, when: condition.when } : null,
    },
  };
}

function staticValues(
  refs: readonly string[],
  { trigger, initial_state }: PlanDraft['statics'],
): JsonObject {
  const known = refs.flatMap((ref): [string, JsonValue][] => {
    const [root, key] = [phaseOf(ref), keyOf(ref)];
    const source = root === '$trigger' ? trigger : root === '$initial_state' ? initial_state : {};
    return Object.hasOwn(source, key) ? [[ref, source[key] ?? null]] : [];
  });
  return Object.fromEntries(known);
}

/**
 * Adds tasks to a plan, and replaces the pending checkpoints. Refuses `invalid_transition` after its end;
 * `invalid_plan` for repeated tasks, more than `most` tasks, a checkpoint after an unknown task, repeated ids, or too
 * many checkpoints; `invalid_decision_rule`; and `state_too_large`.
 */
export function addMembers(
  state: PlanState,
  added: readonly Member[],
  most: number,
  at: string,
  checkpoints?: readonly Checkpoint[],
): Ruling<PlanChange> {
  const { plan } = state;
  if (isPlanOver(plan.state)) {
    return refuse('invalid_transition', `The plan is ${plan.state}.`, {
      state: { plan_state: plan.state },
    });
  }
  const members = [...state.members, ...added];
  const ids = members.map(({ task_id }) => task_id);
  if (ids.length > most || new Set(ids).size < ids.length) {
    const accepted = `at most ${most} tasks, each of them once`;
    return refuse('invalid_plan', 'The plan cannot have these tasks.', {
      field: 'tasks',
      accepted,
    });
  }
  const kept = plan.checkpoints.filter(({ status }) => status !== 'pending');
  const next = checkpoints ? [...kept, ...checkpoints] : plan.checkpoints;
  const stray = next.find(({ after_task }) => !ids.includes(after_task));
  if (stray) {
    const extra = { field: 'checkpoints', accepted: ids.join(', ') || 'a task of the plan' };
    return refuse('invalid_plan', `${stray.after_task} is no task of the plan.`, extra);
  }
  const rules = checkpoints?.map((checkpoint) => checkCheckpoint(checkpoint));
  const fault = rules?.find((rule) => !rule.ok);
  if (fault) return fault;
  const names = next.map(({ id }) => id);
  const twice = names.find((id, index) => names.indexOf(id) < index);
  if (twice !== undefined) {
    const extra = { field: 'checkpoints', accepted: 'each id once' };
    return refuse('invalid_plan', `Two checkpoints have the id ${twice}.`, extra);
  }
  if (next.length > LIMITS.planTasks) {
    const accepted = `at most ${LIMITS.planTasks} with those that were reached`;
    return refuse('invalid_plan', 'The plan would have too many checkpoints.', {
      field: 'checkpoints',
      accepted,
    });
  }
  const changed = evolvePlan({ ...state, members }, at, { tasks: ids, checkpoints: [...next] });
  const size = checkPlanSize(partsOf(changed.state), checkpoints ? 'checkpoints' : 'tasks');
  if (!size.ok) return size;
  return ok(planThen(changed, (known) => follow(known, at)));
}
