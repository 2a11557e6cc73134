import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { Checkpoint, CheckpointRequest } from '../../../contracts/plan/plan.js';
import { addMembers, checkpointsOf } from '../../../domain/plan/assembly.js';
import { FIRST, SECOND, aPlan } from './plan-samples.js';
import { AT } from './task-samples.js';

const REQUEST: CheckpointRequest = {
  name: null,
  after_task: FIRST,
  requires_approval: true,
  approvers: [],
  timeout_hours: null,
  on_timeout: 'escalate',
};

function ids(requests: readonly CheckpointRequest[], taken: readonly string[] = []): string[] {
  return checkpointsOf(requests, { taken }).map(({ id }) => id);
}

describe('the checkpoints of a plan', () => {
  it('have ids that no other has', () => {
    assert.deepEqual(ids([REQUEST, REQUEST]), ['cp_1', 'cp_2']);
    assert.deepEqual(ids([{ ...REQUEST, id: 'cp_2' }, REQUEST, REQUEST]), ['cp_2', 'cp_1', 'cp_3']);
    assert.deepEqual(ids([REQUEST], ['cp_1', 'cp_3']), ['cp_2']);
    assert.deepEqual(ids([REQUEST, { ...REQUEST, id: 'cp_1' }]), ['cp_2', 'cp_1']);
  });

  it('come after the task that the request names, and wait', () => {
    assert.deepEqual(checkpointsOf([{ ...REQUEST, id: 'gate' }]), [
      {
        ...REQUEST,
        id: 'gate',
        denials: ['reject'],
        status: 'pending',
        suspension_id: null,
        decided_by: null,
      },
    ]);
  });

  it('are replaced while nobody reached them, and else named twice by nobody', () => {
    const [pending] = checkpointsOf([{ ...REQUEST, id: 'gate' }]);
    const point = pending ?? assert.fail();
    const next = [{ ...point, after_task: SECOND, approvers: ['cfo'] }];
    const patch = (status: Checkpoint['status'], added: readonly Checkpoint[] = next) =>
      addMembers(aPlan({ checkpoints: [{ ...point, status }] }), [], 200, AT, added);
    const replaced = patch('pending');
    assert.deepEqual(replaced.ok && replaced.value.state.plan.checkpoints, next);
    const taken = patch('approved');
    assert.deepEqual(!taken.ok && [taken.refusal.code, taken.refusal.field], [
      'invalid_plan',
      'checkpoints',
    ]);
    assert.equal(patch('pending', [...next, ...next]).ok, false);
  });
});
