import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { DueDeadline } from '../../../contracts/portfolio/portfolio.js';
import { expireNowSignal, operatorResponseSignal } from '../../../workflows/suspension/messages.js';
import { openDelivered, type openSuspension, type Opened } from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';

const PORTFOLIO = '9d0b0d6e-8a55-4f2f-8f4e-6f9a3f1f2b11';
const LAX = { fallback_policy: 'complete_with_fallback', fallback_value: 'approve' } as const;

describe('a question at the deadline of its portfolio', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

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
  }

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
});
