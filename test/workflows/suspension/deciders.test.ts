import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { NotificationRequest } from '../../../contracts/channel/notification.js';
import {
  changeEligibilityUpdate,
  delegateUpdate,
  withdrawSignal,
} from '../../../workflows/suspension/messages.js';
import { openDelivered, respond } from '../support/suspensions.js';
import type { Opened, openSuspension } from '../support/suspensions.js';
import { World } from '../support/world.js';
import { caller, sent } from '../../support/callers.js';

const REMINDED = { max_attempts: 3, interval_seconds: 3_600 };
const principals = (...names: string[]) => ({ principals: names });

describe('who may decide a question, as each delivery finds it', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  const open = (body: Parameters<typeof openSuspension>[1]) =>
    openDelivered(world, { retry_policy: REMINDED, ...body });

  /** The deliveries of a question, by the rest of their ids. */
  function deliveriesOf({ id }: Opened): Readonly<Record<string, NotificationRequest>> {
    const own = world.activities.notified.filter(({ suspension_id }) => suspension_id === id);
    return Object.fromEntries(own.map((one) => [one.delivery_id.slice(id.length), one]));
  }

  async function end({ handle }: Opened): Promise<void> {
    await handle.signal(withdrawSignal, { cancelled_by: 'agent-1', settled_by: 'agent' });
    await handle.result();
  }

  async function vote(opened: Opened, principal: string): Promise<void> {
    const answer = await world.answer(opened.view, 'approve', `r:${principal}`);
    const by = caller(principal, 'operator');
    await respond(opened, { ...answer, responded_by: principal, by });
  }

  async function makeEligible({ handle }: Opened, ...names: string[]): Promise<void> {
    const change = { by: caller('root', 'admin'), eligible: principals(...names) };
    await handle.executeUpdate(changeEligibilityUpdate, { args: [change] });
  }

  it('leaves out who has voted, and counts who is still needed', async () => {
    const eligible = principals('alice', 'bob', 'carol');
    const opened = await open({ decision_rule: { quorum: 2, eligible } });
    await vote(opened, 'alice');
    await world.sleep('3605 s');
    const { ':1': first, ':2': second } = deliveriesOf(opened);
    assert.deepEqual([first?.deciders?.done, first?.deciders?.needed], [[], 2]);
    assert.deepEqual([second?.deciders?.done, second?.deciders?.needed], [['alice'], 1]);
    assert.deepEqual(second?.deciders?.eligible, eligible);
    await end(opened);
  });

  it('leaves out who has passed it on, and has whom it was passed on to', async () => {
    const opened = await open({ decision_rule: { eligible: principals('alice') } });
    const delegation = { ...sent('alice', 'operator'), to: 'carol', reason: 'Her customer.' };
    await opened.handle.executeUpdate(delegateUpdate, { args: [delegation] });
    await world.sleep('3605 s');
    const { ':to:1': notice, ':2': reminder } = deliveriesOf(opened);
    assert.deepEqual([notice?.notify_to, notice?.telling], ['carol', { others: 'none' }]);
    assert.deepEqual(reminder?.deciders?.done, ['alice']);
    assert.deepEqual(reminder.deciders.eligible, principals('alice', 'carol'));
    await end(opened);
  });

  it('follows the rungs: all whom one makes eligible are told, and once', async () => {
    const lead = { attempt: 2, channel_hint: 'mail', notify_to: 'bob' };
    const boss = { attempt: 2, channel_hint: 'chat', notify_to: 'carol' };
    const ladder = [{ ...lead, eligible: principals('bob', 'dora') }, boss];
    const opened = await open({
      decision_rule: { eligible: principals('alice'), excluded: ['eve'] },
      retry_policy: { ...REMINDED, escalation_ladder: ladder },
    });
    await world.sleep('7205 s');
    const { ':1': first, ':2': second, ':2:2': beside, ':3': third } = deliveriesOf(opened);
    assert.deepEqual([first?.deciders?.eligible, first?.telling], [principals('alice'), undefined]);
    assert.deepEqual(second?.deciders?.eligible.principals, ['bob', 'dora']);
    assert.deepEqual(second.deciders.excluded, ['eve']);
    assert.deepEqual(second.telling, { others: 'all', beside: ['carol'] });
    assert.deepEqual(beside?.telling, { others: 'none' });
    assert.deepEqual(third?.deciders?.eligible.principals, ['bob', 'dora']);
    assert.deepEqual(third.deciders.askers, ['agent-1']);
    await end(opened);
  });

  it('changes with who is eligible: those who are new are told at once, over the same channel', async () => {
    const opened = await open({
      channel_hint: 'mail',
      decision_rule: { eligible: principals('alice', 'bob') },
    });
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
    await end(opened);
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
    await end(opened);
  });
});
