import assert from 'node:assert/strict';
import { createTemporal } from '../../../../api/parts/calls/temporal.js';
import { positionQuery } from '../../../../workflows/engine/messages.js';
import { intentQuery } from '../../../../workflows/intent/messages.js';
import { fakeClient, idle, ManualClock, rpcError, type FakeCall } from '../../support/fakes.js';

/** Queries that are answered by hand, the oldest first. */
function bench() {
  const waiting: ((value: unknown) => void)[] = [];
  const query = (_call: FakeCall) => new Promise((resolve) => waiting.push(resolve));
  const { client, calls } = fakeClient({ query });
  const ask = createTemporal(client, new ManualClock()).query;
  const answer = async (value: unknown) => {
    await idle();
    const next = waiting.shift();
    assert.ok(next, 'a query waits');
    next(value);
    await idle();
  };
  return { ask, calls, answer };
}

describe('asking a workflow', () => {
  it('answers who comes during a query with the next one', async () => {
    const { ask, calls, answer } = bench();
    const first = ask('intent-1', positionQuery);
    await idle();
    const later = Array.from({ length: 50 }, () => ask('intent-1', positionQuery));
    await answer('old');
    await answer('new');
    assert.deepEqual(await first, { kind: 'done', value: 'old' });
    assert.deepEqual(
      new Set((await Promise.all(later)).map((read) => JSON.stringify(read))),
      new Set([JSON.stringify({ kind: 'done', value: 'new' })]),
    );
    assert.equal(calls.length, 2);
  });

  it('asks afresh once a query has ended', async () => {
    const { ask, answer } = bench();
    const first = ask('intent-1', positionQuery);
    await answer(1);
    await first;
    const second = ask('intent-1', positionQuery);
    await answer(2);
    assert.deepEqual(await second, { kind: 'done', value: 2 });
  });

  it('asks one workflow one thing at a time', async () => {
    const { ask, calls, answer } = bench();
    const both = [ask('intent-1', positionQuery), ask('intent-1', intentQuery)];
    await idle();
    assert.equal(calls.length, 1);
    await answer(1);
    await answer(2);
    assert.equal((await Promise.all(both)).length, 2);
    assert.deepEqual(
      calls.map(({ name }) => name),
      ['position', 'intent'],
    );
  });

  it('asks again if the server has too many queries', async () => {
    const clock = new ManualClock();
    const replies = [rpcError('RESOURCE_EXHAUSTED'), 7];
    const { client } = fakeClient({
      query: () => {
        const reply = replies.shift();
        if (reply instanceof Error) throw reply;
        return reply;
      },
    });
    const asked = createTemporal(client, clock).query('intent-1', positionQuery);
    await clock.advance(20);
    assert.deepEqual(await asked, { kind: 'done', value: 7 });
  });
});
