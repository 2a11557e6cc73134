import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { IntentEvent } from '../../../contracts/event.js';
import { RealStack, createIntent } from '../../support/real-stack.js';

const CLIENTS = 100;

describe('many clients on one intent', function () {
  this.timeout(300_000);
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  it('lets all of 100 clients patch once, and tells the others 409, or 503 where all is slow', async () => {
    const intent = await createIntent(stack);
    const statuses: number[] = [];
    const patch = async (client: number): Promise<void> => {
      const name = `client-${client}`;
      for (;;) {
        const { body } = await stack.get(intent);
        // A write that was told 503 may have been carried out all the same.
        if (name in body.state) return;
        const reply = await stack.post(
          `${intent}/state`,
          'agent',
          { state: { [name]: client } },
          { 'If-Match': String(body.version) },
        );
        statuses.push(reply.status);
      }
    };
    const started = process.hrtime.bigint();
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => patch(client)));
    const seconds = Number(process.hrtime.bigint() - started) / 1e9;
    console.log(`      ${statuses.length} writes in ${seconds.toFixed(1)} s`);
    const told = new Set(statuses);
    told.delete(503);
    assert.deepEqual([...told].sort(), [200, 409]);
    const { body } = await stack.get(intent);
    assert.equal(Object.keys(body.state).length, CLIENTS);
    assert.equal(body.version, CLIENTS + 1);
    const log = await stack.get(`${intent}/events?limit=1000`);
    const sequences = (log.body.events as IntentEvent[]).map(({ sequence }) => sequence);
    assert.deepEqual(
      sequences,
      Array.from({ length: CLIENTS + 1 }, (_, index) => CLIENTS + 1 - index),
    );
  });
});
