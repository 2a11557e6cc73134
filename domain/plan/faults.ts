import type { FieldIssue } from '../../contracts/parse-fields.js';
import type { CheckpointRequest, ConditionRequest } from '../../contracts/plan.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { Refusal } from '../../contracts/problem.js';
import type { DeclaredOutputs, DeclaredTypes, TaskDefinition } from '../../contracts/task.js';
import { checkCheckpoint } from './checkpoint-rule.js';
import { orderOf } from '../kernel/graph.js';
import { CONDITION_FORM, parseCondition } from './condition.js';
import { PRIMITIVES, declarationOf, isPrimitive } from './task-output.js';

/** What a plan is to be made of. */
export interface PlanParts {
  readonly definitions: readonly TaskDefinition[];
  readonly types: DeclaredTypes;
  readonly checkpoints: readonly CheckpointRequest[];
  readonly conditions: readonly ConditionRequest[];
  /** Ids of existing tasks. */
  readonly existing: readonly string[];
  /** Returns the path of a definition in the request. */
  readonly fieldOf: (definition: { readonly name: string }, index: number) => string;
}

/** The refusal for the first fault, and all faults. */
interface PlanFaults {
  readonly refusal: Refusal;
  readonly issues: readonly FieldIssue[];
}

/**
 * Finds everything that is wrong with a plan before it is created. Returns undefined if nothing is. The
 * refusal is `task_cycle` with the cycles, `input_wiring` with `phase_name`, `invalid_refs` and `suggestion`
 * (RFC-0024 §4.4), or else `invalid_plan`.
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
  const first = String(cycle[0]);
  const index = definitions.findIndex(({ name }) => name === first);
  const field = `${fieldOf({ name: first }, index)}.depends_on`;
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
  return [...ofCheckpoints, ...checkpoints.flatMap(ruleFaults), ...ofConditions];
}

function ruleFaults(checkpoint: CheckpointRequest, index: number): readonly FieldIssue[] {
  const rule = checkCheckpoint(checkpoint);
  if (rule.ok) return [];
  const { detail, field = 'decision_rule', accepted = '' } = rule.refusal;
  return [{ field: `checkpoints[${index}].${field}`, detail, accepted }];
}

/** Ids must be unique: an approval belongs to one checkpoint, and news belong to one task. */
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

type Part = Pick<TaskDefinition, 'name' | 'depends_on' | 'inputs' | 'outputs'>;

/** A fault in the declarations of one phase (RFC-0024 §4.4). */
interface WiringFault {
  readonly phase_name: string;
  readonly ref: string;
  readonly issue: FieldIssue;
}

const STATIC_REF = /^\$(trigger|initial_state)\.\w[\w-]*$/;
const PHASE_REF = /^([A-Za-z][\w-]*)\.([A-Za-z][\w-]*)$/;

/**
 * Finds the faults in the declarations of phases (RFC-0024 §8), in the order of the phases: dependencies on
 * unknown phases, malformed references, references to unknown phases or outputs or to phases that are no
 * dependency, unknown types, and names used twice.
 *
 * @param fieldOf - path of a phase in the request, such as `phases.analysis`
 */
function wiringFaults(
  parts: readonly Part[],
  types: DeclaredTypes,
  fieldOf: (part: Part, index: number) => string,
): readonly WiringFault[] {
  const byName = new Map(parts.map((part) => [part.name, part]));
  const ofPhases = parts.flatMap((part, index) => {
    const field = fieldOf(part, index);
    const isTwice = parts.findIndex(({ name }) => name === part.name) !== index;
    return [
      ...(isTwice ? [fault(part, part.name, `${field}.name`, 'Two tasks have this name.')] : []),
      ...dependencyFaults(part, byName, field),
      ...inputFaults(part, byName, field),
      ...typeFaults(part.name, part.outputs, types, `${field}.outputs`),
    ];
  });
  const ofTypes = Object.entries(types).flatMap(([name, shape]) =>
    typeFaults(name, shape, types, `types.${name}`),
  );
  return [...ofPhases, ...ofTypes];
}

function dependencyFaults(
  part: Part,
  byName: ReadonlyMap<string, Part>,
  field: string,
): readonly WiringFault[] {
  return part.depends_on.flatMap((name, index) =>
    byName.has(name)
      ? []
      : [
          fault(
            part,
            name,
            `${field}.depends_on[${index}]`,
            `${name} is none of the tasks.`,
            [...byName.keys()].join(', '),
          ),
        ],
  );
}

function inputFaults(
  part: Part,
  byName: ReadonlyMap<string, Part>,
  field: string,
): readonly WiringFault[] {
  return Object.entries(part.inputs).flatMap(([key, ref]) => {
    const problem = problemOf(part, ref, byName);
    if (problem === undefined) return [];
    return [fault(part, ref, `${field}.inputs.${key}`, problem.detail, problem.accepted)];
  });
}

function problemOf(
  part: Part,
  ref: string,
  byName: ReadonlyMap<string, Part>,
): { readonly detail: string; readonly accepted: string } | undefined {
  if (STATIC_REF.test(ref)) return undefined;
  const found = PHASE_REF.exec(ref);
  if (found === null) {
    const accepted = '<phase>.<output>, $trigger.<key> or $initial_state.<key>';
    return { detail: `${ref} is no reference.`, accepted };
  }
  const [, name, key] = found as unknown as readonly [string, string, string];
  const upstream = byName.get(name);
  const dependencies = part.depends_on.filter((one) => byName.has(one)).join(', ');
  if (upstream === undefined) {
    return { detail: `${name} is none of the tasks.`, accepted: [...byName.keys()].join(', ') };
  }
  if (!part.depends_on.includes(name)) {
    const accepted = dependencies || 'a task named in depends_on';
    return { detail: `${part.name} does not depend on ${name}.`, accepted };
  }
  const outputs = Object.keys(upstream.outputs);
  if (outputs.length === 0 || outputs.includes(key)) return undefined;
  return { detail: `${name} declares no output ${key}.`, accepted: outputs.join(', ') };
}

function typeFaults(
  phase_name: string,
  shape: DeclaredOutputs,
  types: DeclaredTypes,
  field: string,
): readonly WiringFault[] {
  return Object.entries(shape).flatMap(([key, declared]) => {
    const { type } = declarationOf(declared);
    if (isPrimitive(type) || Object.hasOwn(types, type)) return [];
    const accepted = [...PRIMITIVES, ...Object.keys(types)].join(', ');
    return [fault({ name: phase_name }, type, `${field}.${key}`, `${type} is no type.`, accepted)];
  });
}

function fault(
  { name }: { readonly name: string },
  ref: string,
  field: string,
  detail: string,
  accepted?: string,
): WiringFault {
  const issue = { field, detail, ...(accepted !== undefined && { accepted }) };
  return { phase_name: name, ref, issue };
}
