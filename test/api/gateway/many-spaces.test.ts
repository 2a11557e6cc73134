import assert from 'node:assert/strict';
import { createGateways } from '../../../api/gateway/index.js';
import { WriteMemory } from '../../../api/gateway/reads/write-memory.js';
import { serverConfigSchema } from '../../../contracts/config.js';
import { createCoordinatorRequestSchema } from '../../../contracts/coordinator.js';
import {
  callerOf,
  fakeClient,
  fakeStore,
  INTENT_ID,
  intentOf,
  ManualClock,
  sequences,
  silent,
} from './support.js';
import { createAgentStates } from '../../../runtime/agent-state.js';

const AGENT = callerOf('agent-1', 'agent');
const MANY = 2_000;

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
  const gateways = createGateways({
    agentStates: createAgentStates([]),
    client,
    clock,
    log: silent,
    now: () => clock.now(),
    store,
    storeIn: () => store,
    config: serverConfigSchema.parse({}),
    agentsIn: () => new Set(),
    idSecrets: ['a secret for the ids of the tests'],
  });
  const others = (): void => {
    for (let n = 0; n < MANY; n += 1) gateways(`space-${n}`);
  };
  return { gateways, others, clock };
}

describe('the gateways of many spaces', () => {
  it('are let go but for those of the spaces that called last', () => {
    const { gateways, others } = bench();
    const first = gateways('a');
    others();
    const last = gateways(`space-${MANY - 1}`);
    assert.equal(gateways(`space-${MANY - 1}`), last);
    assert.notEqual(gateways('a'), first);
  });

  it('include that of a space that calls again and again', () => {
    const { gateways } = bench();
    const busy = gateways('a');
    for (let n = 0; n < MANY; n += 1) {
      gateways(`space-${n}`);
      assert.equal(gateways('a'), busy);
    }
  });

  it('lose no write that the store does not show yet', async () => {
    const { gateways, others, clock } = bench();
    const request = createCoordinatorRequestSchema.parse({ intent_id: INTENT_ID });
    const inFlight = gateways('a');
    others();
    await inFlight.createCoordinator(AGENT, request);
    const listed = gateways('a').listCoordinators(INTENT_ID, { limit: 10, offset: 0 });
    await clock.advance(2_000);
    assert.equal((await listed).stale, true);
    const elsewhere = await gateways('b').listCoordinators(INTENT_ID, { limit: 10, offset: 0 });
    assert.equal(elsewhere.stale, false);
  });
});

describe('the memory of writes in many spaces', () => {
  const entryOf = (wanted: number) => ({ wanted, lateSince: undefined });

  it('has one limit, and forgets the space first that wrote longest ago', () => {
    const memory = new WriteMemory<number>(3);
    for (const id of ['1', '2']) memory.in('quiet').put(id, entryOf(1));
    for (const id of ['3', '4']) memory.in('busy').put(id, entryOf(1));
    assert.deepEqual([...memory.in('quiet').entries.keys()], ['2']);
    assert.deepEqual([...memory.in('busy').entries.keys()], ['3', '4']);
    memory.in('busy').put('5', entryOf(1));
    memory.in('busy').put('6', entryOf(1));
    assert.deepEqual([...memory.in('quiet').entries.keys()], []);
    assert.deepEqual([...memory.in('busy').entries.keys()], ['4', '5', '6']);
  });

  it('makes room when the store shows a write, unless it was written again', () => {
    const memory = new WriteMemory<number>(2);
    const { put, forget } = memory.in('a');
    const first = entryOf(1);
    const again = entryOf(2);
    put('1', first);
    put('1', again);
    forget('1', first);
    assert.equal(memory.in('a').entries.get('1'), again);
    forget('1', again);
    put('2', entryOf(1));
    memory.in('b').put('3', entryOf(1));
    assert.deepEqual([...memory.in('a').entries.keys()], ['2']);
  });
});
