import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { PauseBody } from '../../../contracts/suspension/pause-requests.js';
import type { Caller } from '../../../contracts/people/caller.js';
import { pauseEnd } from '../../../domain/suspension/asking/pause.js';
import { operatorResponseSignal } from '../../../workflows/suspension/messages.js';
import type { OperatorAnswer } from '../../../workflows/suspension/messages.js';
import { caller } from '../../support/callers.js';
import { refusalOf } from '../support/intents.js';
import { openPause, resumeBy } from '../support/pauses.js';
import { historyOf, kindsOf, respond, settledRecord } from '../support/suspensions.js';
import type { Opened } from '../support/suspensions.js';
import { World } from '../support/world.js';

describe('a suspension for another reason than a question', () => {
  let world: World;
  before(async () => {
    world = await World.start();
    world.activities.deliver = () => Promise.reject(new Error('nobody is to be notified'));
  });
  after(() => world.close());

  const open = (fields?: Partial<PauseBody>): Promise<Opened> => openPause(world, fields);
  const signal = (opened: Opened, by?: Caller, fields?: Partial<OperatorAnswer>) =>
    resumeBy(world, opened, by, fields);

  async function endOf({ handle }: Opened) {
    return pauseEnd(await settledRecord(handle));
  }

  it('is resumed by its signal, and notifies nobody [JC-47] [JC-50] [JC-52] [TM-01]', async () => {
    const opened = await open();
    const { verdict, result } = await respond(opened, await signal(opened));
    assert.deepEqual([verdict, result.value], ['settled', { remaining: 500 }]);
    assert.deepEqual(await endOf(opened), { outcome: 'resumed', data: { remaining: 500 } });
    assert.deepEqual(await kindsOf(opened), ['opened', 'answer_accepted']);
    const activities = (await historyOf(opened)).flatMap(
      ({ activityTaskScheduledEventAttributes: one }) => one?.activityType?.name ?? [],
    );
    assert.ok(!activities.includes('notify'), activities.join());
  });

  it('has its timeout_outcome where nothing comes in time [JC-45]', async () => {
    const opened = await open({ timeout_outcome: 'skip' });
    await world.sleep('61 s');
    assert.deepEqual(await endOf(opened), { outcome: 'skip', data: null });
    assert.deepEqual(await kindsOf(opened), ['opened', 'expired']);
  });

  it('counts a signal just before the timeout, which then does nothing [JC-45]', async () => {
    const opened = await open();
    await world.sleep('40 s');
    await respond(opened, await signal(opened));
    await world.sleep('30 s');
    assert.equal((await endOf(opened)).outcome, 'resumed');
    assert.deepEqual(await kindsOf(opened), ['opened', 'answer_accepted']);
  });

  it('refuses a signal just after the timeout [JC-45]', async () => {
    const opened = await open();
    await world.sleep('1 s');
    // Without a store it stays open, so that it can still refuse.
    world.activities.storeIsDown = true;
    await world.sleep('60 s');
    const refusal = await refusalOf(respond(opened, await signal(opened)));
    assert.deepEqual(
      [refusal.code, refusal.state?.['resolution']],
      ['suspension_settled', 'expired'],
    );
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    assert.equal((await endOf(opened)).outcome, 'timeout');
  });

  it('counts a Signal that was received before the timeout, read after it [JC-45]', async () => {
    const opened = await open();
    await world.sleep('1 s');
    const early = await signal(opened);
    await world.withoutWorker(async () => {
      await world.sleep('61 s');
      await opened.handle.signal(operatorResponseSignal, early);
    });
    assert.equal((await endOf(opened)).outcome, 'resumed');
  });

  it('expires before a Signal that was received after the timeout [JC-45]', async () => {
    const opened = await open();
    await world.sleep('1 s');
    await world.withoutWorker(async () => {
      await world.sleep('61 s');
      await opened.handle.signal(operatorResponseSignal, await signal(opened));
    });
    assert.equal((await endOf(opened)).outcome, 'timeout');
    const kinds = (await kindsOf(opened)).toSorted();
    assert.deepEqual(kinds, ['answer_rejected', 'expired', 'opened']);
  });

  it('takes a signal once, however often it is sent under its key', async () => {
    const opened = await open({ timeout_seconds: 3_600 });
    const sent = await signal(opened);
    const [first, second] = await Promise.all([
      respond(opened, sent, 'update-1'),
      respond(opened, sent, 'update-1'),
    ]);
    assert.deepEqual(first, second);
    assert.deepEqual(await kindsOf(opened), ['opened', 'answer_accepted']);
  });

  it('goes on waiting after a wrong signal, a stranger and an answer', async () => {
    const opened = await open({ timeout_seconds: 3_600 });
    const codes = [];
    for (const refused of [
      await signal(opened, caller('crawler'), { resume_signal: 'job_done' }),
      await signal(opened, caller('mallory')),
      await signal(opened, caller('alice', 'operator')),
    ]) {
      codes.push((await refusalOf(respond(opened, refused))).code);
    }
    const answer = await world.answer(opened.view, 'yes');
    codes.push((await refusalOf(respond(opened, answer))).code);
    assert.deepEqual(codes, [
      'resume_signal_mismatch',
      'forbidden',
      'forbidden',
      'reason_mismatch',
    ]);
    await respond(opened, await signal(opened, caller('watcher')));
    assert.equal((await settledRecord(opened.handle)).responded_by, 'watcher');
  });
});
