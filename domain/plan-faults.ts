import type { FieldIssue } from '../contracts/field-issues.js';
import type { JsonObject } from '../contracts/json.js';
import type { DeclaredTypes } from '../contracts/phase-io.js';
import type { CheckpointRequest, ConditionRequest } from '../contracts/plan.js';
import type { Refusal } from '../contracts/refusal.js';
import type { TaskDefinition } from '../contracts/task.js';
import { CONDITION_FORM, parseCondition } from './condition.js';
import { wiringFaults, type WiringFault } from './phase-wiring.js';
import { orderOf } from './task-order.js';

/** What a plan is to be made of. */
export interface PlanParts {
  readonly definitions: readonly TaskDefinition[];
  readonly types: DeclaredTypes;
  readonly checkpoints: readonly CheckpointRequest[];
  readonly conditions: readonly ConditionRequest[];
  /** Ids of tasks that exist. */
  readonly existing: readonly string[];
  /** Path of a definition in the request. */
  readonly fieldOf: (definition: { readonly name: string }, index: number) => string;
}

/** Why there can be no such plan: the first fault as the refusal, and all of them. */
interface PlanFaults {
  readonly refusal: Refusal;
  readonly issues: readonly FieldIssue[];
}

/**
 * Everything that is wrong with a plan before it is made, or undefined: `task_cycle` with the path,
 * `input_wiring` with `phase_name`, `invalid_refs` and `suggestion` (RFC-0024 §4.4), else `invalid_plan`.
 */
export function planFaults(parts: PlanParts): PlanFaults | undefined {
  const { definitions, types, fieldOf } = parts;
  const { cycles } = orderOf(definitions);
  const wiring = wiringFaults(definitions, types, fieldOf);
  const cyclic = cycles.map((cycle) => cycleIssue(cycle, parts));
  const issues = [
    ...cyclic,
    ...wiring.map(({ issue }) => issue),
    ...pointFaults(parts),
    ...twice(parts),
  ];
  const [first] = issues;
  if (first === undefined) return undefined;
  const state: JsonObject = {
    ...(cycles.length > 0 && { cycles: cycles.map((cycle) => [...cycle]) }),
    ...wiringState(wiring),
  };
  const code =
    cycles.length > 0 ? 'task_cycle' : wiring.length > 0 ? 'input_wiring' : 'invalid_plan';
  return { refusal: { code, ...first, state }, issues };
}

function cycleIssue(cycle: readonly string[], { definitions, fieldOf }: PlanParts): FieldIssue {
  const index = definitions.findIndex(({ name }) => name === cycle[0]);
  const field = `${fieldOf({ name: cycle[0] ?? '' }, index)}.depends_on`;
  return { field, detail: `Each waits for the next: ${cycle.join(' → ')}.`, accepted: 'no cycle' };
}

function wiringState(faults: readonly WiringFault[]): JsonObject {
  const [first] = faults;
  if (first === undefined) return {};
  const { phase_name } = first;
  const invalid_refs = faults.filter((one) => one.phase_name === phase_name).map(({ ref }) => ref);
  const suggestion = first.issue.accepted ?? first.issue.detail;
  return { phase_name, invalid_refs, suggestion };
}

function pointFaults({
  checkpoints,
  conditions,
  definitions,
  existing,
}: PlanParts): readonly FieldIssue[] {
  const known = [...definitions.map(({ name }) => name), ...existing];
  const accepted = known.join(', ') || 'a task of the plan';
  const isUnknown = (ref: string) => !known.includes(ref);
  const ofCheckpoints = checkpoints.flatMap(({ after_task }, index) => {
    const field = `checkpoints[${index}].after_task`;
    return isUnknown(after_task)
      ? [{ field, detail: `${after_task} is no task here.`, accepted }]
      : [];
  });
  const ofConditions = conditions.flatMap(({ task_id, when }, index) => {
    const field = `conditions[${index}]`;
    const condition = parseCondition(when);
    const task = isUnknown(task_id)
      ? [{ field: `${field}.task_id`, detail: `${task_id} is no task here.`, accepted }]
      : [];
    const form = condition
      ? []
      : [
          {
            field: `${field}.when`,
            detail: 'The condition cannot be read.',
            accepted: CONDITION_FORM,
          },
        ];
    const wanted = definitions.find(({ name }) => name === task_id)?.depends_on;
    const isAhead = condition && wanted && !wanted.includes(condition.task);
    const detail = `${task_id} does not depend on ${condition?.task ?? ''}.`;
    const ahead = isAhead
      ? [{ field: `${field}.when`, detail, accepted: wanted.join(', ') || 'a dependency' }]
      : [];
    return [...task, ...form, ...ahead];
  });
  return [...ofCheckpoints, ...ofConditions];
}

/** An id names one: an approval is of one checkpoint, and what a task tells is of one task. */
function twice({ checkpoints, existing }: PlanParts): readonly FieldIssue[] {
  const ids = checkpoints.map(({ id }) => id);
  const points = ids.flatMap((id, index) =>
    id !== undefined && ids.indexOf(id) < index
      ? [{ field: `checkpoints[${index}].id`, ...issueOf(id) }]
      : [],
  );
  const task = existing.find((id, index) => existing.indexOf(id) < index);
  return task === undefined ? points : [...points, { field: 'tasks', ...issueOf(task) }];
}

function issueOf(id: string): Omit<FieldIssue, 'field'> {
  return { detail: `${id} is there twice.`, accepted: 'each id once' };
}
