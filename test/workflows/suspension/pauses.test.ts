import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { PauseBody } from '../../../contracts/suspension/pause-requests.js';
import type { Caller } from '../../../contracts/people/caller.js';
import { pauseEnd } from '../../../domain/suspension/asking/pause.js';
import type { OperatorAnswer } from '../../../workflows/suspension/messages.js';
import { caller } from '../../support/callers.js';
import { refusalOf } from '../support/intents.js';
import { openPause, resumeBy } from '../support/pauses.js';
import { historyOf, kindsOf, respond, settledRecord, type Opened } from '../support/suspensions.js';
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
