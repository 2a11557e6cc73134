import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { DueDeadline } from '../../../contracts/portfolio/portfolio.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { expireNowSignal, operatorResponseSignal } from '../../../workflows/suspension/messages.js';
import { logOf, refusalOf, snapshotOf, typesOf } from '../support/intents.js';
import {
  LADDER,
  openDelivered,
  openSuspension,
  respond,
  type Opened,
} from '../support/suspensions.js';
import { World } from '../support/world.js';

const PORTFOLIO = '9d0b0d6e-8a55-4f2f-8f4e-6f9a3f1f2b11';
const LAX = { fallback_policy: 'complete_with_fallback', fallback_value: 'approve' } as const;

describe('a question at the deadline of its portfolio', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  async function openAtRest(
    body: Parameters<typeof openSuspension>[1] = { ...LAX, timeout_seconds: 3_600 },
  ) {
    return openDelivered(world, body);
  }

  /** A deadline so many seconds from now. */
  async function deadline(seconds = 0): Promise<DueDeadline> {
    const at = new Date((await world.now()) + seconds * 1_000).toISOString();
    return { portfolio_id: PORTFOLIO, deadline: at };
  }

  function endsOf({ id }: Opened): string[] {
    const ends = ['answer_accepted', 'answer_rejected', 'expired', 'cancelled'];
    return world.activities.timelineOf(id).flatMap(({ kind }) => (ends.includes(kind) ? kind : []));
  }

  it('expires at once, by the clock, and says why [AM-38]', async () => {
    const opened = await openAtRest();
    const due = await deadline();
    await opened.handle.signal(expireNowSignal, due);
    const record = await opened.handle.result();
    assert.deepEqual(
      [record.resolution, record.settled_by, record.settled_at, record.reason],
      ['expired', 'clock', due.deadline, 'portfolio_deadline'],
    );
    const expired = world.activities.timelineOf(opened.id).find(({ kind }) => kind === 'expired');
    assert.deepEqual(expired?.detail, { reason: 'portfolio_deadline', ...due });
  });

  it('sends no further reminder [R26-30]', async () => {
    const opened = await openAtRest({ retry_policy: LADDER });
    await world.sleep('3610 s');
    await opened.handle.signal(expireNowSignal, await deadline());
    await opened.handle.result();
    await world.sleep('3 hours');
    assert.deepEqual(world.activities.attemptsOf(opened.id), [1, 2]);
  });

  it('abandons its intent past a fallback, and leaves an audit [R26-27, R26-28, R26-29]', async () => {
    const intent = await world.openIntent();
    const view = await world.ask(intent, LAX);
    await world.suspension(view.id).signal(expireNowSignal, await deadline());
    await intent.result();
    const { intent: abandoned } = await snapshotOf(intent);
    assert.deepEqual(
      [abandoned.status, abandoned.abandonment_reason],
      ['abandoned', 'portfolio_deadline_exceeded'],
    );
    const log = await logOf(world, intent);
    assert.deepEqual(typesOf(log).slice(-2), ['intent.suspension_expired', 'status_changed']);
    const { reason, suspension_id } = log.at(-2)?.payload as JsonObject;
    assert.deepEqual([reason, suspension_id], ['portfolio_deadline', view.id]);
  });

  for (const [first, resolution, ends] of [
    ['answer', 'responded', ['answer_accepted']],
    ['deadline', 'expired', ['answer_rejected', 'expired']],
  ] as const) {
    for (const handedIn of ['before', 'after'] as const) {
      it(`counts what enters its history first: ${first}, the answer handed in ${handedIn} it [AM-38]`, async () => {
        const opened = await openAtRest();
        const early = await world.answer(opened.view);
        const due = await deadline();
        await world.sleep('1 s');
        const answer = handedIn === 'before' ? early : await world.answer(opened.view);
        assert.equal(answer.received_at > due.deadline, handedIn === 'after');
        await world.withoutWorker(async () => {
          const sends = [
            () => opened.handle.signal(operatorResponseSignal, answer),
            () => opened.handle.signal(expireNowSignal, due),
          ];
          if (first === 'deadline') sends.reverse();
          for (const send of sends) await send();
        });
        assert.equal((await opened.handle.result()).resolution, resolution);
        assert.deepEqual(endsOf(opened).sort(), ends);
      });
    }

    it(`keeps that order before its first task: ${first} [AM-38]`, async () => {
      await world.stopWorker();
      const opened = await openSuspension(world, LAX);
      const answer = await world.answer(opened.view);
      const due = await deadline();
      if (first === 'answer') await opened.handle.signal(operatorResponseSignal, answer);
      await opened.handle.signal(expireNowSignal, due);
      if (first === 'deadline') await opened.handle.signal(operatorResponseSignal, answer);
      await world.startWorker();
      assert.equal((await opened.handle.result()).resolution, resolution);
    });
  }

  it('refuses an answer that comes after it [AM-38]', async () => {
    const opened = await openAtRest();
    world.activities.storeIsDown = true;
    await opened.handle.signal(expireNowSignal, await deadline());
    const refusal = await refusalOf(respond(opened, await world.answer(opened.view)));
    assert.deepEqual(
      [refusal.code, refusal.state?.['resolution']],
      ['suspension_settled', 'expired'],
    );
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    await opened.handle.result();
  });

  for (const [when, seconds, reason] of [
    ['before', 3_000, 'portfolio_deadline'],
    ['after', 3_600, undefined],
  ] as const) {
    it(`settles by what was due first where it came ${when} its own expiry`, async () => {
      const opened = await openAtRest();
      const due = await deadline(seconds);
      await world.withoutWorker(async () => {
        await world.sleep('3600 s');
        await opened.handle.signal(expireNowSignal, due);
      });
      const record = await opened.handle.result();
      assert.deepEqual([record.resolution, record.reason], ['expired', reason]);
    });
  }

  it('ignores a malformed message', async () => {
    const opened = await openAtRest();
    for (const message of [
      null,
      { portfolio_id: PORTFOLIO },
      { portfolio_id: PORTFOLIO, deadline: 'now' },
    ]) {
      await opened.handle.signal(expireNowSignal, message as unknown as DueDeadline);
    }
    await respond(opened, await world.answer(opened.view));
    assert.equal((await opened.handle.result()).resolution, 'responded');
  });
});
