import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS, WORKFLOW_LIMITS } from '../../../contracts/constants/limits.js';
import type { TaskNews } from '../../../contracts/plan/task.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { initialNews } from '../../../domain/plan/assembly.js';
import { checkTaskSize } from '../../../domain/plan/sizes.js';
import { claim } from '../../../domain/plan/task-claim.js';
import { mirrorIntent } from '../../../domain/plan/task-mirror.js';
import { forceTask } from '../../../domain/plan/task-patch.js';
import { newsOf, taskEvent, type TaskState } from '../../../domain/plan/task-state.js';
import { takeUpstream } from '../../../domain/plan/task.js';
import { nextRunOf, stateOf, type CarriedTask } from '../../../workflows/task/entity.js';
import type { TaskInput } from '../../../workflows/task/messages.js';
import { caller } from '../../support/callers.js';
import { OPEN, aTask, announced } from '../../domain/plan/task-samples.js';
import { ID, INTENT_ID, OPENED_AT, granted, refused } from '../../domain/samples.js';
import {
  COMMAND_BYTES,
  ERROR,
  GUARD,
  KIB,
  MESSAGE_BYTES,
  NAME,
  PAYLOAD_BYTES,
  largest,
  payloadBytes,
  sized,
} from '../support/sizes.js';

const most = Number.MAX_SAFE_INTEGER;
const numbers = Array.from({ length: LIMITS.planTasks }, (_, number) => number);
const idOf = (number: number) => `${String(number).padStart(8, '0')}${ID.slice(8)}`;
const nameOf = (number: number) => `p${number}`;
const inputs = Object.fromEntries(numbers.map((number) => [nameOf(number), `p${number}.out`]));
const RULES = {
  types: {},
  static_values: {},
  condition: { id: NAME, when: "tasks['p199'].output.out" },
};

/** It waits for as many tasks as may be, and is as large as may be, and by `more` bytes larger. */
function largestInput(more = 0): TaskInput {
  const inputOf = (bytes: number): TaskInput => ({
    task: aTask({
      status: 'ready',
      created_by: NAME,
      plan_id: ID,
      depends_on: numbers.map(idOf),
      inputs,
      metadata: { text: sized(bytes) },
    }),
    upstream: numbers.map((number) => initialNews({ id: idOf(number), name: nameOf(number) })),
    rules: RULES,
  });
  return inputOf(largest((bytes) => checkTaskSize(inputOf(bytes)).ok) + more);
}

/** News with outputs of which all together are just small enough to be kept, and to be claimed. */
function newsOfAll(): readonly TaskNews[] {
  const outBytes = Math.floor(WORKFLOW_LIMITS.upstreamBytes / numbers.length) - 10;
  return numbers.map((number) => ({
    task_id: idOf(number),
    name: nameOf(number),
    revision: most,
    status: 'completed',
    attempt: LIMITS.attempts,
    max_attempts: LIMITS.attempts,
    error: ERROR,
    suspension: null,
    dependents_held_by: ID,
    output: { out: sized(outBytes) },
  }));
}

const SUSPENSION = { intent_id: INTENT_ID, suspended_since: OPENED_AT, expires_at: OPENED_AT };

/** It was claimed, delivered outputs and then artifacts, failed, was blocked, and its intent waits, as do those of all tasks before it. */
function grown(input: TaskInput): TaskState {
  const open = { ...stateOf(input), gate: { revision: most, open: true } };
  const free = newsOfAll().reduce(
    (known, news) => takeUpstream(known, news, OPENED_AT).state,
    open,
  );
  const claimed = granted(claim(free, NAME, OPENED_AT)).state;
  const { taskOutputBytes: maxBytes } = LIMITS;
  const output = { text: sized(maxBytes - 100) };
  const artifacts = [sized(maxBytes - 100)];
  const requests = [
    { status: 'failed', error: ERROR, output },
    { status: 'blocked', blocked_reason: ERROR, artifacts },
  ] as const;
  const written = requests.reduce((known, request) => {
    const write = { request, actor: NAME, at: OPENED_AT, maxBytes };
    return granted(forceTask(known, write, caller('root', 'admin'))).state;
  }, claimed);
  const suspended = announced(most, {
    status: 'suspended_awaiting_input',
    suspension: OPEN,
    suspended_since: OPENED_AT,
    abandonment_reason: ERROR,
    dependents_held_by: ID,
    guard: GUARD,
  });
  const waiting = mirrorIntent(written, suspended, OPENED_AT).state;
  const upstream = waiting.upstream.map((one) => ({ ...one, suspension: SUSPENSION }));
  return { ...waiting, upstream };
}

/** What it keeps, but for what is still on its way and its observers. */
const KEPT: Omit<CarriedTask, 'state'> = {
  observers: { informed: [], owed: [] },
  observing: [[INTENT_ID, 'observe']],
  upstream: numbers.map((number) => [idOf(number), 'unobserve'] as const),
  unsent_events: [],
  unwritten: [],
};

describe('what a task carries into its next run', () => {
  const input = largestInput();
  const state = grown(input);
  const next = nextRunOf(input, state, KEPT);
  const { carriedBytes, observerBytes, newsBatchBytes, resultBytes } = WORKFLOW_LIMITS;

  it('has all that can come to a task', () => {
    const { task, upstream, before } = state;
    assert.ok(upstream.every(({ output, output_left_out }) => output && !output_left_out));
    assert.ok(jsonBytes(task.input) > WORKFLOW_LIMITS.upstreamBytes - 8 * KIB);
    assert.ok(jsonBytes([task.output, task.artifacts]) > 2 * LIMITS.taskOutputBytes - KIB);
    assert.deepEqual([task.error, before?.blocked_reason], [ERROR, ERROR]);
  });

  it('fits, however large each part of it is', () => {
    const bytes = payloadBytes(next);
    assert.ok(bytes + 128 * KIB <= carriedBytes, `${bytes} bytes`);
    assert.ok(carriedBytes + observerBytes + 16 * KIB <= PAYLOAD_BYTES);
  });

  it('is no larger than what the doors accept', () => {
    const { code, field, accepted } = refused(checkTaskSize(largestInput(1)));
    assert.deepEqual([code, field], ['state_too_large', 'metadata']);
    assert.ok(accepted?.startsWith(`at most ${LIMITS.taskBytes} bytes`));
  });

  it('has its record, its dependencies and its rules once, and is what it was', () => {
    const parsed = JSON.parse(JSON.stringify(next)) as typeof next;
    assert.deepEqual(stateOf(parsed), state);
    const times = (part: string) => JSON.stringify(next).split(part).length - 1;
    assert.deepEqual([times('"metadata":'), times('"static_values":')], [1, 1]);
    assert.equal(times(`"task_id":"${idOf(0)}"`), 1);
  });

  it('leads to commands that one task of its workflow can issue', () => {
    const { task } = state;
    const row = payloadBytes([{ kind: 'task', task, revision: most }]);
    const { output, artifacts } = task;
    const event = payloadBytes(taskEvent(state, 'task.completed', NAME, { output, artifacts }));
    const news = payloadBytes(newsOf({ ...state, task: { ...task, status: 'completed' } }));
    assert.ok(news <= newsBatchBytes, `${news} bytes`);
    const batches = 8 * (newsBatchBytes + 250 * COMMAND_BYTES);
    const write = LIMITS.bodyBytes + resultBytes;
    const bytes = row + event + batches + write + numbers.length * COMMAND_BYTES;
    assert.ok(row + KIB * KIB <= PAYLOAD_BYTES, `${row} bytes`);
    assert.ok(bytes + 256 * KIB <= MESSAGE_BYTES, `${bytes} bytes`);
  });
});
