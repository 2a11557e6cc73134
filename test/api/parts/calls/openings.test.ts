import assert from 'node:assert/strict';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { describe, it } from 'mocha';
import { WRITE_MS } from '../../../../api/parts/calls/deadline.js';
import { createTemporal } from '../../../../api/parts/calls/temporal.js';
import { standingUpdate } from '../../../../workflows/approval/messages.js';
import { ManualClock, fakeClient, hanging, rpcError, type Handler } from '../../support/fakes.js';

const OPENING = { workflowId: 'approval-1', input: { a: 1 }, summary: 'Pay?', attributes: [] };
const STANDING = { approval: { status: 'pending' }, moved: false };

function bench(start: Handler, update: Handler = () => STANDING) {
  const clock = new ManualClock();
  const { client, calls } = fakeClient({ start, update });
  const temporal = createTemporal(client, clock, 'team-b');
  const opened = temporal.open('approval', OPENING, standingUpdate, {});
  return { clock, calls, opened };
}

describe('a workflow that is started and asked in one call', () => {
  it('is that of its space, and one that runs under its id is asked', async () => {
    const { calls, opened } = bench(() => undefined);
    assert.deepEqual(await opened, { kind: 'done', value: STANDING });
    const [start, update, ...more] = calls;
    assert.deepEqual(more, []);
    const [options] = start?.args ?? [];
    const { workflowId, args, workflowIdReusePolicy, workflowIdConflictPolicy } = options as Record<
      string,
      unknown
    >;
    assert.equal(workflowId, update?.workflowId);
    assert.match(String(workflowId), /team-b/);
    assert.deepEqual(args, [OPENING.input]);
    assert.deepEqual(
      [workflowIdReusePolicy, workflowIdConflictPolicy],
      ['REJECT_DUPLICATE', 'USE_EXISTING'],
    );
    assert.equal(update?.name, standingUpdate.name);
  });

  it('is gone where one with its id has ended', async () => {
    const { opened } = bench(() => {
      throw new WorkflowExecutionAlreadyStartedError('ended', 'approval-1', 'approval');
    });
    assert.deepEqual(await opened, { kind: 'gone' });
  });

  it('is tried again under the same update id while Temporal is away', async () => {
    let tries = 0;
    const { clock, calls, opened } = bench(
      () => undefined,
      () => {
        tries += 1;
        if (tries === 1) throw rpcError('UNAVAILABLE');
        return STANDING;
      },
    );
    await clock.advance(WRITE_MS);
    assert.deepEqual(await opened, { kind: 'done', value: STANDING });
    const ids = calls.flatMap(({ updateId }) => updateId ?? []);
    assert.deepEqual([ids.length, new Set(ids).size], [2, 1]);
  });

  it('has no answer after ten seconds without a worker', async () => {
    const { clock, opened } = bench(() => undefined, hanging);
    await clock.advance(WRITE_MS);
    assert.deepEqual(await opened, { kind: 'no_answer' });
  });
});
