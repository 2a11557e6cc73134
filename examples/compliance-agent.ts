/**
 * The agent of one phase of a compliance workflow, in a process of its own: it waits until its phase may
 * begin, claims its task, does it (the review asks a person), hands in what it found and completes its
 * intent. It prints a line of JSON for each step and for each call of a hook.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  Agent,
  HoldpointError,
  type HumanRetryPolicy,
  type JsonObject,
  type PatchTaskRequest,
} from 'holdpoint-client';

const workflowId = setting('COMPLIANCE_WORKFLOW');
const phaseName = setting('COMPLIANCE_PHASE');
const intervalSeconds = Number(setting('COMPLIANCE_INTERVAL_SECONDS'));
/** How long a phase takes that asks nobody. */
const workMs = Number(setting('COMPLIANCE_WORK_MS'));

const LADDER: HumanRetryPolicy = {
  max_attempts: 3,
  interval_seconds: intervalSeconds,
  strategy: 'fixed',
  escalation_ladder: [
    { attempt: 2, channel_hint: 'email', notify_to: null },
    { attempt: 3, channel_hint: 'pagerduty', notify_to: 'supervisor@example.com' },
  ],
  final_fallback_policy: 'fail',
};

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set.`);
  return value;
}

function report(what: string, fields: object = {}): void {
  const at = new Date().toISOString();
  process.stdout.write(`${JSON.stringify({ what, at, ...fields })}\n`);
}

const agent = new Agent({
  baseUrl: setting('HOLDPOINT_URL'),
  apiKey: setting('HOLDPOINT_API_KEY'),
  hooks: {
    onInputRequested: (_intent, { id, channel_hint, notify_to, context: { _attempt } }) => {
      const asked = { suspension_id: id, attempt: _attempt, channel_hint, notify_to };
      report('onInputRequested', asked);
    },
    onInputReceived: ({ value }) => report('onInputReceived', { value }),
    onSuspensionExpired: ({ reason }) => report('onSuspensionExpired', { reason }),
  },
});

/** Resolves once the task is ready and its intent active: each event of the intent is a reason to look. */
async function untilItMayBegin(taskId: string, intent_id: string): Promise<void> {
  const events = agent.subscribe({ intent_id, last_event_id: '0' });
  while (!(await events.next()).done) {
    const task = await agent.plans.getTask(taskId);
    const intent = await agent.getIntent(intent_id);
    if (task.status === 'ready' && intent.status === 'active') return;
  }
}

/** Writes until it is seen to be written: a reply may be lost, and a worker away for a while. */
async function insist(isDone: () => Promise<boolean>, write: () => Promise<unknown>) {
  while (!(await isDone())) {
    try {
      await write();
    } catch (error) {
      const isPassing = error instanceof HoldpointError && (error.status ?? 503) >= 500;
      if (!isPassing && !isEarly(error)) throw error;
      await pause(250);
    }
  }
}

/**
 * Another write came first, perhaps our own whose reply was lost; or the task has yet to hear that its intent
 * goes on, which it does a moment after whoever waited for the answer.
 */
function isEarly(error: unknown): boolean {
  if (!(error instanceof HoldpointError)) return false;
  return error.code === 'version_conflict' || error.code === 'intent_suspended';
}

async function writeTask(taskId: string, request: PatchTaskRequest): Promise<void> {
  const read = () => agent.plans.getTask(taskId);
  await insist(
    async () => (await read()).status === request.status,
    async () => agent.plans.patchTask(taskId, (await read()).version, request),
  );
}

async function complete(intentId: string): Promise<void> {
  const read = () => agent.getIntent(intentId);
  await insist(
    async () => (await read()).status === 'completed',
    async () => agent.setStatus(intentId, (await read()).version, { status: 'completed' }),
  );
}

async function review(intentId: string, input: JsonObject): Promise<JsonObject> {
  const verdict = await agent.requestInput(intentId, {
    request_key: `review-${workflowId}`,
    question: 'Do these records comply?',
    response_type: 'choice',
    choices: [
      { value: 'approve', label: 'They comply' },
      { value: 'reject', label: 'They do not' },
    ],
    context: { rows: input['rows'] ?? null },
    channel_hint: 'slack',
    timeout_seconds: intervalSeconds,
    retry_policy: LADDER,
  });
  return { verdict };
}

async function work(intentId: string, input: JsonObject): Promise<JsonObject> {
  if (phaseName === 'compliance_review') return review(intentId, input);
  await pause(workMs);
  if (phaseName === 'fetch_data') return { rows: [1, 2, 3] };
  return { report: `The reviewer said: ${JSON.stringify(input['verdict'])}` };
}

const { phases } = await agent.plans.getWorkflow(workflowId);
const phase = phases.find(({ phase_name }) => phase_name === phaseName);
if (phase === undefined) throw new Error(`The workflow has no phase ${phaseName}.`);
await untilItMayBegin(phase.task_id, phase.intent_id);
const { input } = await agent.plans.claimTask(phase.task_id);
report('claimed', { input });
await writeTask(phase.task_id, { status: 'running' });
try {
  const output = await work(phase.intent_id, input);
  await writeTask(phase.task_id, { status: 'completed', output });
  await complete(phase.intent_id);
  report('completed', { output });
} catch (error) {
  if (!(error instanceof HoldpointError)) throw error;
  report('failed', { name: error.name, code: error.code });
}
process.exit(0);
