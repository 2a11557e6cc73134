import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import { readFresh } from '../../support/fresh-reads.js';
import { RealStack, createIntent } from '../../support/real-stack.js';
import { onServer } from '../../support/stack-temporal.js';

const CLIENTS = 100;
/** So many try at once after the first time, when all do. */
const AT_ONCE = 10;

describe('many clients on one intent', function () {
  this.timeout(600_000);
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({}, onServer());
  });
  after(() => stack.close());

  it('lets all of 100 clients patch once, and tells the others 409, or 429 and 503 where all is slow', async () => {
    const intent = await createIntent(stack);
    const statuses: number[] = [];
    const version = async (name: string) => {
      const { body } = (await stack.get(intent)) as { body: Intent };
      return name in body.state ? undefined : body.version;
    };
    const patch = async (name: string, seen: number): Promise<void> => {
      const state = { [name]: true };
      const headers = { 'If-Match': String(seen) };
      const { status } = await stack.post(`${intent}/state`, 'agent', { state }, headers);
      statuses.push(status);
    };
    /** Until the write is there: one that was told 503 may have been carried out all the same. */
    const insist = async (name: string): Promise<void> => {
      let seen = await version(name);
      while (seen !== undefined) {
        await patch(name, seen);
        seen = await version(name);
      }
    };
    const names = Array.from({ length: CLIENTS }, (_, client) => `client-${client}`);
    const started = process.hrtime.bigint();
    await Promise.all(names.map((name) => patch(name, 1)));
    const waiting = [...names];
    const lane = async (): Promise<void> => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
        await insist(name);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    const seconds = Number(process.hrtime.bigint() - started) / 1e9;
    console.log(`      ${statuses.length} writes in ${seconds.toFixed(1)} s`);
    const told = new Set(statuses);
    for (const slow of [429, 503]) told.delete(slow);
    assert.deepEqual([...told].sort(), [200, 409]);
    const { body } = await stack.get(intent);
    assert.equal(Object.keys(body.state).length, CLIENTS);
    assert.equal(body.version, CLIENTS + 1);
    const path = `${intent}/events?limit=1000`;
    const log = await readFresh<{ events: readonly IntentEvent[] }>(stack, path);
    const sequences = log.events.map(({ sequence }) => sequence);
    assert.deepEqual(
      sequences,
      Array.from({ length: CLIENTS + 1 }, (_, index) => CLIENTS + 1 - index),
    );
  });
});
