import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { readFresh } from '../../support/fresh-reads.js';
import { RealStack, createIntent } from '../../support/real-stack.js';
import { onServer } from '../../support/stack-temporal.js';

const LANES = 16;
const EVENTS_A_LANE = 4;
const NOTE = 'x'.repeat(240 * 1_024);

interface Page {
  readonly events: IntentEvent[];
  readonly next_offset: number | null;
}

/** Milliseconds between two looks, each of which reads a large event. */
const BETWEEN_LOOKS = 250;

/** Waits until the store holds all that was written, which such a flood takes a while. */
async function fullyStored(stack: RealStack, intent: string): Promise<void> {
  const isStored = async () => {
    const { status, headers } = await stack.get(`${intent}/events?limit=1`);
    return status === 200 && headers['holdpoint-stale'] === undefined;
  };
  while (!(await isStored())) await pause(BETWEEN_LOOKS);
}

describe('many large events on one intent', function () {
  this.timeout(600_000);
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({}, onServer());
  });
  after(() => stack.close());

  it('keeps each that was answered with 201, however fast they come', async () => {
    const intent = await createIntent(stack);
    const statuses: number[] = [];
    const lane = async (): Promise<void> => {
      for (let event = 0; event < EVENTS_A_LANE; event += 1) {
        const body = { event_type: 'note', payload: { note: NOTE } };
        const { status } = await stack.post(`${intent}/events`, 'agent', body);
        statuses.push(status);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    assert.deepEqual(
      statuses.filter((status) => ![201, 429, 503].includes(status)),
      [],
    );
    const kept = statuses.filter((status) => status === 201).length;
    assert.ok(kept > LANES, `${kept} of ${statuses.length} events were taken`);
    const sequences: number[] = [];
    await fullyStored(stack, intent);
    for (let offset: number | null = 0; offset !== null;) {
      const page: string = `${intent}/events?limit=10&offset=${offset}`;
      const { events, next_offset }: Page = await readFresh<Page>(stack, page);
      sequences.push(...events.map(({ sequence }) => sequence));
      offset = next_offset;
    }
    assert.equal(sequences.length, new Set(sequences).size);
    assert.ok(sequences.length > kept, `${sequences.length} events are stored, ${kept} were taken`);
    const next = await stack.post(`${intent}/events`, 'agent', { event_type: 'note' });
    assert.equal(next.status, 201);
  });
});
