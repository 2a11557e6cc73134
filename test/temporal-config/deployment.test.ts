import assert from 'node:assert/strict';
import type { Connection } from '@temporalio/client';
import { describe, it } from 'mocha';
import { activate, deactivate, ramp } from '../../temporal-config/deployment.js';

const VERSION = { deploymentName: 'holdpoint', buildId: '2.0.0-b' };
const QUEUES = [
  { name: 'holdpoint', type: 1 },
  { name: 'holdpoint', type: 2 },
  { name: 'holdpoint-deliveries', type: 2 },
  { name: 'holdpoint-feed', type: 2 },
];

interface Queue {
  readonly name: string;
  readonly type: number;
}
interface Script {
  /** What Temporal counts to the version; throws where it does not know it. */
  readonly known?: () => readonly Queue[];
  /** The build and the age in seconds of each poller. */
  readonly pollers?: (queue: Queue) => readonly { build?: string; age?: number }[];
  readonly set?: () => object;
}

/** As gRPC reports a status. */
function status(code: number, details: string): Error {
  return Object.assign(new Error(`${code}: ${details}`), { code, details, metadata: {} });
}

/** In place of a connection to a server: the methods that are called, and no other. */
function bench(script: Script = {}) {
  const set: object[] = [];
  const shares: object[] = [];
  const workflowService = {
    describeWorkerDeploymentVersion: async () => ({
      versionTaskQueues: (script.known ?? (() => QUEUES))(),
    }),
    describeTaskQueue: async (request: { taskQueue: { name: string }; taskQueueType: number }) => {
      const queue = { name: request.taskQueue.name, type: request.taskQueueType };
      const pollers = (script.pollers ?? (() => [{}]))(queue);
      return { pollers: pollers.map(pollerOf) };
    },
    setWorkerDeploymentCurrentVersion: async (request: object) => {
      set.push(request);
      return script.set?.() ?? {};
    },
    setWorkerDeploymentRampingVersion: async (request: object) => {
      shares.push(request);
      return script.set?.() ?? {};
    },
  };
  const withDeadline = (_deadline: number, call: () => unknown) => call();
  const connection = { workflowService, withDeadline } as unknown as Connection;
  const said: string[] = [];
  const log = (line: string) => said.push(line);
  return {
    set,
    shares,
    said,
    given: { connection, namespace: 'n', version: VERSION, limitMs: 0, log },
  };
}

function pollerOf({ build = VERSION.buildId, age = 0 }: { build?: string; age?: number }) {
  return {
    lastAccessTime: { seconds: Date.now() / 1_000 - age },
    deploymentOptions:
      build === ''
        ? undefined
        : { deploymentName: 'holdpoint', buildId: build, workerVersioningMode: 2 },
  };
}

const refusal = (message: RegExp) => ({ code: 'version_not_activated', message });

describe('the activation of a version', () => {
  it('makes it current where its workers poll every queue, and says what was before', async () => {
    const { set, given } = bench({
      set: () => ({ previousDeploymentVersion: { buildId: '1.0.0-a' } }),
    });
    assert.equal(await activate(given), '1.0.0-a');
    const { deploymentName, buildId } = VERSION;
    const identity = 'holdpoint activate';
    assert.deepEqual(set, [{ namespace: 'n', deploymentName, buildId, identity }]);
  });

  it('says where unversioned workers were served before', async () => {
    assert.equal(await activate(bench().given), undefined);
  });

  it('waits until the last queue has its workers, and says so once', async () => {
    let looks = 0;
    const { set, said, given } = bench({
      pollers: ({ name }) => (name === 'holdpoint-feed' && (looks += 1) < 3 ? [] : [{}]),
    });
    await activate({ ...given, limitMs: 10_000 });
    assert.equal(looks, 3);
    assert.equal(set.length, 1);
    assert.deepEqual(said, [
      'Waiting up to 10 s for workers of version 2.0.0-b at holdpoint-feed (activity)',
    ]);
  });

  const MISSING: Readonly<Record<string, Script>> = {
    'nobody polls one of its queues': {
      pollers: ({ name, type }) => (type === 2 && name === 'holdpoint' ? [] : [{}]),
    },
    'workers of another version poll': {
      pollers: ({ name, type }) => [
        { build: type === 2 && name === 'holdpoint' ? '1.0.0-a' : VERSION.buildId },
      ],
    },
    'workers without a version poll': {
      pollers: ({ name, type }) => [
        { build: type === 2 && name === 'holdpoint' ? '' : VERSION.buildId },
      ],
    },
    'its workers are long gone': {
      pollers: ({ name, type }) => [{ age: type === 2 && name === 'holdpoint' ? 80 : 0 }],
    },
    'Temporal does not yet count a queue to it': {
      known: () => QUEUES.filter(({ name, type }) => name !== 'holdpoint' || type !== 2),
    },
  };
  for (const [when, script] of Object.entries(MISSING)) {
    it(`changes nothing while ${when}`, async () => {
      const { set, given } = bench(script);
      const message =
        'There are no workers of version 2.0.0-b at holdpoint (activity). Start them, or wait for longer; nothing was changed.';
      await assert.rejects(activate(given), { code: 'version_not_activated', message });
      assert.deepEqual(set, []);
    });
  }

  it('waits for the first of its workers, before which Temporal does not know it', async () => {
    const unknown = bench({
      known: () => {
        throw status(5, 'Worker Deployment Version not found');
      },
    });
    await assert.rejects(
      activate(unknown.given),
      refusal(/^There are no workers .* holdpoint \(workflow\), /),
    );
  });

  it('explains that the server is too old', async () => {
    const { given } = bench({
      known: () => {
        throw status(12, 'unknown method');
      },
    });
    await assert.rejects(
      activate(given),
      refusal(/update it, or set HOLDPOINT_WORKER_VERSIONING=false/),
    );
  });

  it('passes on why Temporal refuses', async () => {
    const { given } = bench({
      set: () => {
        throw status(9, 'New current version is missing task queues');
      },
    });
    await assert.rejects(activate(given), refusal(/^The version cannot .* missing task queues\.$/));
  });

  it('can be taken back, so that workers without a version are served', async () => {
    const { set, given } = bench({
      pollers: () => [],
      set: () => ({ previousDeploymentVersion: { buildId: VERSION.buildId } }),
    });
    assert.equal(await deactivate(given), VERSION.buildId);
    assert.deepEqual(
      set.map((request) => (request as { buildId: string }).buildId),
      [''],
    );
  });
});

describe('the share of a version', () => {
  const identity = 'holdpoint activate';
  const SHARE = { namespace: 'n', deploymentName: 'holdpoint', identity };

  it('is given where its workers poll every queue, and makes nothing current', async () => {
    const { set, shares, given } = bench();
    await ramp(given, 10);
    assert.deepEqual(shares, [{ ...SHARE, buildId: VERSION.buildId, percentage: 10 }]);
    assert.deepEqual(set, []);
  });

  it('is not given while its workers are missing', async () => {
    const { shares, given } = bench({ pollers: () => [] });
    await assert.rejects(ramp(given, 10), refusal(/^There are no workers of version 2\.0\.0-b/));
    assert.deepEqual(shares, []);
  });

  it('can be taken back, also once its workers are gone', async () => {
    const { shares, given } = bench({ pollers: () => [] });
    await ramp(given, 0);
    assert.deepEqual(shares, [{ ...SHARE, buildId: '', percentage: 0 }]);
  });

  it('says why Temporal refuses', async () => {
    const { given } = bench({
      set: () => {
        throw status(9, 'Ramping version is already current');
      },
    });
    await assert.rejects(
      ramp(given, 10),
      refusal(/^The version cannot get a share: Ramping version is already current\.$/),
    );
  });
});
