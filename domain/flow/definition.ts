import type { DecisionRuleRequest } from '../../contracts/suspension/decision.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { isObject } from '../kernel/message-form.js';

/** The context of a flow: its input, and the result of each node under the node's name. */
export type FlowContext = JsonObject;

/** The result of an action: an outcome other than `ok`, and data for the context under its name. */
export interface ActionResult {
  readonly outcome?: string;
  readonly data?: JsonObject;
}

/** A step that a machine takes. */
export interface ActionNode {
  readonly kind: 'action';
  /** Runs in the workflow, so it is deterministic: what it does outside, it does by activities. */
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
   * The question: a text whose `{{path.to.value}}` is filled in from what the person may see, or a function of the
   * whole context in the workflow's code (JC-13, TM-12).
   */
  readonly prompt: string | ((context: FlowContext) => string);
  readonly allowed_responses: readonly string[];
  /** JSON Schema 2020-12 for the `data` that come with a decision; null for none (JC-15, JC-42). */
  readonly response_schema: JsonObject | null;
  /** The keys of the context that the person may see; null for all (JC-16, JC-20). */
  readonly context_keys: readonly string[] | null;
  /** Milliseconds until `timeout_outcome`; null for never (AM-19). */
  readonly timeout: number | null;
  readonly timeout_outcome: string;
  /** Hints of how long the wait may be. They are recorded, and Temporal waits the same way whatever they say (JC-58). */
  readonly hibernate: boolean;
  /** Milliseconds from which on a timeout counts as long (JC-59); null for none. */
  readonly hibernate_after: number | null;
  /** Data for notifiers, which goes out with the question. */
  readonly metadata: JsonObject;
  readonly channel_hint?: string;
  readonly decision_rule?: DecisionRuleRequest;
}

/** A human node as it is written down: what is left out has a default. */
export type HumanNodeFields = Pick<HumanNode, 'name' | 'description' | 'prompt'> &
  Partial<Omit<HumanNode, 'kind'>>;

/** A step that is a flow of its own, in a workflow of its own. */
export interface NestedFlow {
  readonly kind: 'flow';
  /** Names the node, and the place in the context where the flow's own context goes. */
  readonly name: string;
  /** The type of the workflow that runs it: it takes a context, and returns what `runFlow` does. */
  readonly workflow: string;
  /** The keys of the context that it gets (JC-71). */
  readonly context_keys: readonly string[];
  /** Its final states, each of which is an outcome of the node. */
  readonly outcomes: readonly string[];
}

/** The node at a state of a flow. */
export type FlowNode = ActionNode | HumanNode | NestedFlow;

/** The next state for each outcome of a state. */
export type Transitions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A flow as it is written down: a state for each node, and where each outcome leads. */
export interface FlowDefinition {
  readonly name: string;
  /** The state in which it begins. */
  readonly initial: string;
  readonly nodes: Readonly<Record<string, FlowNode>>;
  /** The next state by state and outcome. `_` stands for each state that has no entry of its own (JC-09). */
  readonly transitions: Transitions;
  readonly final?: readonly string[];
}

/** A state that a flow has left, and how. */
export interface FlowStep {
  readonly state: string;
  readonly outcome: string;
  /** The question of a human node. */
  readonly request_id?: string;
  /** The error, for the outcome `error`. */
  readonly error?: string;
}

/** The outcome of a node, and what it gave. */
export interface Left extends Omit<FlowStep, 'state'> {
  readonly data?: JsonObject;
}

/** How a flow has ended. */
export interface FlowEnd {
  readonly state: string;
  readonly context: FlowContext;
  /** Every state that it left, in order. */
  readonly steps: readonly FlowStep[];
}

/** The outcome by which a node says that it waits: never a decision, nor an error (JC-02, JC-03). */
export const SUSPEND = 'suspend';
/** The outcome of a node that failed. */
export const ERROR = 'error';
/** The state whose transitions hold for all. */
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

/** A node at which a person decides. Whatever is left out has the default of JC-14 to JC-19. */
export function humanNode(fields: HumanNodeFields): HumanNode {
  return { kind: 'human', ...DEFAULTS, ...fields };
}

/**
 * A node that runs code of the workflow.
 *
 * @param outcomes - what it may return besides `error`
 */
export function action(run: ActionNode['run'], outcomes: readonly string[] = ['ok']): ActionNode {
  return { kind: 'action', run, outcomes };
}

/** A node that is a flow of its own (JC-71). Without `outcomes` it ends in `done` or `failed`. */
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

/** The state that follows; a transition of the state's own comes before that of all states (JC-07, JC-09). */
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

/** The states in which a flow ends. */
export function finalStates({ final = DEFAULT_FINAL }: FlowDefinition): readonly string[] {
  return final;
}

/** The context with what a node gave, under its name. A node that runs again adds to what it gave before (JC-44). */
export function merged(context: FlowContext, name: string, data: JsonObject): FlowContext {
  const before = Object.hasOwn(context, name) ? context[name] : undefined;
  return { ...context, [name]: { ...(isObject(before) && before), ...data } };
}

/** Every outcome of a state's node, and the state that follows; none for a state without a node. */
export function exitsOf(
  flow: FlowDefinition,
  state: string,
): readonly { readonly outcome: string; readonly next: string | undefined }[] {
  const node = Object.hasOwn(flow.nodes, state) ? flow.nodes[state] : undefined;
  const outcomes = node ? outcomesOf(node) : [];
  return outcomes.map((outcome) => ({ outcome, next: nextState(flow, state, outcome) }));
}
