import { LIMITS } from '../../contracts/constants/limits.js';
import { cutTo } from '../kernel/text.js';
import { SECOND_MS } from '../kernel/time.js';
import { checkDataSchema } from '../schema/checks.js';
import {
  ANY_STATE,
  ERROR,
  SUSPEND,
  exitsOf,
  finalStates,
  outcomesOf,
  type FlowDefinition,
  type FlowNode,
  type HumanNode,
} from './definition.js';

/** The allowed names of states, nodes and outcomes, which become keys of the context and words of a diagram. */
const NAME = /^[a-z][a-z0-9_]{0,63}$/i;
/** Names with a special meaning in Mermaid or JavaScript. */
const NOT_NAMES: readonly string[] = ['end', 'constructor', 'prototype'];

/** A flow that passed all checks of `defineFlow`. */
export type Flow = FlowDefinition & { readonly checked: true };

const FAULT_BYTES = 700;

/** A flow cannot run as defined; `faults` lists the first 20 reasons. The message may be recorded in a history. */
export class InvalidFlowError extends Error {
  readonly faults: readonly string[];

  constructor(name: string, faults: readonly string[]) {
    const first = faults.slice(0, LIMITS.reportedIssues).map((fault) => cutTo(fault, FAULT_BYTES));
    const more = faults.length > first.length ? [`And ${faults.length - first.length} more.`] : [];
    super(`The flow ${cutTo(name, FAULT_BYTES)} is not in order: ${[...first, ...more].join(' ')}`);
    this.name = 'InvalidFlowError';
    this.faults = first;
  }
}

/**
 * Checks that a flow cannot get stuck: every outcome of every node leads somewhere, every state can be reached, and
 * no reserved word is used (JC-03). Throws InvalidFlowError with all faults, but reports unreachable states only if
 * there are no others.
 */
export function defineFlow(definition: FlowDefinition): Flow {
  const faults = faultsOf(definition);
  if (faults.length > 0) throw new InvalidFlowError(definition.name, faults);
  return { ...definition, checked: true };
}

function faultsOf(flow: FlowDefinition): readonly string[] {
  const nodes = Object.entries(flow.nodes);
  const faults = [
    ...nameFaults(flow),
    ...nodes.flatMap(([state, node]) => nodeFaults(state, node)),
    ...sharedNames(nodes),
    ...nodes.flatMap(([state]) => missingOutcomes(flow, state)),
    ...transitionFaults(flow),
  ];
  return faults.length > 0 ? faults : unreachable(flow);
}

function nameFault(what: string, name: string): readonly string[] {
  if (name === SUSPEND) return [`${what} is the reserved word "${SUSPEND}".`];
  if (NAME.test(name) && !NOT_NAMES.includes(name)) return [];
  return [`${what} "${name}" is no name: a letter, then letters, digits and _, 64 at most.`];
}

function nameFaults(flow: FlowDefinition): readonly string[] {
  const final = finalStates(flow);
  return [
    ...nameFault('The flow', flow.name),
    ...Object.keys(flow.nodes).flatMap((state) => nameFault('The state', state)),
    ...final.flatMap((state) => nameFault('The final state', state)),
    ...final
      .filter((state) => Object.hasOwn(flow.nodes, state))
      .map((state) => `The final state "${state}" has a node.`),
    ...(Object.hasOwn(flow.nodes, flow.initial)
      ? []
      : [`It begins in "${flow.initial}", which has no node.`]),
  ];
}

function nodeFaults(state: string, node: FlowNode): readonly string[] {
  if (node.kind === 'human') return humanFaults(state, node);
  return [...nestedFaults(state, node), ...outcomeFaults(state, node)];
}

function nestedFaults(state: string, node: FlowNode): readonly string[] {
  if (node.kind !== 'flow') return [];
  const where = `The flow of "${state}"`;
  return [
    ...nameFault(`The name of the node of "${state}"`, node.name),
    ...(node.workflow === '' ? [`${where} names no workflow.`] : []),
    ...(node.outcomes.length === 0 ? [`${where} has no final state.`] : []),
    ...(node.outcomes.includes(ERROR)
      ? [`${where} ends in "${ERROR}", which means a failure.`]
      : []),
  ];
}

function outcomeFaults(state: string, node: Exclude<FlowNode, HumanNode>): readonly string[] {
  return node.outcomes.flatMap((outcome) => nameFault(`An outcome of "${state}"`, outcome));
}

function humanFaults(state: string, node: HumanNode): readonly string[] {
  const where = `The human node of "${state}"`;
  const { allowed_responses: responses, timeout, timeout_outcome } = node;
  return [
    ...nameFault(`The name of the node of "${state}"`, node.name),
    ...[...responses, timeout_outcome].flatMap((one) => nameFault(`An outcome of "${state}"`, one)),
    ...(node.description === '' ? [`${where} has no description.`] : []),
    ...schemaFaults(where, node),
    ...(node.prompt === '' ? [`${where} asks nothing.`] : []),
    ...(responses.length === 0 ? [`${where} allows no response.`] : []),
    ...(new Set(responses).size < responses.length ? [`${where} allows a response twice.`] : []),
    ...(responses.length > LIMITS.choices ? [`${where} allows over ${LIMITS.choices}.`] : []),
    ...(responses.includes(ERROR) ? [`${where} allows "${ERROR}", which nobody decides.`] : []),
    ...(timeout !== null && responses.includes(timeout_outcome)
      ? [`${where} allows "${timeout_outcome}", which says that nobody answered.`]
      : []),
    ...timeFaults(where, 'timeout', timeout),
    ...timeFaults(where, 'hibernate_after', node.hibernate_after),
  ];
}

function timeFaults(where: string, field: string, ms: number | null): readonly string[] {
  const longest = LIMITS.windowSeconds * SECOND_MS;
  if (ms === null || (Number.isSafeInteger(ms) && ms > 0 && ms <= longest)) return [];
  return [`${where} has a ${field} that is no number of milliseconds from 1 to ${longest}.`];
}

function schemaFaults(where: string, { response_schema }: HumanNode): readonly string[] {
  const checked = response_schema === null ? undefined : checkDataSchema(response_schema);
  if (checked === undefined || checked.ok) return [];
  const { field = '', detail, accepted = '' } = checked.refusal;
  return [
    `${where} has a schema that is not accepted at ${field}: ${detail} Accepted: ${accepted}.`,
  ];
}

/** Two nodes under one name would write to the same place. */
function sharedNames(nodes: readonly (readonly [string, FlowNode])[]): readonly string[] {
  const names = nodes.map(([state, node]) => (node.kind === 'action' ? state : node.name));
  const twice = names.filter((name, index) => names.indexOf(name) < index);
  return twice.map((name) => `Two nodes write to "${name}" of the context.`);
}

function missingOutcomes(flow: FlowDefinition, state: string): readonly string[] {
  return exitsOf(flow, state)
    .filter(({ next }) => next === undefined)
    .map(({ outcome }) => `Nothing follows "${state}" with the outcome "${outcome}".`);
}

function transitionFaults(flow: FlowDefinition): readonly string[] {
  const final = finalStates(flow);
  const isKnown = (state: string) => Object.hasOwn(flow.nodes, state) || final.includes(state);
  return Object.entries(flow.transitions).flatMap(([state, byOutcome]) => [
    ...(state === ANY_STATE || Object.hasOwn(flow.nodes, state)
      ? []
      : [`Transitions leave "${state}", which has no node.`]),
    ...Object.entries(byOutcome).flatMap(([outcome, next]) => [
      ...nameFault(`An outcome of "${state}"`, outcome),
      ...unknownOutcome(flow, state, outcome),
      ...(isKnown(next) ? [] : [`"${state}" leads to "${next}", which is no state.`]),
    ]),
  ]);
}

/** A node without a timeout may keep the transition for it. */
function unknownOutcome(flow: FlowDefinition, state: string, outcome: string): readonly string[] {
  const node = Object.hasOwn(flow.nodes, state) ? flow.nodes[state] : undefined;
  if (node === undefined || outcome === SUSPEND) return [];
  const known = [...outcomesOf(node), ...(node.kind === 'human' ? [node.timeout_outcome] : [])];
  return known.includes(outcome) ? [] : [`"${outcome}" is no outcome of "${state}".`];
}

function unreachable(flow: FlowDefinition): readonly string[] {
  const reached = new Set([flow.initial]);
  for (const state of reached) {
    for (const { next } of exitsOf(flow, state)) if (next !== undefined) reached.add(next);
  }
  return [...Object.keys(flow.nodes), ...finalStates(flow)]
    .filter((state) => !reached.has(state))
    .map((state) => `Nothing leads to "${state}".`);
}
