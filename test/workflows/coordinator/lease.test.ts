import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { beat, coordinate, leasesOf } from '../support/portfolios.js';
import { refusalOf, writeStatus } from '../support/intents.js';
import { perSuite, World } from '../support/world.js';

describe('the lease of a coordinator', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

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
});
