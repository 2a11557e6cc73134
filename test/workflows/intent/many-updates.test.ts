import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { appendEventUpdate } from '../../../workflows/intent/messages.js';
import { sent } from '../../support/callers.js';
import { insist, logOf, patch, refusalOf, type IntentHandle } from '../support/intents.js';
import { perSuite, World } from '../support/world.js';

/** The key tells a note that is sent again, because its reply was cut off, from another. */
async function note(handle: IntentHandle, index: number): Promise<void> {
  const key = `note ${index}`;
  const event = { ...sent('agent-1'), event_type: 'note', payload: { index }, key };
  await handle.executeUpdate(appendEventUpdate, { args: [event] });
}

async function runOf(handle: IntentHandle): Promise<string> {
  return (await handle.describe()).runId;
}

/** On a server, which has some of them come between two runs. */
describe('many Updates of an intent that continues as new', () => {
  let world: World;
  perSuite(World, (one) => (world = one), {
    on: 'dev server',
    notReplayed:
      'The replay of these runs hung three times on a busy machine, and test/flaky.md says so; other tests replay runs ' +
      'that continue as new.',
  });

  it('land once each while it moves', async () => {
    const handle = await world.openIntent({ history_limit: 40 });
    const runs = new Set([await runOf(handle)]);
    const indexes = Array.from({ length: 60 }, (_, index) => index);
    await Promise.all(
      [0, 1, 2, 3].map(async (lane) => {
        for (const index of indexes.filter((one) => one % 4 === lane)) {
          await insist(() => note(handle, index));
          runs.add(await runOf(handle));
        }
      }),
    );
    assert.ok(runs.size > 2, `${runs.size} runs`);
    const log = (await logOf(world, handle)).slice(1);
    const landed = log.map(({ payload }) => payload['index'] as number);
    assert.deepEqual(
      landed.toSorted((a, b) => a - b),
      indexes,
    );
    assert.deepEqual(
      log.map(({ sequence }) => sequence),
      indexes.map((index) => index + 2),
    );
  });
});

describe('refused Updates of an intent, for a worker without a cache', () => {
  let world: World;
  before(async () => {
    world = await World.start({
      on: 'dev server',
      maxCachedWorkflows: 0,
      notReplayed:
        'Such a worker gets the end of a write in one task with a later Update, before which it came; where that task ' +
        'is the last of its run, a replay has the write first, and schedules the next one.',
    });
  });
  after(() => world.close());

  it('do not move it on where all are refused, which a replay does not see', async () => {
    for (const limit of [24, 25, 26, 27, 28, 29]) {
      const handle = await world.openIntent({ history_limit: limit });
      const run = await runOf(handle);
      for (let index = 0; (await runOf(handle)) === run; index += 1) {
        assert.ok(index < 30, 'it stays in its run');
        await insist(() => note(handle, index));
        for (let stale = 0; stale < 3; stale += 1) {
          const refusal = await refusalOf(insist(() => patch(handle, [], 99)));
          assert.equal(refusal.code, 'version_conflict');
        }
      }
    }
  });
});
