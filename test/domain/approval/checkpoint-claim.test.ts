import assert from 'node:assert/strict';
import {
  HIBERNATED,
  claimCheckpoint,
  finishCheckpoint,
  type CheckpointClaim,
} from '../../../domain/approval/running/desk.js';
import { plusSeconds } from '../../../domain/kernel/time.js';
import { granted, refused } from '../samples.js';
import { AT } from './samples.js';

const after = (seconds: number) => plusSeconds(AT, seconds);

/** Claims for a process at `now`, 60 seconds long. */
function claim(of: CheckpointClaim, holder: string, now = AT) {
  return claimCheckpoint(of, { holder, lease_seconds: 60 }, { isDecided: true, now });
}

describe('bringing an agent back', () => {
  it('goes from hibernated to resuming to resumed [JC-66]', () => {
    const resuming = granted(claim(HIBERNATED, 'p1'));
    assert.deepEqual(resuming, {
      status: 'resuming',
      lease: { holder: 'p1', token: 1, until: after(60) },
    });
    const resumed = granted(finishCheckpoint(resuming, 1));
    assert.deepEqual(resumed, { ...resuming, status: 'resumed' });
    assert.deepEqual(granted(finishCheckpoint(resumed, 1)), resumed);
  });

  it('gives the checkpoint to one of two processes [JC-66]', () => {
    const resuming = granted(claim(HIBERNATED, 'p1'));
    const refusal = refused(claim(resuming, 'p2', after(59)));
    assert.deepEqual(
      [refusal.code, refusal.state],
      ['approval_in_use', { until: after(60), token: 1 }],
    );
  });

  it('gives the same process the same token again', () => {
    const resuming = granted(claim(HIBERNATED, 'p1'));
    assert.equal(granted(claim(resuming, 'p1', after(10))).lease?.token, 1);
  });

  it('lets another process take over after a crash, with a higher token', () => {
    const first = granted(claim(HIBERNATED, 'p1'));
    const second = granted(claim(first, 'p2', after(60)));
    assert.equal(second.lease?.token, 2);
    const refusal = refused(finishCheckpoint(second, 1));
    assert.deepEqual([refusal.code, refusal.state], ['stale_token', { token: 2 }]);
    assert.equal(granted(finishCheckpoint(second, 2)).status, 'resumed');
  });

  it('refuses everybody once the agent is back [JC-66]', () => {
    const resumed = granted(finishCheckpoint(granted(claim(HIBERNATED, 'p1')), 1));
    for (const holder of ['p1', 'p2']) {
      const refusal = refused(claim(resumed, holder, after(600)));
      assert.deepEqual(
        [refusal.code, refusal.state],
        ['invalid_transition', { checkpoint_status: 'resumed' }],
      );
    }
  });

  it('waits until people have decided', () => {
    const early = claimCheckpoint(
      HIBERNATED,
      { holder: 'p1', lease_seconds: 60 },
      { isDecided: false, now: AT },
    );
    assert.equal(refused(early).code, 'approval_pending');
  });

  it('is not finished by who never claimed it', () => {
    assert.equal(refused(finishCheckpoint(HIBERNATED, 1)).code, 'stale_token');
  });
});
