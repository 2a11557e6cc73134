import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { NotificationRequest } from '../../../contracts/channel/notification.js';
import { changeEligibilityUpdate } from '../../../workflows/suspension/messages.js';
import { refusalOf } from '../support/intents.js';
import {
  withdrawn,
  openDelivered,
  type Opened,
  type openSuspension,
} from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';
import { caller } from '../../support/callers.js';

const REMINDED = { max_attempts: 3, interval_seconds: 3_600 };
const principals = (...names: string[]) => ({ principals: names });

describe('who may decide a question, as each delivery finds it', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  const open = (body: Parameters<typeof openSuspension>[1]) =>
    openDelivered(world, { retry_policy: REMINDED, ...body });

  /** The deliveries of a question, by the rest of their ids. */
  function deliveriesOf({ id }: Opened): Readonly<Record<string, NotificationRequest>> {
    const own = world.activities.notified.filter(({ suspension_id }) => suspension_id === id);
    return Object.fromEntries(own.map((one) => [one.delivery_id.slice(id.length), one]));
  }

  async function makeEligible({ handle }: Opened, ...names: string[]): Promise<void> {
    const change = { by: caller('root', 'admin'), eligible: principals(...names) };
    await handle.executeUpdate(changeEligibilityUpdate, { args: [change] });
  }

  it('changes with who is eligible: those who are new are told at once, over the same channel', async () => {
    const opened = await open({
      channel_hint: 'mail',
      decision_rule: { eligible: principals('alice', 'bob') },
    });
    const by = caller('bob', 'operator');
    const own = { by, eligible: principals('bob') };
    const change = opened.handle.executeUpdate(changeEligibilityUpdate, { args: [own] });
    assert.equal((await refusalOf(change)).code, 'forbidden');
    await makeEligible(opened, 'alice');
    await makeEligible(opened, 'alice', 'carol');
    await world.sleep('1 s');
    const { ':1': _first, ':eligible:2': notice, ...others } = deliveriesOf(opened);
    assert.deepEqual(Object.keys(others), []);
    const { channel_hint, notify_to, telling, deciders, next_attempt_at } = notice ?? {};
    assert.deepEqual([channel_hint, notify_to, next_attempt_at], ['mail', null, null]);
    assert.deepEqual(telling, { except: principals('alice') });
    assert.deepEqual(deciders?.eligible, principals('alice', 'carol'));
    await world.sleep('3605 s');
    const { ':2': reminder } = deliveriesOf(opened);
    assert.deepEqual(reminder?.deciders?.eligible, principals('alice', 'carol'));
    await withdrawn(opened);
  });

  it('is told again by the next run where the one before could not', async () => {
    const opened = await openDelivered(
      world,
      { decision_rule: { eligible: principals('alice') }, retry_policy: REMINDED },
      { history_limit: 10 },
    );
    const { deliver } = world.activities;
    world.activities.deliver = world.activities.hang;
    await makeEligible(opened, 'carol');
    const { runId } = await opened.handle.describe();
    const names = ['dora', 'emil', 'fritz', 'gina', 'hans', 'ines'];
    for (const name of names) {
      if ((await opened.handle.describe()).runId !== runId) break;
      await makeEligible(opened, 'carol', name).catch(() => undefined);
    }
    world.activities.deliver = deliver;
    await world.sleep('60 s');
    assert.notEqual((await opened.handle.describe()).runId, runId);
    const told = Object.keys(deliveriesOf(opened)).filter((id) => id === ':eligible:1');
    assert.deepEqual(told, [':eligible:1']);
    await withdrawn(opened);
  });
});
