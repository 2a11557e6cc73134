import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TimelineEntry } from '../../../contracts/suspension/suspension.js';
import { viewOf } from '../../../domain/suspension/record/view.js';
import { warningsIn } from '../../../domain/suspension/asking/warnings.js';
import { OPENED_AT, recordWith } from '../samples.js';

function timeline(...entries: readonly (readonly [TimelineEntry['kind'], unknown])[]) {
  return entries.map(([kind, warnings], index) => ({
    sequence: index + 1,
    at: OPENED_AT,
    kind,
    detail: warnings === undefined ? {} : { warnings: warnings as string[] },
  }));
}

describe('the warnings of a question', () => {
  it('are those with which it was asked', () => {
    assert.deepEqual(warningsIn(timeline(['opened', ['a', 'b']], ['delivered', ['c']])), [
      'a',
      'b',
    ]);
    assert.deepEqual(warningsIn(timeline(['opened', undefined])), []);
    assert.deepEqual(warningsIn([]), []);
  });

  it('are those of its latest version, and of what changed who may answer since', () => {
    const amended = timeline(['opened', ['a']], ['delegated', ['b']], ['amended', ['c']]);
    assert.deepEqual(warningsIn(amended), ['c']);
    assert.deepEqual(warningsIn(timeline(['opened', ['a']], ['amended', undefined])), []);
    const named = timeline(['opened', ['a']], ['eligibility_changed', ['b']], ['delegated', ['b']]);
    assert.deepEqual(warningsIn(named), ['a', 'b']);
  });

  it('are passed over where they have another form', () => {
    assert.deepEqual(warningsIn(timeline(['opened', 'a'], ['delegated', [7]])), []);
  });

  it('are in its view if there are any', () => {
    const state = { intent_id: null, record: recordWith(), attempt: 1 };
    const opened = { asked_by: 'agent-1', schedule: { attempts: [] } };
    assert.deepEqual(viewOf(state, opened, timeline(['opened', ['a']])).warnings, ['a']);
    assert.equal('warnings' in viewOf(state, opened, timeline(['opened', undefined])), false);
  });
});
