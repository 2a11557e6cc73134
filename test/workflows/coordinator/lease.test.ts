import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { beat, coordinate, leasesOf } from '../support/portfolios.js';
import { refusalOf, storyOf, writeStatus } from '../support/intents.js';
import { World } from '../support/world.js';

const ESCALATED = 'coordinator.escalation_required';

describe('the lease of a coordinator', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  const inSeconds = async (seconds: number): Promise<string> =>
    new Date((await world.now()) + seconds * 1_000).toISOString();

  it('refuses a heartbeat at its end or later', async () => {
    const intent = await world.openIntent();
    const lease = await coordinate(world, intent, { expires_at: await inSeconds(90) });
    await world.sleep('60 s');
    assert.equal((await beat(lease)).status, 'active');
    await world.stopWorker();
    await world.sleep('31 s');
    const late = refusalOf(beat(lease)).then(
      ({ code }) => code,
      () => 'closed',
    );
    await world.startWorker();
    assert.ok(['coordinator_closed', 'closed'].includes(await late));
    await lease.result();
    assert.deepEqual(
      leasesOf(world, lease).map(({ status }) => status),
      ['active', 'completed'],
    );
    await writeStatus(intent, 'completed');
  });

  it('stays over when a heartbeat comes after too long a silence', async () => {
    const intent = await world.openIntent();
    const lease = await coordinate(world, intent);
    await world.sleep('280 s');
    assert.equal((await beat(lease)).status, 'active');
    await world.sleep('301 s');
    await lease.result();
    await assert.rejects(beat(lease), { name: 'WorkflowNotFoundError' });
    assert.equal(leasesOf(world, lease).at(-1)?.status, 'failed_over');
    await writeStatus(intent, 'completed');
  });

  it('is independent of another coordinator of the same intent', async () => {
    const intent = await world.openIntent();
    const policy = { suspension_policy: 'escalate' };
    const short = await coordinate(world, intent, { ...policy, expires_at: await inSeconds(60) });
    const long = await coordinate(world, intent, { ...policy, heartbeat_interval_seconds: 3_600 });
    await world.sleep('61 s');
    await short.result();
    const view = await world.ask(intent);
    await world.sleep('20 s');
    const story = await storyOf(world, intent);
    assert.deepEqual(
      story.filter((type) => type === ESCALATED),
      [ESCALATED],
    );
    assert.equal((await beat(long)).status, 'active');
    await long.cancel();
    await long.result();
    assert.ok(view.id);
    await writeStatus(intent, 'abandoned');
  });
});
