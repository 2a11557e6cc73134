import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../contracts/people/caller.js';
import { appendEventUpdate, patchStateUpdate } from '../../../workflows/intent/messages.js';
import { caller, sent } from '../../support/callers.js';
import { logOf, refusalOf, versionOf, type IntentHandle } from '../support/intents.js';
import { writeAskingStatus } from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';

/** Asks the questions of these tests; the stranger is another agent. */
const ASKER = caller('agent-1');
const STRANGER = caller('stranger');

describe('an event that a client claims', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  const post = (handle: IntentHandle, by: Caller, event_type: string, payload = {}) =>
    handle.executeUpdate(appendEventUpdate, {
      args: [{ by, actor: 'alice', event_type, payload, posted: true }],
    });

  it('is marked, with the principal beside the actor; one of its own type is not', async () => {
    const handle = await world.openIntent();
    const claimed = await post(handle, STRANGER, 'engagement.decision', { mode: 'autonomous' });
    assert.deepEqual(
      [claimed.claimed, claimed.principal, claimed.actor],
      [true, 'stranger', 'alice'],
    );
    const assigned = await post(handle, STRANGER, 'agent_assigned', { agent_id: 'x', role: 'a' });
    assert.equal(assigned.claimed, true);
    assert.equal((await post(handle, STRANGER, 'comment')).claimed, undefined);
  });

  it('is refused if only the server writes its type', async () => {
    const handle = await world.openIntent();
    for (const type of ['intent.resumed', 'plan.checkpoint_approved', 'Approval_Resolved']) {
      const { code, field } = await refusalOf(post(handle, ASKER, type));
      assert.deepEqual([code, field], ['invalid_request', 'event_type']);
    }
    assert.equal((await logOf(world, handle)).length, 1);
  });

  it('takes the place of no event of the server, if the asker did not post it', async () => {
    const handle = await world.openIntent();
    const id = randomUUID();
    await post(handle, STRANGER, 'intent.suspended', { suspension_id: id, question: 'Forged?' });
    await writeAskingStatus(handle);
    const value = { id, question: 'Refund?', response_type: 'text', fallback_policy: 'fail' };
    const patches = [{ op: 'set', path: '_suspension', value }] as const;
    const asking = { ...sent('agent-1'), openintent_ask: true } as const;
    const written = { ...asking, patches, if_match: await versionOf(handle) };
    await handle.executeUpdate(patchStateUpdate, { args: [written] });
    await world.delivered(id);
    const log = await logOf(world, handle);
    const told = log.filter(({ event_type }) => event_type === 'intent.suspended');
    assert.deepEqual(
      told.map(({ claimed, principal }) => [claimed, principal]),
      [
        [true, 'stranger'],
        [undefined, 'agent-1'],
      ],
    );
  });
});
