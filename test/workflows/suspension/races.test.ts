import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { operatorResponseSignal } from '../../../workflows/suspension/messages.js';
import { sendAhead } from '../support/arrivals.js';
import {
  HOUR,
  instantAfter,
  LADDER,
  openDelivered,
  reportsOf,
  respond,
  type Opened,
} from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';

const WINDOW = { timeout_seconds: 3_600 };

describe('what meets the instants of a question', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  async function openAtRest(body: Parameters<typeof openDelivered>[1] = WINDOW): Promise<Opened> {
    const opened = await openDelivered(world, body);
    assert.deepEqual(world.activities.attemptsOf(opened.id), [1]);
    return opened;
  }

  describe('answer against re-notification', () => {
    for (const way of ['Update', 'Signal'] as const) {
      it(`delivers no attempt 2 when an answer by ${way} waits [AM-48]`, async () => {
        const opened = await openAtRest({ retry_policy: LADDER });
        await world.stopWorker();
        await world.sleep('3601 s');
        const answer = await world.answer(opened.view);
        const update =
          way === 'Update' &&
          (await sendAhead(world.client, opened.handle.workflowId, (updateId) =>
            respond(opened, answer, updateId),
          ));
        if (way === 'Signal') await opened.handle.signal(operatorResponseSignal, answer);
        await world.startWorker();
        if (update) await update.answer;
        await opened.handle.result();
        assert.deepEqual(world.activities.attemptsOf(opened.id), [1]);
        const skipped = world.activities
          .timelineOf(opened.id)
          .filter(({ kind }) => kind === 'attempt_skipped');
        assert.deepEqual(
          skipped.map(({ detail }) => [detail['attempt'], detail['due_at']]),
          [[2, instantAfter(opened, HOUR)]],
        );
        assert.deepEqual(
          (await reportsOf(opened)).map((report) => report.kind === 'attempt' && report.skipped),
          [true, false],
        );
      });
    }

    it('knows no attempt 2 when the answer came before it', async () => {
      const opened = await openAtRest({ retry_policy: LADDER });
      const answer = await world.answer(opened.view);
      await world.withoutWorker(async () => {
        await world.sleep('3601 s');
        await opened.handle.signal(operatorResponseSignal, answer);
      });
      await opened.handle.result();
      assert.deepEqual(
        (await reportsOf(opened)).map(({ kind }) => kind),
        ['settled'],
      );
    });
  });
});
