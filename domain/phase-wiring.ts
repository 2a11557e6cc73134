import type { FieldIssue } from '../contracts/field-issues.js';
import type { DeclaredOutputs, DeclaredTypes } from '../contracts/phase-io.js';
import type { TaskDefinition } from '../contracts/task.js';
import { declarationOf, isPrimitive } from './task-output.js';

type Part = Pick<TaskDefinition, 'name' | 'depends_on' | 'inputs' | 'outputs'>;

/** What is wrong with one phase's declarations; `invalid_refs` as in RFC-0024 §4.4. */
export interface WiringFault {
  readonly phase_name: string;
  readonly ref: string;
  readonly issue: FieldIssue;
}

const STATIC_REF = /^\$(trigger|initial_state)\.\w[\w-]*$/;
const PHASE_REF = /^([A-Za-z][\w-]*)\.([A-Za-z][\w-]*)$/;

/**
 * What does not fit in the declarations of phases that belong together (RFC-0024 §8): dependencies and
 * references to what is not there, or not a dependency, or not an output; malformed references; unknown
 * types; names given twice. All of it, in the order of the phases.
 *
 * @param fieldOf - path of a phase in the request, e.g. `phases.analysis`
 */
export function wiringFaults(
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
  const [, name = '', key = ''] = PHASE_REF.exec(ref) ?? [];
  if (name === '') {
    const accepted = '<phase>.<output>, $trigger.<key> or $initial_state.<key>';
    return { detail: `${ref} is no reference.`, accepted };
  }
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
    const named = Object.keys(types);
    const accepted = ['string', 'number', 'boolean', 'object', 'array', ...named].join(', ');
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
