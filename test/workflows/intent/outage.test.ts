import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { SuspendBody } from '../../../contracts/suspension/requests.js';
import { respondUpdate } from '../../../workflows/suspension/messages.js';
import { arrived } from '../support/arrivals.js';
import { logOf, snapshotOf } from '../support/intents.js';
import { World } from '../support/world.js';

const LADDER = {
  max_attempts: 3,
  interval_seconds: 600,
  escalation_ladder: [
    { attempt: 2, channel_hint: 'email' },
    { attempt: 3, channel_hint: 'pagerduty', notify_to: 'lead' },
  ],
  final_fallback_policy: 'complete_with_fallback',
} satisfies SuspendBody['retry_policy'];

describe('intent after an outage of the worker', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  function away(seconds: number): Promise<void> {
    return world.withoutWorker(() => world.sleep(`${seconds} s`));
  }

  async function attemptsIn(handle: Awaited<ReturnType<World['openIntent']>>) {
    return (await logOf(world, handle))
      .slice(2)
      .map(({ event_type, payload }) => [event_type, payload['attempt'], payload['skipped']]);
  }

  it('marks a skipped reminder and does not escalate it [AM-48]', async () => {
    const handle = await world.openIntent();
    await world.ask(handle, { retry_policy: LADDER });
    await logOf(world, handle);
    await away(1_300);
    await world.sleep('20 s');
    assert.deepEqual(await attemptsIn(handle), [
      ['intent.suspension_renotified', 2, true],
      ['intent.suspension_renotified', 3, undefined],
      ['intent.suspension_escalated', 3, undefined],
    ]);
  });

  it('skips every reminder that an answer overtakes [AM-48]', async () => {
    const handle = await world.openIntent();
    const view = await world.ask(handle, { retry_policy: LADDER });
    await logOf(world, handle);
    let answered: Promise<unknown> | undefined;
    await world.withoutWorker(async () => {
      await world.sleep('1300 s');
      const answer = await world.answer(view);
      answered = world.suspension(view.id).executeUpdate(respondUpdate, { args: [answer] });
      await arrived();
    });
    await answered;
    assert.deepEqual(await attemptsIn(handle), [
      ['intent.suspension_renotified', 2, true],
      ['intent.suspension_renotified', 3, true],
      ['intent.resumed', 3, undefined],
    ]);
  });

  it('falls back at once where the deadline has passed [AM-48]', async () => {
    const handle = await world.openIntent();
    await world.ask(handle, { retry_policy: LADDER });
    await logOf(world, handle);
    await away(1_900);
    await world.sleep('20 s');
    assert.deepEqual(await attemptsIn(handle), [
      ['intent.suspension_renotified', 2, true],
      ['intent.suspension_renotified', 3, true],
      ['intent.suspension_expired', undefined, undefined],
      ['status_changed', undefined, undefined],
    ]);
    assert.equal((await snapshotOf(handle)).intent.status, 'active');
  });
});
