import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { SuspendBody } from '../../../contracts/suspension/requests.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { OperatorAnswer } from '../../../workflows/suspension/messages.js';
import { logOf } from '../support/intents.js';
import { historyOf, respond } from '../support/suspensions.js';
import { World } from '../support/world.js';

const LIFE = ['opened', 'attempt', 'delivered', 'answer_accepted'];

describe('the last rows of a suspension', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  async function asked(body: Partial<SuspendBody> = {}) {
    const intent = await world.openIntent();
    const view = await world.ask(intent, body);
    await world.sleep('10 s');
    return { intent, view, handle: world.suspension(view.id) };
  }

  async function ownWrites(handle: ReturnType<World['suspension']>): Promise<number> {
    const names = (await historyOf({ handle })).map(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name,
    );
    return names.filter((name) => name === 'writeJournal').length;
  }

  function rowsOf(id: string): { timeline: string[]; settled: number } {
    const settled = world.activities.rows.filter(
      (row) => row.kind === 'suspension_settled' && row.suspension_id === id,
    );
    const timeline = world.activities.timelineOf(id).map(({ kind }) => kind);
    return { timeline, settled: settled.length };
  }

  it('are written by its intent, so that it ends although the store is away', async () => {
    const { intent, view, handle } = await asked();
    world.activities.storeIsDown = true;
    await respond({ handle }, await world.answer(view));
    assert.equal((await handle.result()).resolution, 'responded');
    assert.deepEqual(rowsOf(view.id), { timeline: [], settled: 0 });
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    await logOf(world, intent);
    assert.deepEqual(rowsOf(view.id), { timeline: LIFE, settled: 1 });
    assert.equal(await ownWrites(handle), 0);
  });

  it('are written before an intent ends that the end of its question closes', async () => {
    const { intent, view, handle } = await asked({ timeout_seconds: 60, fallback_policy: 'fail' });
    world.activities.storeIsDown = true;
    await world.sleep('60 s');
    assert.equal((await handle.result()).resolution, 'expired');
    assert.equal((await intent.describe()).status.name, 'RUNNING');
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    await intent.result();
    const timeline = ['opened', 'attempt', 'delivered', 'expired'];
    assert.deepEqual(rowsOf(view.id), { timeline, settled: 1 });
  });

  it('are written by itself where they are too many for a report', async () => {
    const { view, handle } = await asked();
    const answer: OperatorAnswer = {
      ...(await world.answer(view)),
      metadata: { note: 'x'.repeat(LIMITS.answerBytes - 100) },
    };
    await respond({ handle }, answer);
    await handle.result();
    assert.deepEqual(rowsOf(view.id), { timeline: LIFE, settled: 1 });
    assert.equal(await ownWrites(handle), 1);
  });
});
