import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { atRest } from '../support/histories.js';
import { Agents } from '../support/agents.js';
import { storyOf } from '../support/intents.js';
import { planAtCheckpoint } from '../support/plans.js';
import { respond } from '../support/suspensions.js';

const QUESTION = { question: 'Refund?', response_type: 'confirm' } as const;

/** A workflow that asked, and its question. */
interface Asked {
  readonly parent: { terminate(): Promise<unknown> };
  readonly id: string;
  readonly value?: string;
}

/** Who asks, by the name of what it is. */
const PARENTS: Readonly<Record<string, (agents: Agents) => Promise<Asked>>> = {
  intent: async ({ world }) => {
    const parent = await world.openIntent();
    const { id } = await world.ask(parent);
    await storyOf(world, parent);
    await atRest(parent);
    return { parent, id };
  },
  plan: async ({ world }) => {
    const { handle: parent, id } = await planAtCheckpoint(world);
    await atRest(parent);
    return { parent, id };
  },
  'agent’s workflow': async (agents) => {
    const parent = await agents.run('asks', QUESTION);
    const { id } = await agents.question(parent);
    return { parent, id, value: 'yes' };
  },
};

describe('a question whose parent is gone', () => {
  let agents: Agents;
  before(async () => {
    agents = await Agents.start({ on: 'dev server' });
  });
  afterEach(() => {
    agents.world.activities.storeIsDown = false;
  });
  after(() => agents.close());

  /** Answers; the question ends at once, and leaves its rows to the reconciler. */
  async function assertAnswered(id: string, value = 'approve'): Promise<void> {
    const { world } = agents;
    const view = world.activities.suspensionOf(id) ?? assert.fail('it is not stored');
    const handle = world.suspension(id);
    const { result } = await respond({ handle }, await world.answer(view, value));
    assert.equal(result.value, value);
    const { resolution, rows } = await handle.result();
    assert.equal(resolution, 'responded');
    assert.ok(rows.some(({ kind }) => kind === 'suspension_settled'));
  }

  for (const [name, ask] of Object.entries(PARENTS)) {
    for (const store of ['up', 'down']) {
      it(`is answered and ends: ${name} as parent terminated, store ${store}`, async () => {
        const { parent, id, value } = await ask(agents);
        await parent.terminate();
        agents.world.activities.storeIsDown = store === 'down';
        await assertAnswered(id, value);
      });
    }
  }

  it('is answered and ends: parent closed', async () => {
    const parent = await agents.run('leaves', QUESTION);
    const { id } = await agents.question(parent);
    assert.equal(await parent.result(), id);
    await assertAnswered(id, 'yes');
  });
});
