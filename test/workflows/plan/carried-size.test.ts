import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS, WORKFLOW_LIMITS } from '../../../contracts/constants/limits.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { checkStart } from '../../../domain/plan/sizes.js';
import { planView } from '../../../domain/plan/state.js';
import { nextRunOf, stateOf } from '../../../workflows/plan/entity.js';
import { aDefinition } from '../../domain/plan/task-samples.js';
import { granted, refused } from '../../domain/samples.js';
import {
  HASH,
  assembled,
  decided,
  fieldOf,
  filled,
  kept,
  largestTasks,
  most,
  numbers,
} from '../support/large-plans.js';
import {
  COMMAND_BYTES,
  KIB,
  MESSAGE_BYTES,
  NAME,
  PAYLOAD_BYTES,
  payloadBytes,
  sized,
} from '../support/sizes.js';

describe('what a plan carries into its next run', () => {
  const { children, ...first } = filled();
  const state = { ...decided({ ...first, revision: 1 }), revision: most };
  const input = { ...first, children, creation_hash: HASH };
  const next = nextRunOf(input, state, kept(state));
  const { planCarriedBytes, taskBytes } = { ...WORKFLOW_LIMITS, ...LIMITS };

  it('has decided about every task and checkpoint', () => {
    const { escalations, checkpoints, state: stands } = state.plan;
    assert.deepEqual(
      [escalations.length, checkpoints.length],
      [LIMITS.planTasks, LIMITS.planTasks],
    );
    assert.ok(escalations.every((one) => one.decided_by === NAME && jsonBytes(one.error) > 2_000));
    assert.equal(checkpoints.filter(({ decided_by }) => decided_by === NAME).length, 199);
    assert.equal(stands, 'paused');
  });

  it('fits, however large each part of it is', () => {
    const bytes = payloadBytes(next);
    assert.equal(bytes, jsonBytes(next));
    assert.ok(bytes <= planCarriedBytes, `${bytes} bytes`);
    assert.ok(planCarriedBytes + 256 * KIB <= PAYLOAD_BYTES);
  });

  it('is no larger than what the doors accept', () => {
    const { code, field, accepted } = refused(checkStart(filled(1), fieldOf));
    assert.deepEqual([code, field], ['state_too_large', 'metadata']);
    assert.ok(accepted?.startsWith(`at most ${LIMITS.planBytes} bytes`));
  });

  it('has its record and its tasks once, and is what it was', () => {
    const marked = { ...state, paused_by_hand: true };
    const again = nextRunOf(input, marked, kept(marked));
    const parsed = JSON.parse(JSON.stringify(again)) as typeof again;
    assert.deepEqual(stateOf(parsed), marked);
    const id = state.members[0]?.task_id ?? '';
    const named = (value: unknown) => JSON.stringify(value).split(`"task_id":"${id}"`).length - 1;
    assert.equal(named([again.members, again.carried?.state]), 1);
  });

  it('starts with tasks that fit together', () => {
    const started = { ...filled(), children: largestTasks().children };
    granted(checkStart(started, fieldOf));
    assert.ok(jsonBytes(started.children) > LIMITS.planTasksBytes - KIB);
    const bytes = payloadBytes({ ...started, creation_hash: HASH });
    const total = bytes + LIMITS.planAccessBytes;
    assert.ok(total + 128 * KIB <= PAYLOAD_BYTES, `${total} bytes`);
    const { code, field } = refused(checkStart(largestTasks(1), fieldOf));
    assert.deepEqual([code, field], ['state_too_large', 'tasks']);
    const one = [aDefinition({ name: 'huge', metadata: { text: sized(taskBytes) } })];
    const huge = assembled({ definitions: one, checkpoints: [] });
    assert.equal(refused(checkStart(huge, fieldOf)).field, 'tasks.huge');
  });

  it('leads to commands that one task of its workflow can issue', () => {
    const plan = planView(state);
    const row = { kind: 'plan', plan, revision: most, creation_hash: HASH };
    const gates = numbers.length * (payloadBytes(next.carried?.gates[0]) + COMMAND_BYTES);
    const wave = Math.max(WORKFLOW_LIMITS.journalBatchBytes, taskBytes) + 50 * COMMAND_BYTES;
    const write = LIMITS.planBytes + WORKFLOW_LIMITS.resultBytes;
    const bytes = payloadBytes([row]) + gates + wave + write;
    assert.ok(payloadBytes([row]) + 256 * KIB <= PAYLOAD_BYTES);
    assert.ok(bytes + 512 * KIB <= MESSAGE_BYTES, `${bytes} bytes`);
  });
});
