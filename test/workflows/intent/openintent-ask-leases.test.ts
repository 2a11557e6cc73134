import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { acquireLeaseUpdate } from '../../../workflows/intent/messages.js';
import { leasesOf, storyOf, writeStatus, type IntentHandle } from '../support/intents.js';
import { answerAsk, writeAskingStatus, writeAskingRecord } from '../support/suspensions.js';
import { perTest, World } from '../support/world.js';
import { sent } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';

/** What a test may take apart from the time that it lets pass. */
const SLACK_MS = 30_000;

describe('a lease over an OpenIntent ask', () => {
  let world: World;
  perTest(World, (one) => (world = one));

  /** An intent with a lease of five minutes, one of them gone. */
  async function leased(): Promise<IntentHandle> {
    const handle = await world.openIntent();
    const lease = { ...sent('agent-1'), scope: 'refund', duration_seconds: 300 };
    await handle.executeUpdate(acquireLeaseUpdate, { args: [lease] });
    await world.sleep('60 s');
    return handle;
  }

  /** It has about four minutes left, and is over after them. */
  async function runsOn(handle: IntentHandle): Promise<void> {
    const [lease] = await leasesOf(handle);
    const left = Date.parse(lease?.expires_at ?? '') - (await world.now());
    assert.ok(left > 240_000 - SLACK_MS && left <= 240_000, String(left));
    await world.sleep(left + 1_000);
    const isReleased = async () => (await leasesOf(handle)).length === 0;
    await lookUntil(isReleased, 'the lease goes on past its end');
    assert.equal((await storyOf(world, handle)).at(-1), 'lease_released');
    await writeStatus(handle, 'completed');
  }

  for (const aheadSeconds of [600, -600]) {
    it(`runs on where the clock of the agent is off by ${aheadSeconds} s [R25-12]`, async () => {
      const handle = await leased();
      await writeAskingStatus(handle);
      const id = await writeAskingRecord(world, handle, { aheadSeconds });
      await world.sleep('2 hours');
      await answerAsk(world, handle, id);
      await runsOn(handle);
    });
  }

  it('runs on when the record comes after the lease would have ended [R25-12]', async () => {
    const handle = await leased();
    await writeAskingStatus(handle);
    await world.sleep('10 minutes');
    const id = await writeAskingRecord(world, handle);
    await world.sleep('2 hours');
    await answerAsk(world, handle, id);
    await runsOn(handle);
  });
});
