import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { missedTargets } from '../../bench/fanout-targets.js';

const MET = [
  { observers: 20, ms: 400, events: 30 },
  { observers: 100, ms: 500, events: 40 },
  { observers: 1_000, ms: 5_000, events: 80 },
  { observers: 10_000, ms: 50_000, events: 10_000 },
];

describe('the targets of a fan-out', () => {
  it('are met by what grows with the observers, and at the bounds', () => {
    assert.deepEqual(missedTargets(MET), []);
    assert.deepEqual(missedTargets([{ observers: 10_000, ms: 60_000, events: 10_000 }]), []);
  });

  it('are missed over 60 s for 10,000', () => {
    assert.deepEqual(missedTargets([{ observers: 10_000, ms: 60_100, events: 80 }]), [
      '10000 observers: 60.1 s, where 60.0 s are the most.',
    ]);
  });

  it('are missed by what grows faster than the observers', () => {
    const faster = { observers: 1_000, ms: 7_000, events: 80 };
    assert.deepEqual(missedTargets([faster, ...MET.slice(0, 2)]), [
      '1000 observers: 7.0 s, where 6.3 s are linear growth from 100.',
    ]);
  });

  it('are missed by a history over 10,000 events', () => {
    assert.deepEqual(missedTargets([{ observers: 20, ms: 400, events: 10_001 }]), [
      '20 observers: 10001 events, where 10000 are the most.',
    ]);
  });
});
