import { WorkflowNotFoundError } from '@temporalio/client';
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { exportEvents, verifyEvents } from '../../../../api/usecases/event/whole.js';
import type { RunQuery } from '../../../../api/parts/reads/from-store.js';
import { ERASURE_EVENT } from '../../../../contracts/constants/erasure.js';
import type { IntentEvent } from '../../../../contracts/intent/event.js';
import { checkExport } from '../../../../store/checked-export.js';
import type { StoredEnd } from '../../../../store/queries/event-log.js';
import type { refusedRows } from '../../../../store/queries/work/quarantine.js';
import { erasedEvent } from '../../../../domain/intent/erasure.js';
import { logOfNotes } from '../../../support/events.js';
import {
  INTENT_ID,
  ManualClock,
  afterReads,
  callerOf,
  fakeStore,
  hanging,
  refusalFrom,
  sequences,
  type FakeCall,
} from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';

const LOG = logOfNotes(130, INTENT_ID);

const missing = () => {
  throw new WorkflowNotFoundError('missing', '', undefined);
};

/** What the workflow tells of a log, of which the store has confirmed so much. */
function positionOf(events: readonly IntentEvent[], written = events.length) {
  const head_hash = events.at(-1)?.event_hash ?? null;
  const position = { version: 1, last_sequence: events.length, head_hash };
  return { ...position, written_sequence: written };
}

interface Setting {
  readonly stored: readonly IntentEvent[];
  /** Undefined where the store does not know the intent. */
  readonly noted?: readonly IntentEvent[] | undefined;
  readonly position: (call: FakeCall) => unknown;
  readonly refused?: Awaited<ReturnType<typeof refusedRows>>;
}

type Stored = Omit<Setting, 'position'>;

/** @param pages - gets the length of each part of the log that is read */
function storeWith({ stored, refused = [], ...rest }: Stored, pages: number[] = []): RunQuery {
  const noted = 'noted' in rest ? rest.noted : stored;
  const event_sequence = stored.find(({ event_type }) => event_type === ERASURE_EVENT)?.sequence;
  return fakeStore({
    findErasure: async (intent_id) =>
      event_sequence === undefined
        ? undefined
        : {
            intent_id,
            erased_at: '',
            erased_by: 'root',
            through_sequence: event_sequence - 1,
            event_sequence,
          },
    lastSequences: sequences(() => noted?.length ?? 0),
    logEnd: async (): Promise<StoredEnd | undefined> => {
      if (noted === undefined) return undefined;
      const head_hash = noted.at(-1)?.event_hash ?? null;
      const newest_event = Math.max(0, ...stored.map(({ sequence }) => sequence));
      return { last_sequence: noted.length, head_hash, newest_event };
    },
    refusedRows: async () => refused,
    eventsInOrder: async (_id, { after = -Infinity, upTo, limit }) => {
      const part = stored.filter(({ sequence }) => after < sequence && sequence <= upTo);
      pages.push(Math.min(part.length, limit));
      return part.slice(0, limit);
    },
  });
}

function bench({ position, ...rest }: Setting) {
  const pages: number[] = [];
  return { ...benchOver(storeWith(rest, pages), position), pages };
}

function benchOver(store: RunQuery, position: Setting['position']) {
  const clock = new ManualClock();
  const deps = { store, storeIn: () => store };
  const { parts } = fakeParts({ clock, deps, temporal: { query: position } });
  const call = { caller: callerOf('alice', 'operator'), parts };
  const logs = {
    verifyEvents: (id: string) => verifyEvents.run(call, id),
    exportEvents: (id: string) => exportEvents.run(call, id),
  };
  return { clock, logs };
}

/** What verifying finds, once four seconds have passed. */
async function found(setting: Setting) {
  return foundBy(bench(setting));
}

async function foundBy({ clock, logs }: ReturnType<typeof benchOver>) {
  const read = logs.verifyEvents(INTENT_ID);
  await clock.advance(4_000);
  const { value, stale } = await read;
  const breaks = value.breaks.map(({ kind, sequence }) => `${kind} ${sequence}`);
  return { breaks, from: value.head_from, stale, last: value.last_sequence };
}

describe('verifying a log', () => {
  const five = LOG.slice(0, 5);
  const forged = five.map((event) => (event.sequence === 3 ? { ...event, actor: 'x' } : event));
  const whole = { breaks: [], stale: false, last: 5 };

  it('reads it part by part', async () => {
    const { logs, pages } = bench({ stored: LOG, position: () => positionOf(LOG) });
    const { value, stale } = await logs.verifyEvents(INTENT_ID);
    assert.deepEqual([value.chain_valid, value.event_count, stale], [true, 130, false]);
    assert.deepEqual(pages, [50, 50, 30]);
  });

  it('compares its end with what the workflow reports', async () => {
    const live = { stored: five, position: () => positionOf(five) };
    assert.deepEqual(await found(live), { ...whole, from: 'workflow' });
    const anew = { ...live, position: () => positionOf(logOfNotes(5, INTENT_ID)) };
    assert.deepEqual((await found(anew)).breaks, ['unlinked 5']);
    assert.deepEqual((await found({ ...live, stored: forged, noted: five })).breaks, ['changed 3']);
    const cut = { ...live, stored: five.slice(0, 4), noted: five };
    assert.deepEqual((await found(cut)).breaks, ['missing 5']);
  });

  it('names what the store refused of it, and so does its export', async () => {
    const row = { kind: 'event', sequence: 4, reason: 'conflict' } as const;
    const refused = [{ ...row, intent_id: INTENT_ID, suspension_id: null, refused_at: '' }];
    const setting = { stored: five, position: () => positionOf(five), refused };
    assert.deepEqual((await found(setting)).breaks, ['refused 4']);
    const { value } = await bench(setting).logs.exportEvents(INTENT_ID);
    const lines = [...five, value.end].map((line) => JSON.stringify(line));
    const report = await checkExport(Readable.from(lines));
    assert.equal(report.chain_valid, false);
    assert.match(report.breaks[0]?.detail ?? '', /refused a row of the kind event \(conflict\)/);
  });

  it('leaves out what was recorded after the workflow was asked', async () => {
    let asked = 0;
    const position = () => positionOf(LOG.slice(0, asked++ < 2 ? 4 : 5));
    assert.deepEqual(await found({ stored: five, position }), {
      ...whole,
      from: 'workflow',
      last: 4,
    });
  });

  it('finds what was added after the end', async () => {
    const live = { stored: five, position: () => positionOf(LOG.slice(0, 4)) };
    assert.deepEqual((await found(live)).breaks, ['unexpected 5']);
    const gone = { stored: five, noted: LOG.slice(0, 4), position: missing };
    assert.deepEqual((await found(gone)).breaks, ['unexpected 5']);
  });

  it('finds what was added before the start', async () => {
    const zero = { ...five[1], sequence: 0 } as IntentEvent;
    const live = { stored: [zero, ...five], noted: five, position: () => positionOf(five) };
    assert.deepEqual((await found(live)).breaks, ['unexpected 0']);
  });

  it("compares its end with the store's note where the workflow is gone", async () => {
    const gone = { stored: five, position: missing };
    assert.deepEqual(await found(gone), { ...whole, from: 'store' });
    const cut = { ...gone, stored: five.slice(0, 2), noted: five };
    assert.deepEqual((await found(cut)).breaks, ['missing 3']);
  });

  it('is stale if no worker answers, and takes no newer event for a wrong one', async () => {
    const silence = { stored: LOG.slice(0, 6), noted: five, position: hanging };
    assert.deepEqual(await found(silence), { ...whole, from: 'store', stale: true });
    assert.deepEqual((await found({ ...silence, stored: forged })).breaks, ['changed 3']);
  });

  it('is stale if the store is behind, and misses only what it had confirmed', async () => {
    const behind = { stored: five, position: () => positionOf(LOG.slice(0, 9), 5) };
    assert.deepEqual(await found(behind), { ...whole, from: 'store', stale: true });
    const cut = await found({ ...behind, position: () => positionOf(LOG.slice(0, 9), 7) });
    assert.deepEqual([cut.breaks, cut.from, cut.stale], [['missing 6'], 'workflow', true]);
    const lost = { stored: [], noted: undefined, position: () => positionOf(five) };
    assert.deepEqual((await found(lost)).breaks, ['missing 1']);
  });

  it('takes what is erased between any two of its reads for erased', async () => {
    const after = logOfNotes(6, INTENT_ID, 'erasure');
    const before = after.slice(0, 5);
    const stores = [storeWith({ stored: before }), storeWith({ stored: after.map(erasedEvent) })];
    const [first = assert.fail(), then = assert.fail()] = stores;
    for (const position of [missing, () => positionOf(before)]) {
      const lengths = new Set<number>();
      for (let reads = 0; reads < 12; reads += 1) {
        const { breaks, last } = await foundBy(benchOver(afterReads(reads, first, then), position));
        assert.deepEqual(breaks, [], `after ${reads} reads`);
        lengths.add(last);
      }
      assert.deepEqual([...lengths], [6, 5]);
    }
  });

  it('finds no end to what is forged again and again', async () => {
    let asked = 0;
    const position = () => positionOf(logOfNotes((asked += 1) + 5, INTENT_ID));
    const { breaks } = await found({ stored: forged, noted: LOG, position });
    assert.ok(breaks.includes('changed 3'), breaks.join());
    assert.ok(asked < 12, `asked ${asked} times`);
  });

  it('distinguishes an unknown intent from one that cannot be reached', async () => {
    const nothing = { stored: [], noted: undefined };
    const { logs } = bench({ ...nothing, position: missing });
    assert.equal((await refusalFrom(logs.verifyEvents(INTENT_ID))).code, 'intent_not_found');
    assert.equal((await refusalFrom(logs.exportEvents('no id'))).code, 'intent_not_found');
    const { logs: silentLogs, clock } = bench({ ...nothing, position: hanging });
    const refused = refusalFrom(silentLogs.verifyEvents(INTENT_ID));
    await clock.advance(4_000);
    assert.equal((await refused).code, 'workflow_unavailable');
  });
});

describe('exporting a log', () => {
  async function linesOf(setting: Setting): Promise<string[]> {
    const { value } = await bench(setting).logs.exportEvents(INTENT_ID);
    const events: unknown[] = [];
    for await (const event of value.events) events.push(event);
    return [...events, value.end].map((line) => JSON.stringify(line));
  }

  it('sends every event in order and the end, which verify', async () => {
    const lines = await linesOf({ stored: LOG, position: () => positionOf(LOG) });
    const report = await checkExport(Readable.from(lines));
    assert.deepEqual([report.chain_valid, report.event_count], [true, 130]);
  });

  it('ends as the workflow knows, whatever the store says', async () => {
    const cut = { stored: LOG.slice(0, 9), noted: LOG, position: () => positionOf(LOG) };
    const lines = await linesOf(cut);
    const report = await checkExport(Readable.from(lines));
    assert.deepEqual(report.breaks[0]?.kind, 'missing');
  });

  it('reads no further than it is taken', async () => {
    const { logs, pages } = bench({ stored: LOG, position: () => positionOf(LOG) });
    const { value } = await logs.exportEvents(INTENT_ID);
    for await (const { sequence } of value.events) if (sequence === 51) break;
    assert.deepEqual(pages, [50, 50]);
  });
});
