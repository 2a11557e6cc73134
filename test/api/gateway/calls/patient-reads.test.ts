import assert from 'node:assert/strict';
import { createGateways } from '../../../../api/gateway/index.js';
import { serverConfigSchema } from '../../../../contracts/config.js';
import { createCoordinatorRequestSchema } from '../../../../contracts/coordinator.js';
import { createIntentRequestSchema } from '../../../../contracts/intent.js';
import { createPhasedPlanRequestSchema } from '../../../../contracts/plan.js';
import { createPortfolioRequestSchema } from '../../../../contracts/portfolio.js';
import { createTaskRequestSchema } from '../../../../contracts/task.js';
import {
  callerOf,
  fakeClient,
  fakeStore,
  hanging,
  INTENT_ID,
  intentOf,
  ManualClock,
  NOW,
  refusalFrom,
  silent,
  type FakeQueries,
} from '../support.js';
import { createAgentStates } from '../../../../runtime/agent-state.js';

const AGENT = callerOf('agent-1', 'agent');
const STALL_MS = 6_000;
/** As long as a creation waits for the store to hold it. */
const HOLD_MS = 2_000;

/** A gateway whose worker takes nothing up before `until`; what is started is kept by Temporal. */
function stalled(until: number, store: FakeQueries = {}) {
  const clock = new ManualClock();
  const intent = intentOf({ status: 'active', state: {} });
  const { client, calls } = fakeClient({
    start: () => undefined,
    query: (call) => (clock.now() < until ? hanging(call) : { intent, last_sequence: 1 }),
  });
  const stored = fakeStore(store);
  const gateways = createGateways({
    agentStates: createAgentStates([]),
    client,
    clock,
    log: silent,
    now: () => clock.now(),
    store: stored,
    storeIn: () => stored,
    config: serverConfigSchema.parse({}),
    agentsIn: () => new Set(),
    idSecrets: ['a secret for the ids of the tests'],
  });
  const gateway = gateways(AGENT.space);
  const started = () => calls.flatMap(({ name, args }) => (args.length > 0 ? [name] : []));
  return { gateway, clock, started };
}

const phases = { draft: {}, review: { depends_on: ['draft'] } };
const CREATIONS = {
  'an intent': ({ gateway }: ReturnType<typeof stalled>) =>
    gateway.createIntent(
      AGENT,
      createIntentRequestSchema.parse({ title: 'Pay', depends_on: [INTENT_ID] }),
    ),
  'a workflow': ({ gateway }: ReturnType<typeof stalled>) =>
    gateway.createPhasedPlan(AGENT, createPhasedPlanRequestSchema.parse({ title: 'Pay', phases })),
  'a portfolio': ({ gateway }: ReturnType<typeof stalled>) =>
    gateway.createPortfolio(
      AGENT,
      createPortfolioRequestSchema.parse({ name: 'Pay', intents: [{ intent_id: INTENT_ID }] }),
    ),
  'a task': ({ gateway }: ReturnType<typeof stalled>) =>
    gateway.createTask(AGENT, createTaskRequestSchema.parse({ name: 'Pay', intent_id: INTENT_ID })),
  'a coordinator': ({ gateway }: ReturnType<typeof stalled>) =>
    gateway.createCoordinator(
      AGENT,
      createCoordinatorRequestSchema.parse({ intent_id: INTENT_ID }),
    ),
};

describe('what a creation names, itself created a moment ago', () => {
  for (const [what, create] of Object.entries(CREATIONS)) {
    it(`is waited for by ${what} as long as a write waits`, async () => {
      const bench = stalled(NOW + STALL_MS);
      const made = create(bench);
      await bench.clock.advance(STALL_MS + 1_000);
      await bench.clock.advance(HOLD_MS);
      assert.ok(await made);
      assert.ok(bench.started().length > 0);
    });
  }

  it('is given up after ten seconds, and nothing is started', async () => {
    const bench = stalled(Infinity);
    const refused = refusalFrom(CREATIONS['a coordinator'](bench));
    await bench.clock.advance(9_999);
    let settled = false;
    void refused.then(() => (settled = true));
    await bench.clock.advance(0);
    assert.equal(settled, false);
    await bench.clock.advance(1);
    assert.equal((await refused).code, 'workflow_unavailable');
    assert.deepEqual(bench.started(), []);
  });

  it('is not waited for if the store has a copy', async () => {
    const bench = stalled(Infinity, { findIntent: async () => intentOf({ status: 'active' }) });
    const made = CREATIONS['a coordinator'](bench);
    await bench.clock.advance(2_000);
    assert.equal((await made).intent_id, INTENT_ID);
  });

  it('is read by others without that patience', async () => {
    const { gateway, clock } = stalled(Infinity);
    const refused = refusalFrom(gateway.getIntent(INTENT_ID));
    await clock.advance(2_000);
    assert.equal((await refused).code, 'workflow_unavailable');
  });
});
