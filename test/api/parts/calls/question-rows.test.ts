import assert from 'node:assert/strict';
import { WorkflowFailedError } from '@temporalio/client';
import PQueue from 'p-queue';
import { createRowWrites } from '../../../../api/parts/calls/row-writes.js';
import { createTemporal } from '../../../../api/parts/calls/temporal.js';
import type { FromStore } from '../../../../api/parts/reads/from-store.js';
import { createQuestionRows } from '../../../../api/parts/calls/row-hand-over.js';
import { RefusalError } from '../../../../api/errors.js';
import type { JournalRow, JournalWatch } from '../../../../contracts/log/journal.js';
import { openingRow } from '../../../../domain/suspension/record/opening-row.js';
import { notOpened } from '../../../../store/queries/work/unsettled.js';
import { WRITERS } from '../../../../workflows/engine/row-duty.js';
import { ManualClock, SUSPENSION_ID, fakeClient, hanging, viewOf } from '../../support/fakes.js';

const ROW = { kind: 'memory of a row' } as unknown as JournalRow;

const result = async () => ({ rows: [ROW] });
const away = () => Promise.reject(new RefusalError({ code: 'store_unavailable', detail: 'away' }));
const terminated = () =>
  Promise.reject(
    new WorkflowFailedError('terminated', new Error('terminated'), 'NON_RETRYABLE_FAILURE'),
  );

describe('the rows of a question that holds up nobody', () => {
  const clock = new ManualClock();
  let written: unknown[];
  let noted: JournalRow[];
  let warned: string[];
  /** What is done once nobody waits. */
  let later: PQueue;
  beforeEach(() => {
    warned = [];
    later = new PQueue({ autoStart: false });
    written = [];
    noted = [];
  });

  /** A store that takes rows, or does what is given; it knows the question unless it is told not to. */
  function writing(
    handlers: Parameters<typeof fakeClient>[0],
    { store, knows = true }: { store?: () => Promise<never>; knows?: boolean } = {},
  ) {
    const { client, calls } = fakeClient(handlers);
    const fromStore = async (query: { name: string }, ...args: readonly unknown[]) => {
      if (query.name === notOpened.name) return knows ? [] : args[0];
      if (store) return store();
      const [rows, space, watch] = args as [JournalRow[], string, JournalWatch];
      written.push([rows, space]);
      watch({ rows, refused: [], news: rows });
      return [];
    };
    const temporal = createTemporal(client, clock);
    const rows = createQuestionRows({
      temporal,
      fromStore: fromStore as unknown as FromStore,
      rowWrites: createRowWrites({
        temporal,
        fromStore: fromStore as unknown as FromStore,
        clock,
        log: { warn: (_fields, message) => void warned.push(message) },
        space: 'team-b',
        written: ({ news }) => void noted.push(...news),
      }),
      background: later,
      space: 'team-b',
    });
    const early = () => rows.writeEarly(SUSPENSION_ID);
    const write = (received?: readonly JournalRow[]) =>
      rows.writeLast(SUSPENSION_ID, { rows: received });
    return { ...rows, write, early, calls };
  }

  it('are written at its end, from what its workflow returns, to its own space', async () => {
    const { write, calls } = writing({ result });
    await write();
    assert.deepEqual([written, noted, later.size], [[[[ROW], 'team-b']], [ROW], 0]);
    assert.deepEqual(
      calls.map(({ workflowId, name }) => [workflowId, name]),
      [[`suspension-${SUSPENSION_ID}`, 'result']],
    );
  });

  it('are written from the receipt where that has them, without a call to Temporal', async () => {
    const { write, calls } = writing({ result: hanging });
    await write([ROW]);
    assert.deepEqual([written, calls], [[[[ROW], 'team-b']], []]);
  });

  it('are written without a look at the opening, where that was written here', async () => {
    const view = viewOf({ intent_id: null });
    const input = { ...view, subject_workflow_id: null, writers: WRITERS.api };
    const rows = writing({ result }, { knows: false });
    await rows.writeOpening(input);
    await rows.write([ROW]);
    assert.deepEqual(written, [
      [[openingRow(input)], 'team-b'],
      [[ROW], 'team-b'],
    ]);
  });

  it('are left where the workflow does not end within half a second', async () => {
    const { write } = writing({ result: hanging });
    const began = clock.now();
    const left = write();
    await clock.advance(500);
    await left;
    assert.deepEqual([clock.now() - began, written], [500, []]);
  });

  it('are written after the reply where they could not be before, once more', async () => {
    let asked = 0;
    const late = async (call: Parameters<typeof hanging>[0]) =>
      (asked += 1) === 1 ? hanging(call) : result();
    const { write } = writing({ result: late });
    const left = write();
    await clock.advance(500);
    await left;
    assert.deepEqual([written, later.size], [[], 1]);
    await later.start().onIdle();
    assert.deepEqual([written, asked], [[[[ROW], 'team-b']], 2]);
  });

  it('are left where the store is away, or does not answer', async () => {
    await writing({ result }, { store: away }).write();
    assert.deepEqual(noted, []);
    const silent = writing({ result }, { store: () => new Promise(() => undefined) });
    const left = silent.write();
    await clock.advance(500);
    await left;
  });

  it('are written early where its subject writes them too, while nobody waits', async () => {
    writing({ result }).early();
    assert.deepEqual([written, later.size], [[], 1]);
    await later.start().onIdle();
    assert.deepEqual(written, [[[ROW], 'team-b']]);
  });

  it('are none where the workflow was terminated', async () => {
    const { write } = writing({ result: terminated });
    await write();
    assert.deepEqual([written, later.size], [[], 0]);
  });

  it('fail no request where there is a defect, which the log has', async () => {
    const { write } = writing(
      { result },
      { store: () => Promise.reject(new TypeError('a defect')) },
    );
    await write();
    assert.deepEqual(warned, ['rows were left to others']);
  });

  it('are written at its end with the opening, where that is missing', async () => {
    const view = viewOf({ intent_id: null });
    const { write, calls } = writing({ result, query: () => view }, { knows: false });
    await write();
    assert.deepEqual(written, [
      [[ROW], 'team-b'],
      [[openingRow(view)], 'team-b'],
    ]);
    assert.deepEqual(
      calls.map(({ name }) => name),
      ['result', 'record'],
    );
  });

  it('begin with the opening, which the question writes itself where the store is away', async () => {
    const { record, schedule } = viewOf();
    const input = { intent_id: null, subject_workflow_id: null, asked_by: 'agent-1' };
    const asked = { ...input, writers: WRITERS.api, record, schedule };
    await writing({}).writeOpening(asked);
    assert.deepEqual(written, [[[openingRow(asked)], 'team-b']]);
    const failing = writing({ signal: () => undefined }, { store: away });
    await failing.writeOpening(asked);
    assert.deepEqual(
      failing.calls.map(({ name, workflowId }) => [name, workflowId]),
      [['write', `suspension-${record.id}`]],
    );
    assert.deepEqual(warned, []);
    const both = writing({ signal: terminated }, { store: away });
    await both.writeOpening(asked);
    assert.deepEqual(warned, ['rows were left to others']);
  });
});
