import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { lookUntil } from '../../support/looks.js';
import {
  HOUR,
  LADDER,
  historyOf,
  instantAfter,
  openSuspension,
  respond,
  type Opened,
} from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';

const AHEAD = { '3 s ahead': 3, '40 s ahead': 40, '3 s behind': -3, '40 s behind': -40 } as const;

describe('a question asked by a host', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  /** Asks by a clock that is so many seconds ahead of Temporal's. */
  function askedAt(seconds: number): Promise<Opened> {
    const now = async () => (await world.now()) + seconds * 1_000;
    const { client, taskQueue } = world;
    return openSuspension({ client, taskQueue, now }, { retry_policy: LADDER });
  }
  const attempts = ({ id }: Opened) => world.activities.attemptsOf(id);
  async function told(opened: Opened, attempt: number): Promise<void> {
    await lookUntil(
      () => Promise.resolve(attempts(opened).length >= attempt),
      `nobody is told of attempt ${attempt}`,
    );
  }
  const timersOf = async (opened: Opened) =>
    (await historyOf(opened)).flatMap(({ timerStartedEventAttributes: timer }) =>
      timer ? [Number(timer.startToFireTimeout?.seconds)] : [],
    );

  for (const [which, seconds] of Object.entries(AHEAD)) {
    it(`whose clock is ${which} is told at once, and reminded when its asker was told`, async () => {
      const asked = await world.now();
      const opened = await askedAt(seconds);
      await told(opened, 1);
      assert.ok((await world.now()) - asked < 1_000, 'it waited for that clock');
      const [first] = await timersOf(opened);
      // An hour after it was asked, by the clock of the host if that is behind.
      assert.equal(first, HOUR / 1_000 + Math.min(0, seconds));
      await world.sleep('3600 s');
      await told(opened, 2);
      assert.deepEqual(attempts(opened), [1, 2]);
      const second = world.activities
        .timelineOf(opened.id)
        .filter(({ kind }) => kind === 'attempt');
      assert.ok(second.every(({ at }, index) => at >= instantAfter(opened, index * HOUR)));
      await respond(opened, await world.answer(opened.view));
      await opened.handle.result();
    });
  }

  it('whose clock is far ahead is told when that time comes', async () => {
    const opened = await askedAt(90);
    await world.sleep('80 s');
    assert.deepEqual(attempts(opened), []);
    await world.sleep('11 s');
    await told(opened, 1);
    await respond(opened, await world.answer(opened.view));
    await opened.handle.result();
  });
});
