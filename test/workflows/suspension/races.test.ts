import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  cancelUpdate,
  operatorResponseSignal,
  respondUpdate,
  withdrawSignal,
  type OperatorAnswer,
} from '../../../workflows/suspension/messages.js';
import { sendAhead } from '../support/arrivals.js';
import { refusalOf } from '../support/intents.js';
import {
  HOUR,
  instantAfter,
  LADDER,
  openDelivered,
  openSuspension,
  reportsOf,
  respond,
  timelineOf,
  type Opened,
} from '../support/suspensions.js';
import { World } from '../support/world.js';
import { caller } from '../../support/callers.js';

const WINDOW = { timeout_seconds: 3_600 };

describe('suspension races', () => {
  let world: World;
  before(async () => {
    world = await World.start({ maxCachedWorkflows: 0 });
  });
  after(() => world.close());

  async function openAtRest(body: Parameters<typeof openSuspension>[1] = WINDOW): Promise<Opened> {
    const opened = await openDelivered(world, body);
    assert.deepEqual(world.activities.attemptsOf(opened.id), [1]);
    return opened;
  }

  function withdrawalOf({ view }: Opened) {
    const { intent_id } = view;
    return {
      intent_id,
      by: caller('agent-1', 'agent'),
      cancelled_by: 'agent-1',
      settled_by: 'agent',
    } as const;
  }

  /** The kinds of the timeline that tell of an end or of an answer. */
  /** In their order; which arrives first is up to those who write them. */
  function endsOf(id: string): string[] {
    const ends = ['answer_accepted', 'answer_rejected', 'expired', 'cancelled'];
    const entries = world.activities.timelineOf(id).sort((a, b) => a.sequence - b.sequence);
    return entries.flatMap(({ kind }) => (ends.includes(kind) ? kind : []));
  }

  /**
   * Sends an answer while no worker is there, and returns why it was refused. An Update that is still on its
   * way when the worker starts must not find the workflow closed: it stays open for want of a store.
   */
  async function refusedOnceThereIsAWorker(opened: Opened, answer: OperatorAnswer) {
    world.activities.storeIsDown = true;
    const refused = refusalOf(respond(opened, answer));
    await world.startWorker();
    const refusal = await refused;
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    return refusal;
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

    it('refuses an Update that waited past the expiry', async () => {
      const opened = await openAtRest();
      const answer = await world.answer(opened.view);
      await world.stopWorker();
      await world.sleep('3601 s');
      const refusal = await refusedOnceThereIsAWorker(opened, answer);
      assert.equal(refusal.state?.['resolution'], 'expired');
      assert.equal((await opened.handle.result()).resolution, 'expired');
    });

    it('counts a Signal received before the expiry, read after it', async () => {
      const opened = await openAtRest();
      const answer = await world.answer(opened.view);
      await world.withoutWorker(async () => {
        await world.sleep('3601 s');
        await opened.handle.signal(operatorResponseSignal, answer);
      });
      const settled = await opened.handle.result();
      assert.deepEqual(
        [settled.resolution, settled.responded_at, settled.settled_at],
        ['responded', answer.received_at, answer.received_at],
      );
      assert.deepEqual(endsOf(opened.id), ['answer_accepted']);
    });

    it('refuses and records a Signal received after the expiry', async () => {
      const opened = await openAtRest();
      await world.withoutWorker(async () => {
        await world.sleep('3601 s');
        const late = await world.answer(opened.view);
        await opened.handle.signal(operatorResponseSignal, late);
      });
      assert.equal((await opened.handle.result()).resolution, 'expired');
      const [rejected] = world.activities
        .timelineOf(opened.id)
        .filter(({ kind }) => kind === 'answer_rejected');
      assert.equal(rejected?.detail['code'], 'suspension_settled');
      // Entries are sealed: whatever runs again has to write the same words.
      assert.equal(rejected.detail['message'], 'The question is already expired.');
      assert.deepEqual(endsOf(opened.id).sort(), ['answer_rejected', 'expired']);
    });

    it('lets no refused Signal expire the question for a timely one', async () => {
      const opened = await openAtRest();
      const timely = await world.answer(opened.view);
      await world.withoutWorker(async () => {
        await world.sleep('3601 s');
        const late = await world.answer(opened.view, 'deny');
        await opened.handle.signal(operatorResponseSignal, late);
        await opened.handle.signal(operatorResponseSignal, timely);
      });
      assert.equal((await opened.handle.result()).response, 'approve');
      assert.deepEqual(endsOf(opened.id), ['answer_rejected', 'answer_accepted']);
    });
  });

  describe('answer against answer', () => {
    it('counts one of two Updates sent together [R26-90]', async () => {
      const opened = await openAtRest();
      const answers = [
        await world.answer(opened.view, 'approve'),
        await world.answer(opened.view, 'deny'),
      ];
      await world.stopWorker();
      const sent = Promise.allSettled(answers.map((answer) => respond(opened, answer)));
      await world.startWorker();
      const outcomes = await sent;
      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
      assert.equal((await opened.handle.result()).response, answers[winner]?.value);
      assert.deepEqual(endsOf(opened.id), ['answer_accepted']);
    });

    for (const [first, second] of [
      ['approve', 'deny'],
      ['deny', 'approve'],
    ] as const) {
      it(`counts ${first} where its Signal precedes ${second} [R26-90]`, async () => {
        const opened = await openAtRest();
        const answers = [
          await world.answer(opened.view, first),
          await world.answer(opened.view, second),
        ];
        await world.withoutWorker(async () => {
          for (const answer of answers) await opened.handle.signal(operatorResponseSignal, answer);
        });
        assert.equal((await opened.handle.result()).response, first);
        assert.deepEqual(endsOf(opened.id), ['answer_accepted', 'answer_rejected']);
      });
    }

    it('counts the Signal where it precedes the Update [R26-90]', async () => {
      const opened = await openAtRest();
      const signalled = await world.answer(opened.view, 'deny');
      const updated = await world.answer(opened.view, 'approve');
      await world.stopWorker();
      await opened.handle.signal(operatorResponseSignal, signalled);
      const refusal = await refusedOnceThereIsAWorker(opened, updated);
      assert.equal(refusal.state?.['value'], 'deny');
      assert.equal((await opened.handle.result()).response, 'deny');
    });

    it('counts the Update where it precedes the Signal [R26-90]', async () => {
      const opened = await openAtRest();
      world.activities.storeIsDown = true;
      await respond(opened, await world.answer(opened.view, 'approve'));
      const signalled = await world.answer(opened.view, 'deny');
      await opened.handle.signal(operatorResponseSignal, signalled);
      world.activities.storeIsDown = false;
      await world.sleep('10 s');
      assert.equal((await opened.handle.result()).response, 'approve');
      assert.deepEqual(endsOf(opened.id), ['answer_accepted', 'answer_rejected']);
    });
  });

  describe('answer against cancel', () => {
    it('keeps the answer that precedes a withdrawal', async () => {
      const opened = await openAtRest();
      const answer = await world.answer(opened.view);
      await world.withoutWorker(async () => {
        await opened.handle.signal(operatorResponseSignal, answer);
        await opened.handle.signal(withdrawSignal, withdrawalOf(opened));
      });
      assert.equal((await opened.handle.result()).resolution, 'responded');
      assert.deepEqual(endsOf(opened.id), ['answer_accepted']);
    });

    it('refuses the answer that follows a withdrawal', async () => {
      const opened = await openAtRest();
      const answer = await world.answer(opened.view);
      await world.withoutWorker(async () => {
        await opened.handle.signal(withdrawSignal, withdrawalOf(opened));
        await opened.handle.signal(operatorResponseSignal, answer);
      });
      assert.equal((await opened.handle.result()).resolution, 'cancelled');
      assert.deepEqual(endsOf(opened.id), ['cancelled', 'answer_rejected']);
    });

    for (const [first, resolution] of [
      ['withdraw', 'cancelled'],
      ['answer', 'responded'],
    ] as const) {
      it(`keeps the order of Signals before its first task: ${first} [TM-23]`, async () => {
        await world.stopWorker();
        const opened = await openSuspension(world, WINDOW);
        const answer = await world.answer(opened.view);
        const signals = [
          () => opened.handle.signal(withdrawSignal, withdrawalOf(opened)),
          () => opened.handle.signal(operatorResponseSignal, answer),
        ];
        if (first === 'answer') signals.reverse();
        for (const signal of signals) await signal();
        await world.startWorker();
        assert.equal((await opened.handle.result()).resolution, resolution);
        assert.deepEqual(world.activities.attemptsOf(opened.id), []);
      });
    }

    it('counts one of an answer and a cancellation sent together', async () => {
      const opened = await openAtRest();
      const answer = await world.answer(opened.view);
      await world.stopWorker();
      const sent = Promise.allSettled([
        opened.handle.executeUpdate(respondUpdate, { args: [answer] }),
        opened.handle.executeUpdate(cancelUpdate, { args: [withdrawalOf(opened)] }),
      ]);
      await world.startWorker();
      const [answered, cancelled] = await sent;
      assert.notEqual(answered.status, cancelled.status);
      const expected = answered.status === 'fulfilled' ? 'responded' : 'cancelled';
      assert.equal((await opened.handle.result()).resolution, expected);
      assert.equal(endsOf(opened.id).length, 1);
    });

    it('tells the subject of an answer although Temporal cancels at once', async () => {
      const opened = await openAtRest();
      const answer = await world.answer(opened.view);
      await world.withoutWorker(async () => {
        await opened.handle.signal(operatorResponseSignal, answer);
        await opened.handle.cancel();
      });
      assert.equal((await opened.handle.result()).resolution, 'responded');
      assert.deepEqual(
        (await reportsOf(opened)).map(({ kind }) => kind),
        ['settled'],
      );
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
          way === 'Update' && (await sendAhead(world.client, () => respond(opened, answer)));
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
        await world.sleepPastTasks('3600 s');
      });
      await world.sleep('10 s');
      assert.deepEqual(world.activities.attemptsOf(opened.id), [1, 3]);
      assert.equal((await timelineOf(opened, 'attempt_skipped')).length, 1);
      await respond(opened, await world.answer(opened.view));
      await opened.handle.result();
    });
  });
});
