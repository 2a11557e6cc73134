import type { DecisionRuleRequest } from '../../contracts/suspension/decision.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { isObject, isOneOf, isWorkflowId } from '../kernel/message-form.js';

/** The context of a flow: its input, and the result of each node under the node's name. */
export type FlowContext = JsonObject;

/** The result of an action: its outcome if not `ok`, and data for the context under the node's name. */
export interface ActionResult {
  readonly outcome?: string;
  readonly data?: JsonObject;
}

/** A step without a person. */
export interface ActionNode {
  readonly kind: 'action';
  /** Runs in the workflow, so it must be deterministic; it uses activities for effects. */
  readonly run: (context: FlowContext) => Promise<ActionResult | undefined>;
  /** Its possible outcomes besides `error`. */
  readonly outcomes: readonly string[];
}

/** A step at which a person decides, with every default filled in (JC-11 to JC-19). */
export interface HumanNode {
  readonly kind: 'human';
  /** Names the node, and the place in the context where the answer goes. */
  readonly name: string;
  readonly description: string;
  /**
   * The question: a text in which `{{path.to.value}}` is replaced from what the person may see, or a function of the
   * whole context, run in the workflow (JC-13).
   */
  readonly prompt: string | ((context: FlowContext) => string);
  readonly allowed_responses: readonly string[];
  /** JSON Schema 2020-12 for the `data` of a decision; null for none (JC-15, JC-42). */
  readonly response_schema: JsonObject | null;
  /** The keys of the context that the person may see; null for all (JC-16, JC-20). */
  readonly context_keys: readonly string[] | null;
  /** Milliseconds until `timeout_outcome`; null for never. */
  readonly timeout: number | null;
  readonly timeout_outcome: string;
  /** Whether the wait may be long. This is only recorded: Temporal waits the same way in any case (JC-58). */
  readonly hibernate: boolean;
  /** Milliseconds from which on a timeout counts as long (JC-59); null for none. */
  readonly hibernate_after: number | null;
  /** Data for notifiers, which goes out with the question. */
  readonly metadata: JsonObject;
  readonly channel_hint?: string;
  readonly decision_rule?: DecisionRuleRequest;
}

/** A human node as it is defined: absent fields have defaults. */
export type HumanNodeFields = Pick<HumanNode, 'name' | 'description' | 'prompt'> &
  Partial<Omit<HumanNode, 'kind'>>;

/** A step that runs another flow in its own workflow. */
export interface NestedFlow {
  readonly kind: 'flow';
  /** Names the node, and the place in the context where the flow's own context goes. */
  readonly name: string;
  /** The type of the workflow that runs the flow: it takes a context, and returns what `runFlow` does. */
  readonly workflow: string;
  /** The keys of the context that the flow gets (JC-71). */
  readonly context_keys: readonly string[];
  /** The final states of the flow, each of which is an outcome of the node. */
  readonly outcomes: readonly string[];
}

/** The node at a state of a flow. */
export type FlowNode = ActionNode | HumanNode | NestedFlow;

/** The next state for each outcome of a state. */
export type Transitions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A flow as it is defined: a state for each node, and where each outcome leads. */
export interface FlowDefinition {
  readonly name: string;
  readonly initial: string;
  readonly nodes: Readonly<Record<string, FlowNode>>;
  /** The next state by state and outcome. `_` applies to each state without an entry of its own (JC-09). */
  readonly transitions: Transitions;
  readonly final?: readonly string[];
}

/** A state that a flow has passed, and its outcome. */
export interface FlowStep {
  readonly state: string;
  readonly outcome: string;
  /** The question of a human node. */
  readonly request_id?: string;
  /** The error, for the outcome `error`. */
  readonly error?: string;
}

/** The outcome of a node, and its data. */
export interface Left extends Omit<FlowStep, 'state'> {
  readonly data?: JsonObject;
}

export interface FlowEnd {
  readonly state: string;
  readonly context: FlowContext;
  /** Every state that it passed, in order. */
  readonly steps: readonly FlowStep[];
}

/** The outcome by which a node says that it waits: never a decision, nor an error (JC-02, JC-03). */
export const SUSPEND = 'suspend';
/** The outcome of a node that failed. */
export const ERROR = 'error';
/** The state whose transitions apply to all states. */
export const ANY_STATE = '_';

const DEFAULT_FINAL: readonly string[] = ['done', 'failed'];
const DEFAULTS = {
  allowed_responses: ['approved', 'rejected'],
  response_schema: null,
  context_keys: null,
  timeout: null,
  timeout_outcome: 'timeout',
  hibernate: false,
  hibernate_after: null,
  metadata: {},
} as const;

/** Makes a node at which a person decides. Absent fields have the defaults of JC-14 to JC-19. */
export function humanNode(fields: HumanNodeFields): HumanNode {
  return { kind: 'human', ...DEFAULTS, ...fields };
}

/**
 * Makes a node that runs code of the workflow.
 *
 * @param outcomes - what it may return besides `error`
 */
export function action(run: ActionNode['run'], outcomes: readonly string[] = ['ok']): ActionNode {
  return { kind: 'action', run, outcomes };
}

/** Makes a node that runs another flow (JC-71). Without `outcomes` it ends in `done` or `failed`. */
export function flowNode(
  fields: Omit<NestedFlow, 'kind' | 'outcomes'> & Partial<Pick<NestedFlow, 'outcomes'>>,
): NestedFlow {
  return { kind: 'flow', outcomes: DEFAULT_FINAL, ...fields };
}

/** The possible outcomes of a node. A withdrawn question is an error of the flow. */
export function outcomesOf(node: FlowNode): readonly string[] {
  if (node.kind !== 'human') return [...node.outcomes, ERROR];
  const { allowed_responses, timeout, timeout_outcome } = node;
  return [...allowed_responses, ...(timeout === null ? [] : [timeout_outcome]), ERROR];
}

/** The state that follows; a transition of the state itself takes precedence over those for all states (JC-07, JC-09). */
export function nextState(
  { transitions }: Pick<FlowDefinition, 'transitions'>,
  state: string,
  outcome: string,
): string | undefined {
  return lookUp(transitions, state, outcome) ?? lookUp(transitions, ANY_STATE, outcome);
}

function lookUp(transitions: Transitions, state: string, outcome: string): string | undefined {
  const ofState = Object.hasOwn(transitions, state) ? transitions[state] : undefined;
  return ofState && Object.hasOwn(ofState, outcome) ? ofState[outcome] : undefined;
}

export function finalStates({ final = DEFAULT_FINAL }: FlowDefinition): readonly string[] {
  return final;
}

/** The context with the data of a node under its name. A repeated node adds to its earlier data (JC-44). */
export function merged(context: FlowContext, name: string, data: JsonObject): FlowContext {
  const before = Object.hasOwn(context, name) ? context[name] : undefined;
  return { ...context, [name]: { ...(isObject(before) && before), ...data } };
}

/** Every outcome of a state's node with the state that follows; empty for a state without a node. */
export function exitsOf(
  flow: FlowDefinition,
  state: string,
): readonly { readonly outcome: string; readonly next: string | undefined }[] {
  const node = Object.hasOwn(flow.nodes, state) ? flow.nodes[state] : undefined;
  const outcomes = node ? outcomesOf(node) : [];
  return outcomes.map((outcome) => ({ outcome, next: nextState(flow, state, outcome) }));
}

/**
 * The status of a nested flow (JC-65): `hibernated` is a wait of the tier `full_checkpoint`, `paused` a shorter one.
 */
export type ChildStatus = 'running' | 'paused' | 'hibernated' | 'completed' | 'failed';

/** A flow that another one has started, for display; the outer flow decides nothing by it (JC-64). */
export interface ChildRef {
  readonly agent_module: string;
  readonly agent_id: string;
  /** Where it was started: the name of the outer flow, and the state. */
  readonly tag: string;
  /** The id of the run in which it began: Temporal's history of that run is the checkpoint. */
  readonly checkpoint_key: string;
  readonly suspension_id: string | null;
  readonly status: ChildStatus;
}

export interface ChildNews extends Pick<ChildRef, 'agent_id' | 'suspension_id'> {
  readonly status: Extract<ChildStatus, 'running' | 'paused' | 'hibernated'>;
}

const REPORTED: readonly ChildNews['status'][] = ['running', 'paused', 'hibernated'];

export function isChildNews(message: unknown): message is ChildNews {
  if (!isObject(message)) return false;
  const { agent_id, suspension_id: id, status } = message;
  return isWorkflowId(agent_id) && (id === null || isWorkflowId(id)) && isOneOf(status, REPORTED);
}

/**
 * The reference after a report. A report after the end of the nested flow changes nothing, because reports can be
 * late.
 */
export function refAfter(ref: ChildRef, { status, suspension_id }: ChildNews): ChildRef {
  const isOver = ref.status === 'completed' || ref.status === 'failed';
  return isOver ? ref : { ...ref, status, suspension_id };
}

/**
 * Draws a flow as a Mermaid state diagram.
 *
 * @param current - the state to mark
 */
export function diagramOf(flow: FlowDefinition, current?: string): string {
  const humans = Object.keys(flow.nodes).filter((state) => flow.nodes[state]?.kind === 'human');
  return [
    'stateDiagram-v2',
    `  [*] --> ${flow.initial}`,
    ...Object.keys(flow.nodes).flatMap((state) => arrowsFrom(flow, state)),
    ...finalStates(flow).map((state) => `  ${state} --> [*]`),
    ...(humans.length > 0 ? ['  classDef human stroke-dasharray: 4 3'] : []),
    ...humans.filter((state) => state !== current).map((state) => `  class ${state} human`),
    ...(current === undefined
      ? []
      : ['  classDef current stroke-width: 3px', `  class ${current} current`]),
  ].join('\n');
}

/** One arrow to each next state, labelled with all outcomes that lead there. */
function arrowsFrom(flow: FlowDefinition, state: string): readonly string[] {
  const outcomes = new Map<string, string[]>();
  for (const { outcome, next } of exitsOf(flow, state)) {
    if (next !== undefined) outcomes.set(next, [...(outcomes.get(next) ?? []), outcome]);
  }
  return [...outcomes].map(([next, words]) => `  ${state} --> ${next}: ${words.join(', ')}`);
}
