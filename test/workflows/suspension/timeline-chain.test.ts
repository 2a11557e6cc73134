import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { verifyChain } from '../../support/verified-chain.js';
import { payloadSalt } from '../../../domain/log/seal.js';
import { respondUpdate, timelinePositionQuery } from '../../../workflows/suspension/messages.js';
import { intoNextRun, LADDER, openSuspension, respond } from '../support/suspensions.js';
import { perTest, World } from '../support/world.js';
import { lookUntil } from '../../support/looks.js';

describe('the timeline of a suspension is a log', () => {
  let world: World;
  perTest(World, (one) => (world = one));

  it('links every entry to the one before, without an intent too', async () => {
    const log_key = 'a key from outside';
    const nobody = { intent_id: null, subject_workflow_id: null, log_key };
    const opened = await openSuspension(world, { retry_policy: LADDER }, nobody);
    await world.sleep('3610 s');
    const position = await opened.handle.query(timelinePositionQuery);
    await respond(opened, { ...(await world.answer(opened.view)), intent_id: null });
    await opened.handle.result();
    const entries = world.activities.timelineEventsOf(opened.id);
    assert.deepEqual(
      entries.map(({ kind }) => kind),
      ['opened', 'attempt', 'delivered', 'attempt', 'delivered', 'answer_accepted'],
    );
    assert.deepEqual(verifyChain(entries).breaks, []);
    assert.deepEqual(
      entries.map(({ payload_salt }) => payload_salt),
      entries.map(({ sequence }) => payloadSalt(log_key, sequence)),
    );
    const written = entries.find(({ sequence }) => sequence === position.last_sequence);
    assert.equal(position.head_hash, written?.['event_hash']);
    assert.equal(position.written_sequence, position.last_sequence);
  });

  it('goes on over runs, and while the store is down', async () => {
    const opened = await openSuspension(world, { retry_policy: LADDER }, { history_limit: 40 });
    world.activities.storeIsDown = true;
    await intoNextRun(world, opened);
    world.activities.storeIsDown = false;
    await world.sleep('60 s');
    await respond(opened, await world.answer(opened.view));
    await world.suspension(opened.id).result();
    const entries = world.activities.timelineEventsOf(opened.id);
    assert.deepEqual(verifyChain(entries).breaks, []);
    assert.ok(entries.length > 5);
  });

  it('takes the key of its salts from the log of its intent', async () => {
    const intent = await world.openIntent();
    const view = await world.ask(intent);
    const { id } = view;
    await world.suspension(id).executeUpdate(respondUpdate, { args: [await world.answer(view)] });
    await world.suspension(id).result();
    // The last rows of a question are written by its intent.
    const written = async () => world.activities.timelineEventsOf(id)[0];
    const first = await lookUntil(written, 'nothing is written');
    assert.equal(typeof first['payload_salt'], 'string');
    assert.notEqual(first['payload_salt'], payloadSalt(id, 1));
  });
});
