import { ApplicationFailure } from '@temporalio/common';
import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  executeChild,
  isCancellation,
  setHandler,
  sleep,
  startChild,
  type ParentClosePolicy,
} from '@temporalio/workflow';
import type { Redeemed } from '../../../contracts/approval/requests.js';
import type { AnyAskResult } from '../../../contracts/suspension/ask.js';
import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import {
  action,
  ask,
  awaitInput,
  cancelInput,
  defineFlow,
  flowNode,
  humanNode,
  humanTool,
  InputCancelledError,
  InputTimeoutError,
  openInput,
  pause,
  requestInput,
  runFlow,
  type ActionResult,
  type AskCall,
  type AskOptions,
  type FlowContext,
  type FlowDefinition,
  type FlowEnd,
  type HumanNodeFields,
  type HumanToolResult,
  type InputHooks,
  type InputOptions,
  type PauseEnd,
  type PauseOptions,
} from '../../../workflows/human/index.js';

/** Lets an agent that holds go on. */
export const goOnSignal = defineSignal('goOn');

/** How a workflow that asks by name goes on when it is told to, before it has an answer. */
export type Onward = 'waits' | 'ends' | 'fails' | 'continues';

/** Asks, or has a call approved, as a workflow in any language does: by the name of a child. */
export async function asksByName(
  type: 'ask' | 'gate',
  argument: unknown,
  onward: Onward = 'waits',
  parentClosePolicy?: ParentClosePolicy,
): Promise<JsonValue> {
  let isTold = false;
  setHandler(goOnSignal, () => {
    isTold = true;
  });
  const child = await startChild<(argument: unknown) => Promise<JsonValue>>(type, {
    taskQueue: 'holdpoint',
    args: [argument],
    ...(parentClosePolicy && { parentClosePolicy }),
  });
  const reply = child.result();
  if (onward === 'waits') return reply;
  await Promise.race([reply, condition(() => isTold)]);
  if (onward === 'ends') return 'it ended';
  if (onward === 'fails') throw ApplicationFailure.nonRetryable('it failed', 'Failed');
  return continueAsNew<typeof asksByName>(type, argument, 'waits', parentClosePolicy);
}

/** Has a call approved by name, runs it, and completes it by name; returns what `complete` does. */
export async function runsByName(argument: unknown): Promise<JsonValue> {
  const by = { taskQueue: 'holdpoint' };
  const call = await executeChild<(one: unknown) => Promise<Redeemed>>('gate', {
    ...by,
    args: [argument],
  });
  const result = { ran: call.arguments };
  return executeChild<(key: string, one: JsonValue) => Promise<JsonValue>>('complete', {
    ...by,
    args: [call.idempotency_key, result],
  });
}

export async function asks(options: InputOptions): Promise<JsonValue> {
  return requestInput(options);
}

/** Asks by the short way; tells an error as code inside a workflow sees it. */
export async function asksShortly(
  question: string,
  options?: AskOptions & AskCall,
): Promise<AnyAskResult | readonly JsonValue[]> {
  try {
    return await (options === undefined ? ask(question) : ask(question, options));
  } catch (error) {
    if (error instanceof InputTimeoutError) return ['timeout', error.attempts];
    if (error instanceof InputCancelledError) return ['cancelled', error.reason ?? null];
    throw error;
  }
}

/** Asks with a text of so many characters in one of its options. */
export async function asksAtLength(
  options: InputOptions,
  field: 'choices' | 'context' | 'fallback_value' | 'hooks',
  characters: number,
): Promise<JsonValue> {
  const long = 'x'.repeat(characters);
  const fields = {
    choices: [{ value: 'yes', label: 'Yes', metadata: { long } }],
    context: { long },
    fallback_value: long,
    hooks: { onInputReceived: long },
  };
  return requestInput({ ...options, [field]: fields[field] });
}

/** Withdraws a question with a reason of so many characters. */
export async function withdrawsAtLength(id: string, characters: number): Promise<void> {
  await cancelInput(id, 'x'.repeat(characters));
}

/** Waits for something that no person decides. */
export async function pauses(options: PauseOptions): Promise<PauseEnd> {
  return pause(options);
}

/** Asks all at once. */
export async function asksMany(questions: readonly InputOptions[]): Promise<JsonValue[]> {
  return Promise.all(questions.map((question) => requestInput(question)));
}

/** Tells the error that it caught, as code inside a workflow sees it. */
export async function tells(options: InputOptions): Promise<JsonValue> {
  try {
    return await requestInput(options);
  } catch (error) {
    if (error instanceof InputTimeoutError) return ['timeout', error.attempts, error.suspension.id];
    if (error instanceof InputCancelledError) return ['cancelled', error.reason ?? null];
    throw error;
  }
}

/** Opens a question, and awaits it only once it is told to. */
export async function holds(options: InputOptions, hooks: InputHooks = {}): Promise<JsonValue> {
  let going = false;
  setHandler(goOnSignal, () => {
    going = true;
  });
  const id = await openInput(options);
  await condition(() => going);
  return awaitInput(id, { hooks });
}

/** Opens a question, and ends without an answer. */
export async function leaves(options: InputOptions): Promise<string> {
  return openInput(options);
}

interface Run {
  readonly options: InputOptions;
  readonly hooks?: InputHooks;
  /** The question of an earlier run. */
  readonly asked?: string;
}

/** Asks in its first run, and awaits in its second, which it begins when it is told to. */
export async function continues({ options, hooks = {}, asked }: Run): Promise<JsonValue> {
  if (asked !== undefined) return awaitInput(asked, { hooks });
  let going = false;
  setHandler(goOnSignal, () => {
    going = true;
  });
  const id = await openInput(options);
  await condition(() => going);
  return continueAsNew<typeof continues>({ options, hooks, asked: id });
}

export async function awaits(suspensionId: string): Promise<JsonValue> {
  return awaitInput(suspensionId);
}

/** Gives up on its question after a minute, and goes on. */
export async function impatient(options: InputOptions): Promise<JsonValue> {
  const scope = new CancellationScope();
  const asked = scope.run(() => requestInput(options));
  void sleep('60 seconds').then(() => {
    scope.cancel();
  });
  try {
    return await asked;
  } catch (error) {
    if (isCancellation(error)) return 'gave up';
    throw error;
  }
}

/** Withdraws its own question once it is told to. */
export async function withdraws(options: InputOptions): Promise<JsonValue> {
  let going = false;
  setHandler(goOnSignal, () => {
    going = true;
  });
  const id = await openInput(options);
  await condition(() => going);
  await cancelInput(id, 'found out');
  return awaitInput(id);
}

/** The flow of JC-10, whose human node a test may change. */
function deployFlow(fields: Partial<HumanNodeFields> = {}): FlowDefinition {
  return {
    name: 'deployment',
    initial: 'process',
    nodes: {
      process: action((context) => builds(context)),
      approval: humanNode({
        name: 'deploy_approval',
        description: 'Approve production deployment',
        prompt: 'Deploy to production?',
        timeout: 300_000,
        ...fields,
      }),
      deploy: action((context) => Promise.resolve({ data: { from: context } })),
    },
    transitions: {
      process: { ok: 'approval' },
      approval: { approved: 'deploy', rejected: 'failed', timeout: 'failed' },
      deploy: { ok: 'done' },
      _: { error: 'failed' },
    },
  };
}

async function builds(context: FlowContext): Promise<ActionResult> {
  if (context['broken'] === true) throw ApplicationFailure.nonRetryable('no build');
  return Promise.resolve({ data: { version: '1.2.3', secret: 's3cr3t' } });
}

/** Runs the flow of JC-10. */
export async function deploys(
  context: FlowContext,
  fields: Partial<HumanNodeFields> = {},
): Promise<FlowEnd> {
  return runFlow(defineFlow(deployFlow(fields)), context);
}

/** Asks by a function of the context, again and again until somebody is content. */
export async function revises(context: FlowContext): Promise<FlowEnd> {
  const flow = defineFlow({
    name: 'review',
    initial: 'write',
    nodes: {
      write: action((known) => Promise.resolve({ data: { after: known['review'] ?? null } })),
      review: humanNode({
        name: 'review',
        description: 'Review the text',
        prompt: ({ topic }) => `Is the text on ${JSON.stringify(topic)} good?`,
        allowed_responses: ['good', 'revise'],
      }),
    },
    transitions: {
      write: { ok: 'review' },
      review: { good: 'done', revise: 'write' },
      _: { error: 'done' },
    },
    final: ['done'],
  });
  return runFlow(flow, context);
}

/** The flow of JC-10 with a threshold of hibernation that its timeout reaches. */
export async function deploysLong(context: FlowContext): Promise<FlowEnd> {
  return runFlow(defineFlow(deployFlow({ hibernate_after: 300_000 })), context);
}

/** Ends in a state that no flow announces. */
export async function strays(): Promise<FlowEnd> {
  return Promise.resolve({ state: 'lost', context: {}, steps: [] });
}

/** Runs a flow within a flow. */
export async function nests(context: FlowContext, workflow: string): Promise<FlowEnd> {
  const flow = defineFlow({
    name: 'outer',
    initial: 'inner',
    nodes: { inner: flowNode({ name: 'release', workflow, context_keys: ['env'] }) },
    transitions: { inner: { done: 'done', failed: 'failed', error: 'failed' } },
  });
  return runFlow(flow, context);
}

/** Takes the calls of a model that may ask a person. */
export async function advised(calls: readonly JsonValue[]): Promise<readonly HumanToolResult[]> {
  const tool = humanTool(
    humanNode({
      name: 'ask_person',
      description: 'Ask a person when you are not sure.',
      prompt: 'The agent asks: {{message}}',
      context_keys: ['topic'],
      timeout: 60_000,
    }),
  );
  const results: HumanToolResult[] = [];
  for (const call of calls) {
    results.push(await tool.call(call, { topic: 'tides', hidden: 'kept-inside' }));
  }
  return results;
}
