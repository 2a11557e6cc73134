import { WorkflowNotFoundError } from '@temporalio/client';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { verifyTimeline } from '../../../../api/usecases/suspension/timeline.js';
import type { JournalRow } from '../../../../contracts/log/journal.js';
import type { SuspensionErasure } from '../../../../contracts/log/erasure.js';
import {
  sealTimelineEntry,
  timelineEvent,
  type TimelineEvent,
} from '../../../../domain/log/seal.js';
import {
  ManualClock,
  SUSPENSION_ID,
  callerOf,
  hanging,
  viewOf,
  type FakeCall,
  type FakeQueries,
} from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';

const LOG: TimelineEvent[] = [];
const ROWS: JournalRow[] = [];
for (let sequence = 1; sequence <= 120; sequence += 1) {
  const at = '2026-01-01T00:00:00.000Z';
  const entry = { sequence, at, kind: 'attempt', detail: { attempt: sequence } } as const;
  const previous = LOG.at(-1)?.['event_hash'];
  const head = typeof previous === 'string' ? previous : null;
  const seal = sealTimelineEntry(SUSPENSION_ID, entry, head, `salt ${sequence}`);
  LOG.push(timelineEvent(SUSPENSION_ID, entry, seal));
  ROWS.push({ kind: 'timeline', suspension_id: SUSPENSION_ID, entry, seal });
}

const headOf = (events: readonly TimelineEvent[]) => {
  const hash = events.at(-1)?.['event_hash'];
  return {
    last_sequence: events.length,
    head_hash: typeof hash === 'string' ? hash : null,
  };
};

/** What verifying finds in a store with these entries. */
async function found(
  stored: readonly TimelineEvent[],
  position: (call: FakeCall) => unknown,
  { erasure, ...ended }: { erasure?: SuspensionErasure; result?: (call: FakeCall) => unknown } = {},
) {
  const clock = new ManualClock();
  const store: FakeQueries = {
    isSettledHere: async () => ended.result !== undefined,
    findSuspensionErasure: async () => erasure,
    timelineEnd: async () => headOf(stored),
    timelineEvents: async (_id, { after = 0, upTo, limit }) =>
      stored.filter(({ sequence }) => after < sequence && sequence <= upTo).slice(0, limit),
  };
  const query = (call: FakeCall) => (call.name === 'record' ? viewOf() : position(call));
  const { parts } = fakeParts({ clock, temporal: { query, ...ended }, store });
  const reading = verifyTimeline.run({ caller: callerOf('root', 'admin'), parts }, SUSPENSION_ID);
  await clock.advance(4_000);
  const { value, stale } = await reading;
  const breaks = value.breaks.map(({ kind, sequence }) => `${kind} ${sequence}`);
  const { erasure: said } = value;
  return {
    breaks,
    from: value.head_from,
    stale,
    count: value.event_count,
    ...(said && { erasure: said }),
  };
}

describe('verifying a timeline', () => {
  const gone = () => {
    throw new WorkflowNotFoundError('missing', '', undefined);
  };

  it('compares its end with what the workflow knows', async () => {
    const whole = () => ({ ...headOf(LOG), written_sequence: 120 });
    const proven = { breaks: [], from: 'workflow', stale: false, count: 120 };
    assert.deepEqual(await found(LOG, whole), proven);
    const cut = await found(LOG.slice(0, 100), whole);
    assert.deepEqual([cut.breaks, cut.stale], [['missing 101'], true]);
    const anew = () => ({ ...whole(), head_hash: LOG[3]?.['event_hash'] });
    assert.deepEqual((await found(LOG, anew)).breaks, ['unlinked 120']);
  });

  it('does not miss what the store is still to be given', async () => {
    const ahead = () => ({ ...headOf(LOG), written_sequence: 100 });
    const behind = { breaks: [], from: 'workflow', stale: true, count: 100 };
    assert.deepEqual(await found(LOG.slice(0, 100), ahead), behind);
  });

  describe('of a settled question', () => {
    const unasked = (): never => assert.fail('a closed workflow was asked');
    const result = () => ({ rows: ROWS.slice(118) });

    it('compares its end with what the workflow returned', async () => {
      const proven = { breaks: [], from: 'workflow', stale: false, count: 120 };
      assert.deepEqual(await found(LOG, unasked, { result }), proven);
      const cut = await found(LOG.slice(0, 119), unasked, { result });
      assert.deepEqual([cut.breaks, cut.stale], [[], true]);
      const anew = [...LOG.slice(0, 119), { ...LOG[119], event_hash: 'another' } as TimelineEvent];
      assert.deepEqual((await found(anew, unasked, { result })).breaks, [
        'changed 120',
        'unlinked 120',
      ]);
    });

    it('asks the workflow where that left no entry, or does not end', async () => {
      const whole = () => ({ ...headOf(LOG), written_sequence: 0 });
      const proven = { breaks: [], from: 'workflow', stale: false, count: 120 };
      assert.deepEqual(await found(LOG, whole, { result: () => ({ rows: [] }) }), proven);
      assert.deepEqual(await found(LOG, whole, { result: hanging }), proven);
    });
  });

  describe('whose details are gone', () => {
    const [first, second, ...rest] = LOG;
    const bare = ({ payload_salt: _salt, ...entry }: TimelineEvent = LOG[0] as TimelineEvent) => ({
      ...entry,
      payload: {},
      erased: true,
    });
    const whole = () => ({ ...headOf(LOG), written_sequence: 120 });

    it('says who erased them, and when', async () => {
      const erasure = { erased_at: '2026-02-01T00:00:00.000Z', erased_by: 'root' };
      const known = { suspension_id: SUSPENSION_ID, ...erasure };
      const proven = { breaks: [], from: 'workflow', stale: false, count: 120, erasure };
      assert.deepEqual(
        await found([bare(first), bare(second), ...rest], whole, { erasure: known }),
        proven,
      );
    });

    it('says that they were taken away where nobody erased them', async () => {
      const taken = await found([bare(first), bare(second), ...rest], whole);
      assert.deepEqual(taken.breaks, ['removed 1', 'removed 2']);
      assert.equal(taken.erasure, undefined);
    });
  });

  it('takes the store’s word where the workflow is gone or silent', async () => {
    const stored = { breaks: [], from: 'store', count: 120 };
    assert.deepEqual(await found(LOG, gone), { ...stored, stale: false });
    assert.deepEqual(await found(LOG, hanging), { ...stored, stale: true });
  });
});
