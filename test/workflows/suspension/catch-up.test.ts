import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { recordQuery } from '../../../workflows/suspension/messages.js';
import {
  historyOf,
  HOUR,
  instantAfter,
  openSuspension,
  reportsOf,
  respond,
  timelineOf,
} from '../support/suspensions.js';
import { perTest, World } from '../support/world.js';
import { lookUntil } from '../../support/looks.js';

const FIVE = { max_attempts: 5, interval_seconds: 3_600 };

describe('suspension catch-up', () => {
  /** One for each test: time that passed beside a waiting task may leave the server unable to skip. */
  let world: World;
  perTest(World, (one) => (world = one));

  /** The worker is away from before attempt 2 until after attempt 4. */
  function awayUntilAttempt4(): Promise<void> {
    return world.withoutWorker(async () => {
      await world.sleep('3600 s');
      await world.sleep('7400 s');
    });
  }

  it('delivers only the latest of several missed attempts [AM-48]', async () => {
    const opened = await openSuspension(world, { retry_policy: FIVE });
    await world.delivered(opened.id);
    await awayUntilAttempt4();
    const attempts = () => world.activities.attemptsOf(opened.id);
    await lookUntil(async () => attempts().length > 1, 'nothing is delivered');
    await world.sleep('1 s');
    assert.deepEqual(attempts(), [1, 4]);
    const acts = await timelineOf(opened);
    assert.deepEqual(
      acts
        .filter(({ kind }) => kind.startsWith('attempt'))
        .map(({ kind, detail }) => [kind, detail['attempt'], detail['due_at']]),
      [
        ['attempt', 1, instantAfter(opened, 0)],
        ['attempt_skipped', 2, instantAfter(opened, HOUR)],
        ['attempt_skipped', 3, instantAfter(opened, 2 * HOUR)],
        ['attempt', 4, instantAfter(opened, 3 * HOUR)],
      ],
    );
    const { attempt, next_attempt_at } = await opened.handle.query(recordQuery);
    assert.deepEqual([attempt, next_attempt_at], [4, instantAfter(opened, 4 * HOUR)]);
    await world.sleep('3600 s');
    assert.deepEqual(world.activities.attemptsOf(opened.id), [1, 4, 5]);
    await respond(opened, await world.answer(opened.view));
    await opened.handle.result();
  });

  it('reports each missed attempt as skipped [AM-48]', async () => {
    const opened = await openSuspension(world, { retry_policy: FIVE });
    await world.sleep('1 s');
    await awayUntilAttempt4();
    await world.sleep('1 s');
    await respond(opened, await world.answer(opened.view));
    await opened.handle.result();
    const events = await historyOf(opened);
    assert.equal(events.filter((event) => event.workflowTaskFailedEventAttributes).length, 0);
    const reports = await reportsOf(opened);
    assert.deepEqual(
      reports.map(({ report_sequence, kind }) => [report_sequence, kind]),
      [
        [1, 'attempt'],
        [2, 'attempt'],
        [3, 'attempt'],
        [4, 'settled'],
      ],
    );
    assert.deepEqual(
      reports.map(
        (report) => report.kind === 'attempt' && [report.attempt.attempt, report.skipped],
      ),
      [[2, true], [3, true], [4, false], false],
    );
  });

  it('expires unasked when nobody was there at all [AM-48]', async () => {
    await world.stopWorker();
    const opened = await openSuspension(world, { timeout_seconds: 600 });
    await world.sleep('900 s');
    await world.startWorker();
    const settled = await opened.handle.result();
    assert.equal(settled.resolution, 'expired');
    assert.deepEqual(world.activities.attemptsOf(opened.id), []);
    const kinds = world.activities.timelineOf(opened.id).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['opened', 'attempt_skipped', 'expired']);
  });
});
