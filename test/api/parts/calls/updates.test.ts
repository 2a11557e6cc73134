import assert from 'node:assert/strict';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { createTemporal } from '../../../../api/parts/calls/temporal.js';
import { appendEventUpdate } from '../../../../workflows/intent/messages.js';
import { endSubscriptionSignal } from '../../../../workflows/subscription/messages.js';
import {
  fakeClient,
  hanging,
  idle,
  ManualClock,
  refusalFrom,
  rpcError,
  updateRefused,
  type FakeCall,
} from '../../support/fakes.js';
import { defined } from '../../../../contracts/constants/defined.js';
import { caller } from '../../../support/callers.js';

const EVENT = { actor: 'agent-1', event_type: 'comment', payload: {} };

function bench(update: (call: FakeCall) => unknown) {
  const clock = new ManualClock();
  const { client, calls } = fakeClient({ update });
  const temporal = createTemporal(client, clock);
  const send = (updateId?: string) =>
    temporal.update('intent-1', appendEventUpdate, EVENT, defined({ updateId }));
  return { clock, calls, send };
}

/** Answers with the given results in turn; an error is thrown. */
function inTurn(...results: unknown[]) {
  return () => {
    const result = results.shift();
    if (result instanceof Error) throw result;
    return result;
  };
}

describe('a Signal through the API', () => {
  it('waits for none of the Updates that wait for the same workflow', async () => {
    const clock = new ManualClock();
    const { client, calls } = fakeClient({ update: hanging, signal: () => undefined });
    const temporal = createTemporal(client, clock);
    const updates = Array.from({ length: 5 }, () =>
      temporal.update('subscription-1', appendEventUpdate, EVENT),
    );
    await idle();
    assert.equal(
      await temporal.signal('subscription-1', endSubscriptionSignal, [{ by: caller('agent-1') }]),
      'sent',
    );
    assert.equal(calls.filter(({ updateId }) => updateId !== undefined).length, 4);
    await clock.advance(20_000);
    await Promise.all(updates);
  });

  for (const [code, why] of [
    ['UNAVAILABLE', 'Temporal is away'],
    ['INVALID_ARGUMENT', 'the run has taken as many Signals as a run may'],
  ] as const) {
    it(`is sent again while ${why}, for ten seconds`, async () => {
      const clock = new ManualClock();
      const { client, calls } = fakeClient({
        signal: () => {
          throw rpcError(code);
        },
      });
      const sent = createTemporal(client, clock).signal('subscription-1', endSubscriptionSignal, [
        { by: caller('agent-1') },
      ]);
      const refused = refusalFrom(sent);
      await clock.advance(10_000);
      assert.equal((await refused).code, 'workflow_unavailable');
      assert.ok(calls.length > 2, `sent ${calls.length} times`);
    });
  }

  it('finds a workflow that is gone', async () => {
    const { client } = fakeClient({
      signal: () => {
        throw new WorkflowNotFoundError('closed', 'subscription-1', undefined);
      },
    });
    const { signal } = createTemporal(client, new ManualClock());
    assert.equal(
      await signal('subscription-1', endSubscriptionSignal, [{ by: caller('agent-1') }]),
      'gone',
    );
  });
});

describe('the start of a workflow through the API', () => {
  const OPENING = { workflowId: 'intent-1', input: {}, summary: 'Refund', attributes: [] };

  function starting(start: (call: FakeCall) => unknown) {
    const clock = new ManualClock();
    const { client, calls } = fakeClient({ start });
    const temporal = createTemporal(client, clock);
    return { clock, calls, start: () => temporal.start('intent', OPENING) };
  }

  it('waits for its turn among all writes of the process', async () => {
    const { calls, clock, start } = starting(hanging);
    const all = Promise.allSettled(Array.from({ length: 33 }, start));
    await clock.advance(9_999);
    assert.equal(calls.length, 32);
    await clock.advance(1);
    assert.equal(calls.length, 33);
    await clock.advance(10_000);
    await all;
  });

  it('is a 503 where Temporal is busy for all of its time', async () => {
    const { calls, clock, start } = starting(() => {
      throw rpcError('RESOURCE_EXHAUSTED');
    });
    const refused = refusalFrom(start());
    await clock.advance(10_000);
    assert.equal((await refused).code, 'workflow_unavailable');
    assert.ok(calls.length > 2, `sent ${calls.length} times`);
  });
});

describe('an Update through the API', () => {
  it('returns the result and carries argument and update id', async () => {
    const { send, calls } = bench(() => 'event');
    assert.deepEqual(await send('k:1'), { kind: 'done', value: 'event' });
    assert.deepEqual(calls[0]?.args, [EVENT]);
    assert.equal(calls[0].updateId, 'k:1');
  });

  const passing = {
    'a run that hands over': updateRefused({ code: 'moving', detail: 'moving' }),
    'an overloaded server': rpcError('RESOURCE_EXHAUSTED'),
    'a server that is away': rpcError('UNAVAILABLE'),
    'an Update cut off by a closing run': rpcError('ABORTED'),
    'a workflow that is not ready': rpcError('FAILED_PRECONDITION'),
  };
  for (const [name, error] of Object.entries(passing)) {
    it(`is sent again under one id after ${name}`, async () => {
      const { send, calls, clock } = bench(inTurn(error, error, 'event'));
      const sent = send();
      await clock.advance(200);
      assert.deepEqual(await sent, { kind: 'done', value: 'event' });
      assert.equal(calls.length, 3);
      assert.equal(new Set(calls.map(({ updateId }) => updateId)).size, 1);
    });
  }

  it('throws what the workflow refuses, once', async () => {
    const refusal = { code: 'version_conflict', detail: 'stale' } as const;
    const { send, calls } = bench(inTurn(updateRefused(refusal)));
    assert.deepEqual(await refusalFrom(send()), refusal);
    assert.equal(calls.length, 1);
  });

  it('finds a closed or missing workflow [TM-04]', async () => {
    const { send } = bench(inTurn(new WorkflowNotFoundError('closed', 'intent-1', undefined)));
    assert.deepEqual(await send(), { kind: 'gone' });
  });

  it('takes a run that ended before the Update for closed', async () => {
    const cause = ApplicationFailure.create({ type: 'AcceptedUpdateCompletedWorkflow' });
    const { send } = bench(inTurn(new WorkflowUpdateFailedError('failed', cause)));
    assert.deepEqual(await send(), { kind: 'gone' });
  });

  it('gives up after ten seconds without a worker and ends the RPC', async () => {
    const { send, calls, clock } = bench(hanging);
    const sent = send();
    await clock.advance(9_999);
    assert.equal(calls[0]?.signal.aborted, false);
    await clock.advance(1);
    assert.deepEqual(await sent, { kind: 'no_answer' });
    assert.equal(calls[0].signal.aborted, true);
  });

  it('counts as not answered where Temporal is busy for all of its time', async () => {
    const { send, clock } = bench(() => {
      throw rpcError('RESOURCE_EXHAUSTED');
    });
    const sent = send();
    await clock.advance(10_000);
    assert.deepEqual(await sent, { kind: 'no_answer' });
  });

  it('stops sending again once its time is up', async () => {
    const { send, calls, clock } = bench(() => {
      throw rpcError('UNAVAILABLE');
    });
    const sent = send();
    await clock.advance(10_000);
    assert.deepEqual(await sent, { kind: 'no_answer' });
    const made = calls.length;
    await clock.advance(60_000);
    assert.equal(calls.length, made);
  });

  it('has ten seconds from its admission on, however long it waited', async () => {
    const { send, calls, clock } = bench(hanging);
    const first = Promise.all([send(), send(), send(), send()]);
    await clock.advance(5_000);
    const fifth = send();
    await clock.advance(4_999);
    assert.equal(calls.length, 4);
    await clock.advance(1);
    assert.deepEqual(await first, Array(4).fill({ kind: 'no_answer' }));
    await clock.advance(9_999);
    assert.equal(calls[4]?.signal.aborted, false);
    await clock.advance(1);
    assert.deepEqual(await fifth, { kind: 'no_answer' });
    assert.equal(calls.length, 5);
  });

  it('is not sent at all if it was refused while it waited', async () => {
    const { send, calls, clock } = bench(hanging);
    const all = Array.from({ length: 16 }, () => send());
    const last = refusalFrom(all.at(-1) ?? Promise.resolve());
    await clock.advance(25_000);
    assert.equal((await last).code, 'busy');
    assert.equal(calls.length, 12);
    await clock.advance(20_000);
    assert.equal(calls.length, 12);
    await Promise.allSettled(all);
  });

  it('passes on what it does not know', async () => {
    const { send } = bench(inTurn(new TypeError('broken')));
    await assert.rejects(send(), TypeError);
    await idle();
  });
});
