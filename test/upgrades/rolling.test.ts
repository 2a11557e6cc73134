import assert from 'node:assert/strict';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { after, before, describe, it } from 'mocha';
import { intentQuery } from '../../workflows/intent/messages.js';
import { frozenCode } from '../replay/frozen.js';
import { lookUntil } from '../support/looks.js';
import { testBundle } from '../support/temporal-test-server.js';
import { writeStatus } from '../workflows/support/intents.js';
import { replayWith } from '../workflows/support/histories.js';
import { UpgradeWorld, delivers, type AskedIntent } from './upgrade-world.js';

const FROZEN: WorkflowBundleOption = { code: frozenCode('0.1.0') };

describe('a question that is open while workers are exchanged', function () {
  this.timeout(600_000);
  let world: UpgradeWorld;
  let today: WorkflowBundleOption;
  before(async () => {
    [world, today] = await Promise.all([UpgradeWorld.start(), testBundle()]);
  });
  after(() => world.close());

  /** Asks under the first version, reminds under the other, answers under the first again. */
  async function roll(first: WorkflowBundleOption, other: WorkflowBundleOption) {
    const begun = await world.startWorkers(first);
    await begun.makeCurrent();
    const asked = await world.ask();
    await delivers(begun, asked);

    const rolled = await world.startWorkers(other);
    await rolled.makeCurrent();
    await delivers(rolled, asked);

    const sofar = begun.notified.length;
    await begun.makeCurrent();
    await lookUntil(async () => begun.notified.length > sofar, 'no reminder after the way back');
    await rolled.stop();
    await world.answer(asked);
    await resumed(asked);
    await writeStatus(asked.intent, 'completed');
    await asked.intent.result();
    await begun.stop();
    return asked;
  }

  async function resumed({ intent }: AskedIntent): Promise<void> {
    await lookUntil(
      async () => (await intent.query(intentQuery)).intent.status === 'active',
      'the intent did not resume',
    );
  }

  async function replays(
    { intent, question }: AskedIntent,
    bundles: readonly WorkflowBundleOption[],
  ): Promise<void> {
    const histories = await Promise.all(
      [intent, question].map(async (handle) => {
        const { workflowId } = handle;
        return { name: workflowId, workflowId, history: await handle.fetchHistory() };
      }),
    );
    for (const bundle of bundles) {
      const failures = await replayWith(bundle, histories);
      assert.deepEqual([...failures.values()], [undefined, undefined]);
    }
  }

  it('is opened by frozen workers, reminded by those of today, answered by frozen ones', async () => {
    await replays(await roll(FROZEN, today), [FROZEN, today]);
  });

  it('is opened by workers of today, reminded by frozen ones, answered by those of today', async () => {
    await replays(await roll(today, FROZEN), [FROZEN, today]);
  });

  it('loses no delivery that a worker still has when its version is replaced', async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const old = await world.startWorkers(FROZEN, async () => {
      await finished;
      return { channel: 'console' };
    });
    await old.makeCurrent();
    // Without reminders nothing supersedes the delivery, however long the workers take to be exchanged.
    const asked = await world.ask({});
    await delivers(old, asked);
    const next = await world.startWorkers(today);
    await next.makeCurrent();
    finish();
    await old.stop();
    const later = await world.ask();
    await delivers(next, later);
    for (const each of [asked, later]) {
      await world.answer(each);
      await resumed(each);
    }
    const { events = [] } = await asked.question.fetchHistory();
    const done = (events ?? []).flatMap(
      ({ activityTaskCompletedEventAttributes: one }) => one ?? [],
    );
    assert.ok(done.length > 0);
    const failed = (events ?? []).filter((event) => event.activityTaskTimedOutEventAttributes);
    assert.deepEqual(failed, []);
    await writeStatus(later.intent, 'completed');
    await writeStatus(asked.intent, 'completed');
    await next.stop();
  });
});
