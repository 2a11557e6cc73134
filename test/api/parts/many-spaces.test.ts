import assert from 'node:assert/strict';
import {
  createCoordinator,
  listCoordinators,
} from '../../../api/usecases/coordinator/coordinators.js';
import { createPartsOf } from '../../../api/parts/index.js';
import { WriteMemory } from '../../../api/parts/reads/write-memory.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { createCoordinatorRequestSchema } from '../../../contracts/coordinator/coordinator.js';
import {
  callerOf,
  fakeClient,
  fakeStore,
  INTENT_ID,
  intentOf,
  ManualClock,
  sequences,
  silent,
} from '../support/fakes.js';
import { createAgentStates } from '../../../runtime/agent-state.js';
import { emptyFeed } from '../../support/events.js';

const AGENT = callerOf('agent-1', 'agent');
/** More than are kept. */
const MANY = 600;

function bench() {
  const clock = new ManualClock();
  const { client } = fakeClient({
    start: () => undefined,
    query: () => ({ intent: intentOf(), last_sequence: 1 }),
  });
  const store = fakeStore({
    lastSequences: sequences(() => 0),
    coordinatorsOf: async () => ({ rows: [], more: false }),
  });
  const partsOf = createPartsOf({
    agentStates: createAgentStates([]),
    client,
    clock,
    log: silent,
    now: () => clock.now(),
    store,
    storeIn: () => store,
    feed: emptyFeed(),
    config: serverConfigSchema.parse({}),
    agentsIn: () => new Set(),
    idSecrets: ['a secret for the ids of the tests'],
  });
  const others = (): void => {
    for (let n = 0; n < MANY; n += 1) partsOf(`space-${n}`);
  };
  const callIn = (space: string) => ({ caller: AGENT, parts: partsOf(space) });
  return { partsOf, callIn, others, clock };
}

describe('the parts of many spaces', () => {
  it('are let go but for those of the spaces that called last', () => {
    const { partsOf, others } = bench();
    const first = partsOf('a');
    others();
    const last = partsOf(`space-${MANY - 1}`);
    assert.equal(partsOf(`space-${MANY - 1}`), last);
    assert.notEqual(partsOf('a'), first);
  });

  it('include those of a space that calls again and again', () => {
    const { partsOf } = bench();
    const busy = partsOf('a');
    for (let n = 0; n < MANY; n += 1) {
      partsOf(`space-${n}`);
      assert.equal(partsOf('a'), busy);
    }
  });

  it('lose no write that the store does not show yet', async () => {
    const { callIn, others, clock } = bench();
    const request = createCoordinatorRequestSchema.parse({ intent_id: INTENT_ID });
    const inFlight = callIn('a');
    others();
    await createCoordinator.run(inFlight, request);
    const page = { limit: 10, offset: 0 };
    const listed = listCoordinators.run(callIn('a'), INTENT_ID, page);
    await clock.advance(2_000);
    assert.equal((await listed).stale, true);
    const elsewhere = await listCoordinators.run(callIn('b'), INTENT_ID, page);
    assert.equal(elsewhere.stale, false);
  });
});

describe('the memory of writes in many spaces', () => {
  const memoryOf = (most: number) =>
    new WriteMemory<number>('things', (earlier, later) => Math.max(earlier, later), most);

  it('has one limit, and forgets the space first that wrote longest ago', () => {
    const memory = memoryOf(3);
    for (const id of ['1', '2']) memory.in('quiet').touch(id, 1);
    for (const id of ['3', '4']) memory.in('busy').touch(id, 1);
    assert.deepEqual([...memory.in('quiet').entries.keys()], ['2']);
    assert.deepEqual([...memory.in('busy').entries.keys()], ['3', '4']);
    memory.in('busy').touch('5', 1);
    memory.in('busy').touch('6', 1);
    assert.deepEqual([...memory.in('quiet').entries.keys()], []);
    assert.deepEqual([...memory.in('busy').entries.keys()], ['4', '5', '6']);
  });

  it('makes room when the store shows a write, unless it was written again', () => {
    const memory = memoryOf(2);
    const { touch, forget } = memory.in('a');
    const first = touch('1', 1);
    const again = touch('1', 2);
    forget('1', first);
    assert.equal(memory.in('a').entries.get('1'), again);
    forget('1', again);
    touch('2', 1);
    memory.in('b').touch('3', 1);
    assert.deepEqual([...memory.in('a').entries.keys()], ['2']);
  });

  it('learns of the writes of others what it does not know', () => {
    const memory = memoryOf(2).in('a');
    const { learn, touch } = memory;
    touch('1', 2);
    const own = memory.entries.get('1');
    learn('1', 1);
    assert.equal(memory.entries.get('1'), own);
    learn('1', 3);
    learn('2', 1);
    assert.deepEqual(
      [...memory.entries].map(([id, { wanted }]) => [id, wanted]),
      [
        ['1', 3],
        ['2', 1],
      ],
    );
  });
});
