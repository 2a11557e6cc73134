import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { workerConfigSchema } from '../../contracts/worker-config.js';
import {
  connectPatiently,
  deliveryTuning,
  feedTuning,
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
    const sizesOf = (options: object) =>
      Object.entries(options).filter(([name]) => name.startsWith('maxC'));
    assert.deepEqual(sizesOf(workflowTuning(config)), [
      ['maxCachedWorkflows', 11],
      ['maxConcurrentWorkflowTaskExecutions', 12],
      ['maxConcurrentWorkflowTaskPolls', 13],
      ['maxConcurrentActivityTaskExecutions', 14],
      ['maxConcurrentActivityTaskPolls', 15],
    ]);
    assert.deepEqual(sizesOf(deliveryTuning(config)), [
      ['maxConcurrentActivityTaskExecutions', 16],
      ['maxConcurrentActivityTaskPolls', 17],
    ]);
    assert.deepEqual(sizesOf(feedTuning(config)), [
      ['maxConcurrentActivityTaskExecutions', 18],
      ['maxConcurrentActivityTaskPolls', 19],
    ]);
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
