import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { workerConfigSchema } from '../../contracts/server/worker-config.js';
import {
  connectPatiently,
  deliveryTuning,
  feedTuning,
  sharedResources,
  workflowBundle,
  workflowTuning,
} from '../../workers/worker-options.js';

describe('the sizes of a worker', () => {
  it('are what its configuration says, each in its place', () => {
    const config = workerConfigSchema.parse({
      cached_workflows: 11,
      workflow_tasks: { at_once: 12, pollers: 13 },
      activities: { at_once: 14, pollers: 15 },
      deliveries: { at_once: 16, pollers: 17 },
      feed: { at_once: 18, pollers: 19 },
    });
    const pollers = (maximum: number) => ({ type: 'simple-maximum', maximum });
    assert.deepEqual(workflowTuning(config), {
      maxCachedWorkflows: 11,
      maxConcurrentWorkflowTaskExecutions: 12,
      workflowTaskPollerBehavior: pollers(13),
      maxConcurrentActivityTaskExecutions: 14,
      activityTaskPollerBehavior: pollers(15),
      nonStickyToStickyPollRatio: 0.5,
      stickyQueueScheduleToStartTimeout: '1s',
      shutdownGraceTime: '5s',
    });
    assert.deepEqual(deliveryTuning(config), {
      maxConcurrentActivityTaskExecutions: 16,
      activityTaskPollerBehavior: pollers(17),
      shutdownGraceTime: '5s',
    });
    assert.deepEqual(feedTuning(config), {
      maxConcurrentActivityTaskExecutions: 18,
      activityTaskPollerBehavior: pollers(19),
      shutdownGraceTime: '1s',
    });
    assert.equal(sharedResources(config), undefined);
  });

  it('may follow what the machine bears, in one for all, with at most so many at once', () => {
    const config = workerConfigSchema.parse({
      resources: { cpu: 0.8, memory: 0.7 },
      workflow_tasks: { at_once: 12 },
      activities: { at_once: 14 },
      feed: { at_once: 18 },
    });
    const controller = sharedResources(config);
    assert.ok(controller);
    const activities = (maximumSlots: number) => ({ maximumSlots, rampThrottle: '10ms' });
    const { tuner, ...fixed } = workflowTuning(config, controller);
    assert.deepEqual(tuner, {
      controller,
      workflowTaskSlotOptions: { maximumSlots: 12 },
      activityTaskSlotOptions: activities(14),
    });
    // The SDK takes a tuner, or fixed numbers.
    assert.deepEqual(
      Object.keys(fixed).filter((name) => name.startsWith('maxConcurrent')),
      [],
    );
    assert.deepEqual(feedTuning(config, controller).tuner, {
      controller,
      activityTaskSlotOptions: activities(18),
    });
  });

  it('may let Temporal say how many pollers there are', () => {
    const config = workerConfigSchema.parse({ deliveries: { pollers: { least: 2, most: 50 } } });
    assert.deepEqual(deliveryTuning(config).activityTaskPollerBehavior, {
      type: 'autoscaling',
      minimum: 2,
      maximum: 50,
      initial: 2,
    });
  });
});

describe('a worker that starts', () => {
  const unheard = (line: string): void => assert.equal(line, 'nothing');

  it('says in one line that its bundle is missing', async () => {
    const env = { HOLDPOINT_WORKFLOW_BUNDLE: '/none.js' };
    await assert.rejects(workflowBundle(env, unheard), {
      name: 'StartupError',
      message: 'HOLDPOINT_WORKFLOW_BUNDLE /none.js: there is no such file.',
    });
  });

  it('says once, and why, that Temporal is away', async () => {
    const stop = new AbortController();
    const said: string[] = [];
    const log = (line: string): void => {
      said.push(line);
      // Tries on after this, and must not say it again.
      setImmediate(() => stop.abort());
    };
    const found = await connectPatiently({ address: '127.0.0.1:1' }, log, stop.signal);
    assert.equal(found, undefined);
    assert.deepEqual(said, [
      'Temporal at 127.0.0.1:1 is away, trying again until it is back: Connection refused',
    ]);
  });

  it('stops at once while a server does not answer', async () => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const stop = new AbortController();
    const log = (line: string): void => assert.equal(line, 'nothing');
    const connecting = connectPatiently({ address }, log, stop.signal);
    const [socket] = (await once(silent, 'connection')) as [Socket];
    stop.abort();
    assert.equal(await connecting, undefined);
    socket.destroy();
    silent.close();
  });
});
