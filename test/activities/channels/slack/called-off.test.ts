import assert from 'node:assert/strict';
import { notify } from '../../../../activities/notify.js';
import { serverConfigSchema } from '../../../../contracts/server/config.js';
import type {
  DeliveryReceipt,
  NotificationRequest,
} from '../../../../contracts/channel/notification.js';
import { requestWith } from '../../../domain/suspension/notification-samples.js';
import { startSlack, type FakeSlack } from '../../../support/slack.js';
import { environment, memoryLog, memoryStore } from '../../support.js';
import { NOW, channelOver, slackOver } from './support.js';

describe('a delivery over Slack that is called off', () => {
  let slack: FakeSlack;
  beforeEach(async () => {
    slack = await startSlack();
  });
  afterEach(() => slack.close());

  function rig() {
    const settings = slackOver(slack.apiUrl, { conversation: 'C42', timeout_seconds: 1 });
    const log = memoryLog();
    const { env } = environment();
    const dependencies = {
      channels: new Map([['chat', channelOver(settings)]]),
      deliveries: log,
      store: memoryStore(),
      config: serverConfigSchema.parse({
        directory: {},
        notifications: { default_channel: 'chat', channels: { chat: settings } },
      }),
      now: () => new Date(NOW),
    };
    const run = () =>
      env.run((one: NotificationRequest) => notify(dependencies, one), requestWith());
    const outcomes = () => log.tries.map(({ outcome }) => outcome);
    return { env, log, run, outcomes };
  }

  it('is recorded by its reference where Slack has the message already, so that it is told the end', async () => {
    const { env, log, run, outcomes } = rig();
    slack.answer = () => {
      env.cancel();
      return undefined;
    };
    const receipt = (await run()) as DeliveryReceipt;
    assert.equal(receipt.reference, 'C42:1.000001');
    assert.deepEqual([...log.entries.values()], [receipt]);
    assert.deepEqual(outcomes(), ['delivered']);
  });

  it('is called off where Slack does not say in time that it has it', async () => {
    const { env, log, run, outcomes } = rig();
    slack.answer = () => {
      env.cancel();
      return 'hangs';
    };
    await assert.rejects(run(), { type: 'no_reply_in_time' });
    assert.deepEqual([...log.entries.values()], []);
    assert.deepEqual(outcomes(), ['called_off']);
  });
});
