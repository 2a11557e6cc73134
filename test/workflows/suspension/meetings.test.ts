import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  cancelUpdate,
  operatorResponseSignal,
  respondUpdate,
  withdrawSignal,
  type OperatorAnswer,
} from '../../../workflows/suspension/messages.js';
import { caller } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import { eventKinds } from '../support/histories.js';
import { refusalOf } from '../support/intents.js';
import {
  openDelivered,
  openSuspension,
  reportsOf,
  respond,
  type Opened,
} from '../support/suspensions.js';
import { perSuite, World, type WorldOptions } from '../support/world.js';

const WINDOW = { timeout_seconds: 3_600 };
const PLACES: readonly WorldOptions[] = [
  { on: 'this process' },
  { on: 'dev server', maxCachedWorkflows: 0 },
];

/** Each order of two messages, forced, and two that a server brings in an order of its own. */
for (const place of PLACES) describe(`messages that meet, on ${place.on}`, () => meetings(place));

function meetings(place: WorldOptions): void {
  let world: World;
  perSuite(World, (one) => (world = one), place);

  /** Lets time pass where nothing else does. */
  async function passing(seconds: number): Promise<void> {
    if (place.on === 'this process') await world.sleep(`${seconds} s`);
  }

  async function openAtRest(body: Parameters<typeof openSuspension>[1] = WINDOW): Promise<Opened> {
    const opened = await openDelivered(world, body);
    assert.deepEqual(world.activities.attemptsOf(opened.id), [1]);
    return opened;
  }

  interface Overdue {
    readonly opened: Opened;
    /** An answer that was given in time. */
    readonly timely: OperatorAnswer;
  }

  /** A question whose time is over, which no worker has heard. One whose time was too short for the machine is left. */
  async function overdue(timeout_seconds = 1): Promise<Overdue> {
    const opened = await openSuspension(world, { timeout_seconds });
    await world.delivered(opened.id);
    const timely = await world.answer(opened.view);
    await world.stopWorker();
    const isOver = async () => (await eventKinds(opened.handle)).includes('timerFired');
    if (await isOver()) {
      await world.startWorker();
      await opened.handle.result();
      return overdue(2 * timeout_seconds);
    }
    await passing(timeout_seconds);
    await lookUntil(isOver, 'its time is not over');
    return { opened, timely };
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

  /** The kinds of the timeline that tell of an end or of an answer, in their order. */
  function endsOf(id: string): string[] {
    const ends = ['answer_accepted', 'answer_rejected', 'expired', 'cancelled'];
    const entries = world.activities.timelineOf(id).sort((a, b) => a.sequence - b.sequence);
    return entries.flatMap(({ kind }) => (ends.includes(kind) ? kind : []));
  }

  /** Keeps a settled question open for want of a store. */
  async function whileStoreIsDown<T>(happens: () => Promise<T>): Promise<T> {
    world.activities.storeIsDown = true;
    const result = await happens();
    world.activities.storeIsDown = false;
    await passing(10);
    return result;
  }

  /**
   * Sends an answer while no worker is there, and returns why it was refused. An Update that is still on its
   * way when the worker starts must not find the workflow closed.
   */
  async function refusedOnceThereIsAWorker(opened: Opened, answer: OperatorAnswer) {
    return whileStoreIsDown(async () => {
      const refused = refusalOf(respond(opened, answer));
      await world.startWorker();
      return refused;
    });
  }

  describe('answer against expiry', () => {
    it('refuses an Update that waited past the expiry', async () => {
      const { opened, timely: answer } = await overdue();
      const refusal = await refusedOnceThereIsAWorker(opened, answer);
      assert.equal(refusal.state?.['resolution'], 'expired');
      assert.equal((await opened.handle.result()).resolution, 'expired');
    });

    it('counts a Signal received before the expiry, read after it [AM-46]', async () => {
      const { opened, timely: answer } = await overdue();
      await opened.handle.signal(operatorResponseSignal, answer);
      await world.startWorker();
      const settled = await opened.handle.result();
      assert.deepEqual(
        [settled.resolution, settled.responded_at, settled.settled_at],
        ['responded', answer.received_at, answer.received_at],
      );
      assert.deepEqual(endsOf(opened.id), ['answer_accepted']);
    });

    it('refuses and records a Signal received after the expiry [AM-46]', async () => {
      const { opened } = await overdue();
      await opened.handle.signal(operatorResponseSignal, await world.answer(opened.view));
      await world.startWorker();
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
      const { opened, timely } = await overdue();
      const late = await world.answer(opened.view, 'deny');
      await opened.handle.signal(operatorResponseSignal, late);
      await opened.handle.signal(operatorResponseSignal, timely);
      await world.startWorker();
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
      await whileStoreIsDown(async () => {
        await respond(opened, await world.answer(opened.view, 'approve'));
        const signalled = await world.answer(opened.view, 'deny');
        await opened.handle.signal(operatorResponseSignal, signalled);
      });
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
}
