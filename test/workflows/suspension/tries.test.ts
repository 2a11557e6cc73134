import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { after, afterEach, before, describe, it } from 'mocha';
import { LADDER, openSuspension, respond, type Opened } from '../support/suspensions.js';
import { World } from '../support/world.js';

describe('tries of a delivery that fails', () => {
  let world: World;
  let tries: { readonly id: string; readonly at: number }[] = [];
  before(async () => {
    world = await World.start();
  });
  afterEach(() => {
    tries = [];
  });
  after(() => world.close());

  /** Every delivery fails; the tries are kept with the server's time. */
  function failing(retry: { nextRetryDelay?: number; nonRetryable?: boolean } = {}): void {
    world.activities.deliver = async ({ delivery_id }) => {
      tries.push({ id: delivery_id, at: await world.now() });
      const message = `the webhook answered 503 (try ${tries.length})`;
      throw ApplicationFailure.create({ type: 'response_not_2xx', message, ...retry });
    };
  }

  /** Seconds between the tries of a suspension's first attempt. */
  function pauses({ id }: Opened): number[] {
    const instants = tries.filter((one) => one.id === `${id}:1`).map(({ at }) => at);
    return instants.slice(1).map((at, i) => (at - (instants[i] ?? 0)) / 1_000);
  }

  /**
   * Fails unless the pauses are of so many seconds. A try may be late, but not early; the longest pause is a tenth of what was left of
   * the window when the question was first told.
   */
  function assertPauses(seen: readonly number[], wanted: readonly number[]): void {
    const isWanted = (pause: number, seconds: number) =>
      pause > 0.99 * seconds && pause < 1.01 * seconds + 1;
    const found = seen.map((pause, i) => {
      const seconds = wanted[i];
      return seconds !== undefined && isWanted(pause, seconds) ? seconds : pause;
    });
    assert.deepEqual(found, wanted);
  }

  function stored({ id }: Opened, kind: string) {
    return world.activities.timelineOf(id).filter((entry) => entry.kind === kind);
  }

  async function answer(opened: Opened): Promise<void> {
    await respond(opened, await world.answer(opened.view));
    await opened.handle.result();
  }

  it('go on, further and further apart, until late in the window', async () => {
    failing();
    const opened = await openSuspension(world, { retry_policy: LADDER });
    await world.sleep('3601 s');
    const seen = pauses(opened);
    assertPauses(seen.slice(0, 10), [1, 2, 4, 8, 16, 32, 64, 128, 256, 360]);
    const total = seen.reduce((sum, pause) => sum + pause, 0);
    assert.ok(total > 3_600 - 2 * 360 && total <= 3_601, `the last try is at ${total} s`);
    await answer(opened);
    const [{ detail } = {}] = stored(opened, 'delivery_failed');
    const message = `the webhook answered 503 (try ${seen.length + 1})`;
    assert.deepEqual([detail?.['error'], detail?.['message']], ['response_not_2xx', message]);
  });

  it('come hourly in the end where nothing ends the question', async () => {
    failing();
    const opened = await openSuspension(world);
    await world.sleep('6 hours');
    assertPauses(pauses(opened).slice(0, 4), [1, 2, 4, 8]);
    assertPauses(pauses(opened).slice(-2), [3_600, 3_600]);
    await answer(opened);
    assert.equal(stored(opened, 'delivery_superseded').length, 1);
  });

  it('end when the question is settled', async () => {
    failing();
    const opened = await openSuspension(world, { retry_policy: LADDER });
    await world.sleep('60 s');
    const before = pauses(opened).length;
    assert.ok(before >= 4);
    await answer(opened);
    await world.sleep('2 hours');
    assert.equal(pauses(opened).length, before);
    assert.deepEqual(
      stored(opened, 'delivery_superseded').map(({ detail }) => detail['delivery_id']),
      [`${opened.id}:1`],
    );
  });

  it('end when the next attempt begins', async () => {
    failing();
    const opened = await openSuspension(world, { retry_policy: LADDER });
    await world.sleep('3605 s');
    const before = pauses(opened).length;
    await world.sleep('1800 s');
    assert.equal(pauses(opened).length, before);
    assert.ok(tries.some(({ id }) => id === `${opened.id}:2`));
    await answer(opened);
  });

  it('wait as long as the receiver asks', async () => {
    failing({ nextRetryDelay: 90_000 });
    const opened = await openSuspension(world, { retry_policy: LADDER });
    await world.sleep('300 s');
    assertPauses(pauses(opened), [90, 90, 90]);
    await answer(opened);
  });
});
