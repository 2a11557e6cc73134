import assert from 'node:assert/strict';
import { createCoordinator } from '../../../../api/usecases/coordinator/coordinators.js';
import { createIntent } from '../../../../api/usecases/intent/create.js';
import { getIntent } from '../../../../api/usecases/intent/read.js';
import { createWorkflow } from '../../../../api/usecases/plan/phased.js';
import { createPortfolio } from '../../../../api/usecases/portfolio/portfolios.js';
import { createTask } from '../../../../api/usecases/task/tasks.js';
import { createCoordinatorRequestSchema } from '../../../../contracts/coordinator/coordinator.js';
import { createIntentRequestSchema } from '../../../../contracts/intent/intent.js';
import { createPhasedPlanRequestSchema } from '../../../../contracts/plan/plan.js';
import { createPortfolioRequestSchema } from '../../../../contracts/portfolio/portfolio.js';
import { createTaskRequestSchema } from '../../../../contracts/plan/task.js';
import { fakeParts } from '../../support/parts.js';
import {
  callerOf,
  hanging,
  INTENT_ID,
  intentOf,
  ManualClock,
  NOW,
  refusalFrom,
  type FakeQueries,
} from '../../support/fakes.js';

const AGENT = callerOf('agent-1', 'agent');
const STALL_MS = 6_000;
/** As long as a creation waits for the store to hold it. */
const HOLD_MS = 2_000;

/** A space whose worker takes nothing up before `until`; what is started is kept by Temporal. */
function stalled(until: number, store: FakeQueries = {}) {
  const clock = new ManualClock();
  const intent = intentOf({ status: 'active', state: {} });
  const { parts, calls } = fakeParts({
    clock,
    temporal: {
      start: () => undefined,
      query: (call) => (clock.now() < until ? hanging(call) : { intent, last_sequence: 1 }),
    },
    store,
  });
  const started = () => calls.flatMap(({ name, args }) => (args.length > 0 ? [name] : []));
  return { call: { caller: AGENT, parts }, clock, started };
}

const phases = { draft: {}, review: { depends_on: ['draft'] } };
const CREATIONS = {
  'an intent': ({ call }: ReturnType<typeof stalled>) =>
    createIntent.run(
      call,
      createIntentRequestSchema.parse({ title: 'Pay', depends_on: [INTENT_ID] }),
    ),
  'a workflow': ({ call }: ReturnType<typeof stalled>) =>
    createWorkflow.run(call, createPhasedPlanRequestSchema.parse({ title: 'Pay', phases })),
  'a portfolio': ({ call }: ReturnType<typeof stalled>) =>
    createPortfolio.run(
      call,
      createPortfolioRequestSchema.parse({ name: 'Pay', intents: [{ intent_id: INTENT_ID }] }),
    ),
  'a task': ({ call }: ReturnType<typeof stalled>) =>
    createTask.run(call, createTaskRequestSchema.parse({ name: 'Pay', intent_id: INTENT_ID })),
  'a coordinator': ({ call }: ReturnType<typeof stalled>) =>
    createCoordinator.run(call, createCoordinatorRequestSchema.parse({ intent_id: INTENT_ID })),
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
    const { call, clock } = stalled(Infinity);
    const refused = refusalFrom(getIntent.run(call, INTENT_ID));
    await clock.advance(2_000);
    assert.equal((await refused).code, 'workflow_unavailable');
  });
});
