import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { cpuMsOfStat, machineTimeOf } from '../../bench/cpu-time.js';

describe('CPU time', () => {
  it('of a process is that of itself and of its ended children', () => {
    const stat =
      '42 (node (a) b) S 1 42 42 0 -1 4194304 9 0 0 0 150 25 10 5 20 0 11 0 100 200 300 400';
    assert.equal(cpuMsOfStat(stat), 1_900);
  });

  it('of the machine leaves out waiting for disks, and counts guests once', () => {
    const stat = 'cpu  100 20 30 800 40 5 3 2 60 0\ncpu0 1 2 3 4 5 6 7 8 9 0\nintr 1';
    assert.deepEqual(machineTimeOf(stat), { busy: 1_600, all: 10_000 });
  });
});
