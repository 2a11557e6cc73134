import assert from 'node:assert/strict';
import { listUnattended } from '../../../../api/usecases/server/watch.js';
import { NOW, callerOf, rpcError } from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';

interface Listing {
  readonly query: string;
  readonly pageSize: number;
}

/** What a fake Temporal knows: workflows of agents with their task queues, and who polls these. */
interface Known {
  readonly workflows: Readonly<Record<string, { queue: string; version?: string }>>;
  /** The workers of each task queue: how many milliseconds ago they polled, and their version. */
  readonly workers?: Readonly<Record<string, readonly { ago: number; version?: string }[]>>;
}

const payload = (value: unknown) => ({ data: new TextEncoder().encode(JSON.stringify(value)) });

const listed = (workflowId: string, { queue, version }: Known['workflows'][string]) => ({
  execution: { workflowId },
  taskQueue: queue,
  searchAttributes: {
    indexedFields: version && {
      TemporalWorkflowVersioningBehavior: payload('Pinned'),
      TemporalWorkerDeploymentVersion: payload(version),
    },
  },
});

function pollerOf({ ago, version }: { ago: number; version?: string }) {
  const [deploymentName, buildId] = version?.split(':') ?? [];
  return {
    lastAccessTime: { seconds: (NOW - ago) / 1_000 },
    deploymentOptions: version && { deploymentName, buildId, workerVersioningMode: 2 },
  };
}

function bench({ workflows, workers = {} }: Known, service: object = {}) {
  const listings: Listing[] = [];
  const described: string[] = [];
  const { parts } = fakeParts({
    temporal: {
      service: {
        async listWorkflowExecutions({ query, pageSize }: Listing) {
          listings.push({ query, pageSize });
          const all = Object.entries(workflows);
          if (query.includes('ParentWorkflowId')) {
            const children = all.map(([workflowId]) => ({ parentExecution: { workflowId } }));
            return { executions: children.slice(0, pageSize) };
          }
          const named = all.filter(([id]) => query.includes(JSON.stringify(id)));
          return { executions: named.map(([id, known]) => listed(id, known)) };
        },
        async describeTaskQueue({ taskQueue: { name } }: { taskQueue: { name: string } }) {
          described.push(name);
          return { pollers: (workers[name] ?? []).map(pollerOf) };
        },
        ...service,
      },
    },
  });
  const run = () => listUnattended.run({ caller: callerOf('admin'), parts });
  return { run, listings, described };
}

const SECOND = 1_000;

describe('task queues without a worker', () => {
  it('are those that nobody has polled for 75 s, with the workflows that wait', async () => {
    const { run, described } = bench({
      workflows: {
        'refund-1': { queue: 'refunds' },
        'refund-2': { queue: 'refunds' },
        'order-1': { queue: 'orders' },
        'stock-1': { queue: 'stock' },
      },
      workers: {
        refunds: [{ ago: 80 * SECOND }, { ago: 200 * SECOND }],
        orders: [{ ago: 70 * SECOND }],
      },
    });
    assert.deepEqual(await run(), {
      queues: [
        {
          task_queue: 'refunds',
          version: null,
          workflows: 2,
          examples: ['refund-1', 'refund-2'],
          last_poll: new Date(NOW - 80 * SECOND).toISOString(),
        },
        {
          task_queue: 'stock',
          version: null,
          workflows: 1,
          examples: ['stock-1'],
          last_poll: null,
        },
      ],
      more: false,
    });
    assert.deepEqual(described, ['refunds', 'orders', 'stock']);
  });

  it('are told by version where workflows are pinned to one', async () => {
    const { run } = bench({
      workflows: {
        old: { queue: 'refunds', version: 'agents:1' },
        new: { queue: 'refunds', version: 'agents:2' },
        any: { queue: 'refunds' },
      },
      workers: {
        refunds: [
          { ago: 100 * SECOND, version: 'agents:1' },
          { ago: 0, version: 'agents:2' },
        ],
      },
    });
    const { queues } = await run();
    assert.deepEqual(
      queues.map(({ version, examples }) => [version, examples]),
      [['agents:1', ['old']]],
    );
  });

  it('leave out the workflows of Holdpoint, and quote the ids of others', async () => {
    const { run, listings } = bench({ workflows: { 'a "b" \\c': { queue: 'q' } } });
    assert.equal((await run()).queues.length, 1);
    assert.match(
      listings[1]?.query ?? '',
      /TaskQueue != "holdpoint" AND WorkflowId IN \("a \\"b\\" \\\\c"\)$/,
    );
  });

  it('are none where no workflow has asked, and then nothing else is looked up', async () => {
    const { run, listings, described } = bench({ workflows: {} });
    assert.deepEqual(await run(), { queues: [], more: false });
    assert.deepEqual([listings.length, described.length], [1, 0]);
  });

  it('are at most 20, of at most 500 workflows and 50 queues', async () => {
    const many = Array.from(
      { length: 501 },
      (_, at) => [`flow-${at}-`, { queue: `q-${at}` }] as const,
    );
    const { run, listings, described } = bench({ workflows: Object.fromEntries(many) });
    const { queues, more } = await run();
    assert.deepEqual([queues.length, more], [20, true]);
    assert.deepEqual([listings.length, described.length], [1 + 10, 50]);
    const one = bench({
      workflows: Object.fromEntries(many.slice(0, 30).map(([id]) => [id, { queue: 'q' }])),
    });
    const found = await one.run();
    assert.deepEqual(
      [found.queues[0]?.examples.length, found.queues[0]?.workflows, found.more],
      [5, 30, false],
    );
  });

  it('are unknown while Temporal does not answer', async () => {
    const { run } = bench(
      { workflows: {} },
      {
        listWorkflowExecutions: () => {
          throw rpcError('UNAVAILABLE');
        },
      },
    );
    await assert.rejects(
      run,
      ({ refusal }: { refusal?: { code: string } }) => refusal?.code === 'workflow_unavailable',
    );
  });
});
