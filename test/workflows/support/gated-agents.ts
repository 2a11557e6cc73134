import { condition, defineSignal, proxyActivities, setHandler, sleep } from '@temporalio/workflow';
import type {
  Grouping,
  RejectAction,
  SiblingPolicy,
} from '../../../contracts/constants/approvals.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import {
  gateTools,
  reportRun,
  type GateOptions,
  type GateOutcome,
  type GatedTool,
  type PolicyAnswer,
  type ToolCall,
  type ToolRun,
} from '../../../workflows/human/index.js';

/** What the tools of these agents do outside: the test decides on the result. */
export interface Act {
  readonly tool: string;
  readonly args: JsonObject;
  readonly run: ToolRun;
}

const { act } = proxyActivities<{ act: (what: Act) => Promise<JsonValue> }>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 2, initialInterval: '1 second' },
});

/** How a turn differs from the usual one. */
export interface TurnInput extends Partial<
  Pick<
    GateOptions,
    'agent' | 'on_behalf_of' | 'decider' | 'context_keys' | 'working_memory' | 'turn_index'
  >
> {
  readonly calls: readonly ToolCall[];
  /** The tools that are gated; `deploy` and `delete` unless given. */
  readonly gated?: readonly string[];
  readonly context?: JsonObject;
  /** The policy of JC-28, or one that asks outside. */
  readonly policy?: 'code' | 'activity';
  readonly grouping?: Grouping;
  readonly rejection_policy?: SiblingPolicy;
  readonly on_reject?: RejectAction;
  readonly input_schema?: JsonObject;
  /** What has to come with a decision, by tool. */
  readonly schemas?: Readonly<Record<string, JsonObject>>;
  readonly more?: Partial<GatedTool>;
  /** Changes the arguments of the first call behind the back of the gate. */
  readonly tampers?: boolean;
}

const TOOLS = ['search', 'deploy', 'delete', 'wire'];

/** The policy of JC-28. */
function policy(call: ToolCall, context: JsonObject): PolicyAnswer {
  if (call.name === 'deploy' && context['env'] === 'prod') {
    return { require_approval: { reason: 'Production deployment' } };
  }
  if (call.name === 'delete') return { require_approval: { reason: 'Destructive operation' } };
  return 'proceed';
}

async function lookedUp(call: ToolCall): Promise<PolicyAnswer> {
  const run = { call_id: call.id, name: call.name, idempotency_key: '', edited: false };
  return (await act({ tool: 'policy', args: call.arguments, run })) as PolicyAnswer;
}

function toolsOf({ gated = ['deploy', 'delete'], input_schema, schemas, more }: TurnInput) {
  const tools = TOOLS.map((tool): readonly [string, GatedTool] => [
    tool,
    {
      requires_approval: gated.includes(tool),
      ...(input_schema && { input_schema }),
      ...(schemas?.[tool] && { response_schema: schemas[tool] }),
      ...more,
      run: (args, run) => act({ tool, args, run }),
    },
  ]);
  return Object.fromEntries(tools);
}

function optionsOf(input: TurnInput): GateOptions {
  const {
    gated: _gated,
    input_schema: _schema,
    schemas: _schemas,
    more: _more,
    policy: by,
    tampers: _t,
    ...rest
  } = input;
  return {
    agent: 'bot',
    turn_index: 0,
    ...rest,
    tools: toolsOf(input),
    ...(by && { approval_policy: by === 'code' ? policy : lookedUp }),
  };
}

/** Runs one turn. */
export async function takesTurn(input: TurnInput): Promise<GateOutcome> {
  const turn = gateTools(optionsOf(input));
  if (input.tampers === true) {
    await sleep('1 minute');
    const [first] = input.calls;
    Object.assign(first?.arguments ?? {}, { env: 'moon' });
  }
  return turn;
}

/** Lets an agent that waits before its turn begin it. */
export const goOnSignal = defineSignal('goOn');

/** Can be asked where it stands before its first turn. */
export async function reports(input: TurnInput): Promise<GateOutcome> {
  reportRun();
  let going = false;
  setHandler(goOnSignal, () => {
    going = true;
  });
  await condition(() => going);
  return gateTools(optionsOf(input));
}
