import type { FieldIssue } from '../../contracts/kernel/parse-fields.js';
import type { CheckpointRequest, ConditionRequest } from '../../contracts/plan/plan.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import type { DeclaredOutputs, DeclaredTypes, TaskDefinition } from '../../contracts/plan/task.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { checkCheckpoint } from './checkpoints.js';
import { listed } from '../kernel/bounded.js';
import { orderOf } from '../kernel/graph.js';
import { CONDITION_FORM, parseCondition } from './task.js';
import { PRIMITIVES, declarationOf, isPrimitive } from './task-output.js';
import { defined } from '../../contracts/constants/defined.js';

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

interface PlanFaults {
  readonly refusal: Refusal;
  readonly issues: readonly FieldIssue[];
}

/**
 * Finds the faults of a new plan, at most as many as an error names, or returns undefined. The refusal is
 * `task_cycle` with the cycles, `input_wiring` with `phase_name`, `invalid_refs` and `suggestion` (RFC-0024 §4.4), or
 * `invalid_plan`.
 */
export function planFaults(parts: PlanParts): PlanFaults | undefined {
  const cycles = orderOf(parts.definitions).cycles.slice(0, LIMITS.reportedIssues);
  const wiring = firstOf(wiringFaults(parts));
  const issues = firstOf(issuesOf(parts, cycles, wiring));
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

function* issuesOf(
  parts: PlanParts,
  cycles: readonly (readonly string[])[],
  wiring: readonly WiringFault[],
): Generator<FieldIssue> {
  for (const cycle of cycles) yield cycleIssue(cycle, parts);
  for (const { issue } of wiring) yield issue;
  yield* pointFaults(parts);
  yield* twice(parts);
}

function firstOf<T>(found: Iterable<T>): readonly T[] {
  const first: T[] = [];
  for (const one of found) {
    first.push(one);
    if (first.length >= LIMITS.reportedIssues) break;
  }
  return first;
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

function* pointFaults(parts: PlanParts): Generator<FieldIssue> {
  const { checkpoints, conditions, definitions, existing } = parts;
  const known = new Set([...definitions.map(({ name }) => name), ...existing]);
  const accepted = listed(known) || 'a task of the plan';
  for (const [index, { after_task }] of checkpoints.entries()) {
    if (known.has(after_task)) continue;
    const field = `checkpoints[${index}].after_task`;
    yield { field, detail: `${after_task} is no task here.`, accepted };
  }
  for (const [index, checkpoint] of checkpoints.entries()) yield* ruleFaults(checkpoint, index);
  for (const [index, condition] of conditions.entries()) {
    const field = `conditions[${index}]`;
    if (!known.has(condition.task_id)) {
      const detail = `${condition.task_id} is no task here.`;
      yield { field: `${field}.task_id`, detail, accepted };
    }
    yield* conditionFaults(condition, definitions, `${field}.when`);
  }
}

function* conditionFaults(
  { task_id, when }: ConditionRequest,
  definitions: PlanParts['definitions'],
  field: string,
): Generator<FieldIssue> {
  const condition = parseCondition(when);
  if (condition === undefined) {
    yield { field, detail: 'The condition cannot be read.', accepted: CONDITION_FORM };
    return;
  }
  const wanted = definitions.find(({ name }) => name === task_id)?.depends_on;
  if (wanted === undefined || wanted.includes(condition.task)) return;
  const detail = `${task_id} does not depend on ${condition.task}.`;
  yield { field, detail, accepted: listed(wanted) || 'a dependency' };
}

function ruleFaults(checkpoint: CheckpointRequest, index: number): readonly FieldIssue[] {
  const rule = checkCheckpoint(checkpoint);
  if (rule.ok) return [];
  const { detail, field = 'decision_rule', accepted = '' } = rule.refusal;
  return [{ field: `checkpoints[${index}].${field}`, detail, accepted }];
}

/** Finds repeated ids, because an approval belongs to one checkpoint, and news belong to one task. */
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

interface Declared {
  readonly byName: ReadonlyMap<string, Part>;
  readonly types: DeclaredTypes;
  /** The names of all tasks and of all types, joined for messages. */
  readonly names: string;
  readonly typeNames: string;
}

/**
 * Finds faults in the declarations of phases, in order (RFC-0024 §8): unknown or malformed references, references
 * beyond the dependencies, unknown types, and repeated names.
 */
function* wiringFaults({ definitions, types, fieldOf }: PlanParts): Generator<WiringFault> {
  const byName = new Map(definitions.map((part) => [part.name, part]));
  const names = listed(byName.keys());
  const typeNames = listed([...PRIMITIVES, ...Object.keys(types)]);
  const declared: Declared = { byName, types, names, typeNames };
  const seen = new Set<string>();
  for (const [index, part] of definitions.entries()) {
    const field = fieldOf(part, index);
    if (seen.has(part.name)) {
      yield fault(part, part.name, `${field}.name`, 'Two tasks have this name.');
    }
    seen.add(part.name);
    yield* dependencyFaults(part, declared, field);
    yield* inputFaults(part, declared, field);
    yield* typeFaults(part.name, part.outputs, declared, `${field}.outputs`);
  }
  for (const [name, shape] of Object.entries(types)) {
    yield* typeFaults(name, shape, declared, `types.${name}`);
  }
}

function* dependencyFaults(
  part: Part,
  { byName, names }: Declared,
  field: string,
): Generator<WiringFault> {
  for (const [index, name] of part.depends_on.entries()) {
    if (byName.has(name)) continue;
    const detail = `${name} is none of the tasks.`;
    yield fault(part, name, `${field}.depends_on[${index}]`, detail, names);
  }
}

function* inputFaults(part: Part, declared: Declared, field: string): Generator<WiringFault> {
  for (const [key, ref] of Object.entries(part.inputs)) {
    const problem = problemOf(part, ref, declared);
    if (problem === undefined) continue;
    yield fault(part, ref, `${field}.inputs.${key}`, problem.detail, problem.accepted);
  }
}

function problemOf(
  part: Part,
  ref: string,
  { byName, names }: Declared,
): { readonly detail: string; readonly accepted: string } | undefined {
  if (STATIC_REF.test(ref)) return undefined;
  const found = PHASE_REF.exec(ref);
  if (found === null) {
    const accepted = '<phase>.<output>, $trigger.<key> or $initial_state.<key>';
    return { detail: `${ref} is no reference.`, accepted };
  }
  const [, name, key] = found as unknown as readonly [string, string, string];
  const upstream = byName.get(name);
  if (upstream === undefined) {
    return { detail: `${name} is none of the tasks.`, accepted: names };
  }
  if (!part.depends_on.includes(name)) {
    const dependencies = part.depends_on.filter((one) => byName.has(one));
    const accepted = listed(dependencies) || 'a task named in depends_on';
    return { detail: `${part.name} does not depend on ${name}.`, accepted };
  }
  const outputs = Object.keys(upstream.outputs);
  if (outputs.length === 0 || Object.hasOwn(upstream.outputs, key)) return undefined;
  return { detail: `${name} declares no output ${key}.`, accepted: listed(outputs) };
}

function* typeFaults(
  phase_name: string,
  shape: DeclaredOutputs,
  { types, typeNames }: Declared,
  field: string,
): Generator<WiringFault> {
  for (const [key, declared] of Object.entries(shape)) {
    const { type } = declarationOf(declared);
    if (isPrimitive(type) || Object.hasOwn(types, type)) continue;
    yield fault({ name: phase_name }, type, `${field}.${key}`, `${type} is no type.`, typeNames);
  }
}

function fault(
  { name }: { readonly name: string },
  ref: string,
  field: string,
  detail: string,
  accepted?: string,
): WiringFault {
  const issue = { field, detail, ...defined({ accepted }) };
  return { phase_name: name, ref, issue };
}
