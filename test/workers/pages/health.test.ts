import assert from 'node:assert/strict';
import type { State } from '@temporalio/worker';
import { ALL_THERE, type AttributesFound } from '../../../temporal-config/missing-attributes.js';
import {
  healthPage,
  readyPage,
  type HealthOptions,
  type Running,
} from '../../../workers/pages/health.js';

const ALL: readonly State[] = ['RUNNING', 'RUNNING', 'RUNNING'];
const LACKS_NOTHING = { missing: [], refused_rows: 0 };

function runningIn(
  states: readonly State[],
  getSystemInfo: () => unknown,
  found: AttributesFound = ALL_THERE,
): Running {
  return {
    searchAttributes: async () => found,
    workers: states.map((state) => ({ getState: () => state })),
    connection: {
      withDeadline: (_deadline: unknown, call: () => unknown) => call(),
      workflowService: { getSystemInfo },
    },
  } as unknown as Running;
}

/** The page over a worker in these states that reaches both servers, but for what is said. */
function bench(changes: Partial<HealthOptions> = {}, states = ALL) {
  let looks = 0;
  const info = async () => {
    looks += 1;
    return { serverVersion: '1.29.1' };
  };
  const page = readyPage({
    running: () => runningIn(states, info),
    storeState: async () => LACKS_NOTHING,
    ...changes,
  });
  const read = async () => {
    const { status, body } = await page();
    const { status: word, dependencies } = JSON.parse(body) as {
      status: string;
      dependencies: Record<string, { ok: boolean; detail: string }>;
    };
    return { status, word, dependencies };
  };
  return { read, looks: () => looks };
}

describe('the health of a worker', () => {
  it('is that the process is there', async () => {
    const { status, body } = await healthPage();
    assert.deepEqual([status, body], [200, '{"status":"ok"}']);
  });
});

describe('a worker', () => {
  it('is ready if it polls all its queues, and Temporal and the store answer', async () => {
    assert.deepEqual(await bench().read(), {
      status: 200,
      word: 'ready',
      dependencies: {
        worker: { ok: true, detail: 'polls 3 of 3 task queues' },
        temporal: { ok: true, detail: 'Temporal 1.29.1' },
        store: { ok: true, detail: 'the store answers' },
      },
    });
  });

  const NOT_READY: readonly (readonly [
    when: string,
    changes: Partial<HealthOptions>,
    part: string,
    detail: string,
    states?: readonly State[],
  ])[] = [
    [
      'before Temporal was reached',
      { running: () => undefined },
      'temporal',
      'not reached since the start',
    ],
    ['before it polls', { running: () => undefined }, 'worker', 'polls 0 of 0 task queues'],
    [
      'while it stops',
      {},
      'worker',
      'polls 2 of 3 task queues',
      ['RUNNING', 'STOPPING', 'RUNNING'],
    ],
    [
      'while Temporal fails',
      {
        running: () =>
          runningIn(ALL, () => Promise.reject(new RangeError('host t.internal is gone'))),
      },
      'temporal',
      'failed (RangeError)',
    ],
    [
      'while Temporal does not answer',
      { running: () => runningIn(ALL, () => new Promise(() => undefined)), deadlineMs: 0 },
      'temporal',
      'no answer within 0 ms',
    ],
    [
      'while the namespace lacks a search attribute',
      {
        running: () =>
          runningIn(ALL, async () => ({ serverVersion: '1.29.1' }), {
            missing: ['HoldpointState'],
            unchecked: [],
          }),
      },
      'temporal',
      'Temporal 1.29.1; search attributes are missing: HoldpointState (Keyword)',
    ],
    [
      'while the store is away',
      { storeState: () => Promise.reject(new Error('password of postgres://…')) },
      'store',
      'failed (Error)',
    ],
    [
      'while the store lacks a migration',
      { storeState: async () => ({ missing: ['0029', '0030'], refused_rows: 0 }) },
      'store',
      'not migrated: 0029 is missing',
    ],
  ];
  for (const [when, changes, part, detail, states] of NOT_READY) {
    it(`is not ready ${when}, and says so of its part "${part}"`, async () => {
      const { status, word, dependencies } = await bench(changes, states).read();
      assert.deepEqual([status, word], [503, 'not_ready']);
      assert.deepEqual(dependencies[part], { ok: false, detail });
    });
  }

  it('is ready if nobody lets it check the search attributes, and says so', async () => {
    const unchecked = { missing: [], unchecked: ['HoldpointState', 'HoldpointExpiresAt'] };
    const info = async () => ({ serverVersion: '1.29.1' });
    const { status, dependencies } = await bench({
      running: () => runningIn(ALL, info, unchecked),
    }).read();
    assert.equal(status, 200);
    assert.deepEqual(dependencies['temporal'], {
      ok: true,
      detail: 'Temporal 1.29.1; search attributes not checked: HoldpointState, HoldpointExpiresAt',
    });
  });

  it('looks once in two seconds, and sees at once that it stops', async () => {
    let now = 0;
    const states: State[] = [...ALL];
    const { read, looks } = bench({ now: () => now }, states);
    await Promise.all([read(), read()]);
    now = 1_999;
    assert.equal((await read()).status, 200);
    assert.equal(looks(), 1);
    now = 2_000;
    await read();
    assert.equal(looks(), 2);
  });
});
