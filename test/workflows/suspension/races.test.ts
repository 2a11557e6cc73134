import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { operatorResponseSignal } from '../../../workflows/suspension/messages.js';
import { sendAhead } from '../support/arrivals.js';
import { refusalOf } from '../support/intents.js';
import {
  HOUR,
  instantAfter,
  LADDER,
  openDelivered,
  reportsOf,
  respond,
  timelineOf,
  type Opened,
} from '../support/suspensions.js';
import { World } from '../support/world.js';

const WINDOW = { timeout_seconds: 3_600 };

describe('what meets the instants of a question', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  async function openAtRest(body: Parameters<typeof openDelivered>[1] = WINDOW): Promise<Opened> {
    const opened = await openDelivered(world, body);
    assert.deepEqual(world.activities.attemptsOf(opened.id), [1]);
    return opened;
  }

  /** The kinds of the timeline that tell of an end or of an answer, in their order. */
  function endsOf(id: string): string[] {
    const ends = ['answer_accepted', 'answer_rejected', 'expired', 'cancelled'];
    const entries = world.activities.timelineOf(id).sort((a, b) => a.sequence - b.sequence);
    return entries.flatMap(({ kind }) => (ends.includes(kind) ? kind : []));
  }

  describe('answer against expiry', () => {
    it('counts an answer just before the expiry [R25-79, AM-46]', async () => {
      const opened = await openAtRest();
      await world.sleep('3580 s');
      await respond(opened, await world.answer(opened.view));
      assert.equal((await opened.handle.result()).resolution, 'responded');
      assert.deepEqual(endsOf(opened.id), ['answer_accepted']);
    });

    it('refuses an answer just after the expiry [R25-83, AM-46]', async () => {
      const opened = await openAtRest();
      world.activities.storeIsDown = true;
      await world.sleep('3600 s');
      const refusal = await refusalOf(respond(opened, await world.answer(opened.view)));
      assert.equal(refusal.code, 'suspension_settled');
      assert.equal(refusal.state?.['resolution'], 'expired');
      world.activities.storeIsDown = false;
      await world.sleep('10 s');
      assert.equal((await opened.handle.result()).resolution, 'expired');
      assert.deepEqual(endsOf(opened.id), ['expired']);
    });
  });

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

    it('answers after attempt 2 went out [R26-44]', async () => {
      const opened = await openAtRest({ retry_policy: LADDER });
      await world.sleep('3601 s');
      assert.deepEqual(world.activities.attemptsOf(opened.id), [1, 2]);
      await respond(opened, await world.answer(opened.view));
      await opened.handle.result();
      assert.deepEqual(
        (await reportsOf(opened)).map((report) => report.kind === 'attempt' && report.skipped),
        [false, false],
      );
      await world.sleep('2 hours');
      assert.deepEqual(world.activities.attemptsOf(opened.id), [1, 2]);
    });

    it('delivers the latest attempt only although an invalid Signal waits [AM-48]', async () => {
      const opened = await openAtRest({ retry_policy: LADDER });
      await world.withoutWorker(async () => {
        await world.sleep('3601 s');
        const invalid = await world.answer(opened.view, 'neither');
        await opened.handle.signal(operatorResponseSignal, invalid);
        await world.sleep('3600 s');
      });
      await world.sleep('10 s');
      assert.deepEqual(world.activities.attemptsOf(opened.id), [1, 3]);
      assert.equal((await timelineOf(opened, 'attempt_skipped')).length, 1);
      await respond(opened, await world.answer(opened.view));
      await opened.handle.result();
    });
  });
});
