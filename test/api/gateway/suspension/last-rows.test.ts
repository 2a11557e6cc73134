import assert from 'node:assert/strict';
import { WorkflowFailedError } from '@temporalio/client';
import { createTemporal } from '../../../../api/gateway/calls/temporal.js';
import type { FromStore } from '../../../../api/gateway/reads/from-store.js';
import { createLastRows } from '../../../../api/gateway/suspension/last-rows.js';
import { RefusalError } from '../../../../api/errors.js';
import type { JournalRow } from '../../../../contracts/journal.js';
import { ManualClock, SUSPENSION_ID, fakeClient, hanging } from '../support.js';
import type { FakeCall } from '../support.js';

const ROW = { kind: 'memory of a row' } as unknown as JournalRow;

describe('the last rows of a question', () => {
  const clock = new ManualClock();
  let written: unknown[];
  beforeEach(() => {
    written = [];
  });

  function writing(result: (call: FakeCall) => unknown, store?: () => Promise<never>) {
    const { client, calls } = fakeClient({ result });
    const taken = async (_write: unknown, ...args: readonly unknown[]) => void written.push(args);
    const fromStore = (store ?? taken) as unknown as FromStore;
    const temporal = createTemporal(client, clock);
    return { write: createLastRows({ temporal, fromStore, clock, space: 'team-b' }), calls };
  }

  it('are written from what its workflow returns, to its own space', async () => {
    const { write, calls } = writing(async () => ({ rows: [ROW] }));
    await write(SUSPENSION_ID);
    assert.deepEqual(written, [[[ROW], 'team-b']]);
    assert.deepEqual(
      calls.map(({ workflowId, name }) => [workflowId, name]),
      [[`suspension-${SUSPENSION_ID}`, 'result']],
    );
  });

  it('are left where the workflow does not end within half a second', async () => {
    const { write } = writing(hanging);
    const began = clock.now();
    const left = write(SUSPENSION_ID);
    await clock.advance(500);
    await left;
    assert.deepEqual([clock.now() - began, written], [500, []]);
  });

  it('are left where the store is away, or does not answer', async () => {
    const away = writing(
      async () => ({ rows: [ROW] }),
      () => Promise.reject(new RefusalError({ code: 'store_unavailable', detail: 'away' })),
    );
    await away.write(SUSPENSION_ID);
    const silent = writing(
      async () => ({ rows: [ROW] }),
      () => new Promise(() => undefined),
    );
    const left = silent.write(SUSPENSION_ID);
    await clock.advance(500);
    await left;
  });

  it('are none where the workflow was terminated', async () => {
    const { write } = writing(() =>
      Promise.reject(
        new WorkflowFailedError('terminated', new Error('terminated'), 'NON_RETRYABLE_FAILURE'),
      ),
    );
    await write(SUSPENSION_ID);
    assert.deepEqual(written, []);
  });

  it('hide no defect', async () => {
    const { write } = writing(
      async () => ({ rows: [ROW] }),
      () => Promise.reject(new TypeError('a defect')),
    );
    await assert.rejects(write(SUSPENSION_ID), /a defect/);
  });
});
