import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { Webhook } from 'standardwebhooks';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { DeliveryTry } from '../../contracts/channel/notification.js';
import type { Store } from '../../store/schema.js';
import { FaultStack } from './fault-stack.js';
import { openPatiently } from '../support/patience.js';
import { startReceiver, status, type Receiver } from '../support/subscribers.js';

const SECRET = `whsec_${Buffer.alloc(32, 'faults').toString('base64')}`;
const PATIENT = { retry_policy: { max_attempts: 2, interval_seconds: 4_000 } };

describe('a webhook on a real stack', () => {
  let world: FaultStack;
  let receiver: Receiver;
  let db: Store;
  let arrived = (): void => undefined;
  const firstArrival = new Promise<void>((resolve) => (arrived = resolve));

  before(async () => {
    receiver = await startReceiver(
      // Taken, but the worker does not live to hear of it.
      () => arrived(),
      status(200),
      status(500),
      status(503),
      status(200),
    );
    const ops = `{type: webhook, url: "${receiver.url}", secrets: [$OPS], allow_private_network: true}`;
    const config = `notifications: {default_channel: ops, channels: {ops: ${ops}}}\n`;
    world = await FaultStack.start(config, { OPS: SECRET });
    db = openPatiently(world.stack.databaseUrl);
  });
  after(async () => {
    await db.destroy();
    await world.close();
    await receiver.close();
  });

  /** The timeline entry of a suspension's first delivery; waits until there is one. */
  async function delivered(suspensionId: string): Promise<JsonObject> {
    for (;;) {
      const { timeline } = await world.operator.getSuspension(suspensionId);
      const entry = timeline.find(({ kind }) => kind === 'delivered');
      if (entry) return entry.detail;
    }
  }

  function triesOf(suspensionId: string): Promise<DeliveryTry[]> {
    return db
      .selectFrom('delivery_tries')
      .selectAll()
      .where('delivery_id', '=', `${suspensionId}:1`)
      .orderBy('at')
      .execute();
  }

  it('is sent again under its id: worker killed before it notes the delivery', async () => {
    const { view } = await world.ask(PATIENT);
    await firstArrival;
    await world.stack.kill('worker', 'SIGKILL');
    const { tries: number } = await delivered(view.id);
    assert.equal(number, 2);
    const tries = await triesOf(view.id);
    assert.deepEqual(
      tries.map(({ try_number, outcome }) => [try_number, outcome]),
      [[2, 'delivered']],
    );
    const [first, again, ...others] = receiver.received;
    assert.ok(first && again);
    assert.ok(first.headers['webhook-id']);
    assert.equal(again.headers['webhook-id'], first.headers['webhook-id']);
    assert.equal(again.body, first.body);
    assert.deepEqual(others, []);
  });

  it('is tried until it is taken, each try recorded', async () => {
    const { intentId, view } = await world.ask(PATIENT);
    const detail = await delivered(view.id);
    assert.deepEqual([detail['channel'], detail['tries']], ['ops', 3]);
    const tries = await triesOf(view.id);
    assert.deepEqual(
      tries.map((tried) => [tried.try_number, tried.outcome, tried.status_code, tried.channel]),
      [
        [1, 'response_not_2xx', 500, 'ops'],
        [2, 'response_not_2xx', 503, 'ops'],
        [3, 'delivered', 200, 'ops'],
      ],
    );
    const taken = receiver.received.at(-1);
    assert.ok(taken);
    const event = new Webhook(SECRET).verify(taken.body, taken.headers as Record<string, string>);
    const { data } = event as { data: { suspension_id: string; intent_id: string } };
    assert.deepEqual([data.suspension_id, data.intent_id], [view.id, intentId]);
    const answer = { suspension_id: data.suspension_id, value: 'approve' };
    const receipt = await world.operator.respond(data.intent_id, answer);
    assert.equal(receipt.accepted, true);
  });
});
