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

  it('say that the last attempt reached nobody who may answer, until one does', () => {
    const tried = (...all: readonly (readonly [TimelineEntry['kind'], number])[]) =>
      warningsIn(
        all.map(([kind, attempt], index) => ({
          sequence: index + 1,
          at: OPENED_AT,
          kind,
          detail: { attempt, ...(kind === 'delivery_failed' && { error: 'address_missing' }) },
        })),
      );
    const said = ['Attempt 2 told nobody who may answer: address_missing.'];
    assert.deepEqual(tried(['delivered', 1], ['delivery_failed', 2]), said);
    assert.deepEqual(tried(['delivery_failed', 2], ['delivery_failed', 2]), said);
    assert.deepEqual(tried(['delivery_failed', 2], ['delivered', 2]), []);
    assert.deepEqual(tried(['delivery_failed', 1], ['delivered', 2]), []);
    assert.deepEqual(
      tried(['delivered', 2], ['eligibility_changed', 2], ['delivery_failed', 2]),
      said,
    );
    assert.deepEqual(tried(['delivery_failed', 2], ['eligibility_changed', 2]), []);
  });

  it('are in its view if there are any', () => {
    const state = { intent_id: null, record: recordWith(), attempt: 1 };
    const opened = { asked_by: 'agent-1', schedule: { attempts: [] } };
    assert.deepEqual(viewOf(state, opened, timeline(['opened', ['a']])).warnings, ['a']);
    assert.equal('warnings' in viewOf(state, opened, timeline(['opened', undefined])), false);
  });
});
