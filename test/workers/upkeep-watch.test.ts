import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { Client } from '@temporalio/client';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TimeRange } from '../../activities/ports/reconciliation.js';
import { TASK_QUEUE, UPKEEP } from '../../contracts/constants/names.js';
import {
  watchFollowUps,
  watchPushes,
  watchSweep,
  watchUnwritten,
  type TakeLook,
} from '../../workers/upkeep-watch.js';
import { DUE } from '../activities/due-follow-ups.js';
import { noQuestions } from '../activities/support.js';

const NEVER = new AbortController().signal;
type Workflows = Pick<Client, 'workflow'>;

/** A Temporal that takes note of what is started, and in which a workflow that runs ends when it is told to. */
class FakeTemporal {
  readonly started: unknown[] = [];
  isRunning = false;
  end = (): void => undefined;
  readonly client = {
    workflow: {
      start: async (type: string, options: { readonly workflowId: string }) => {
        if (this.isRunning) {
          throw new WorkflowExecutionAlreadyStartedError('runs', options.workflowId, type);
        }
        this.started.push({ type, ...options });
        this.isRunning = true;
      },
      getHandle: () => ({
        result: () =>
          new Promise<void>((resolve) => {
            this.end = () => {
              this.isRunning = false;
              resolve();
            };
          }),
      }),
    },
  } as unknown as Workflows;
}

const message = { ...DUE, delivery_id: 'm', channel: 'chat', person: null } as never;
const soon = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('messages that are due', () => {
  const watching = (due: readonly never[], temporal = new FakeTemporal()) => ({
    temporal,
    watch: watchFollowUps({ due: async () => due }, temporal.client),
  });

  it('are told by a workflow, and nothing is started while there are none', async () => {
    const idle = watching([]);
    await idle.watch.look(NEVER);
    assert.deepEqual(idle.temporal.started, []);
    const { watch, temporal } = watching([message]);
    const look = watch.look(NEVER);
    await soon();
    temporal.end();
    await look;
    assert.deepEqual(temporal.started, [
      {
        type: UPKEEP.type,
        workflowId: UPKEEP.followUps,
        taskQueue: TASK_QUEUE,
        args: [{ work: 'follow_ups' }],
      },
    ]);
  });

  it('are left to a workflow that another worker has started, until that ends', async () => {
    const { watch, temporal } = watching([message]);
    temporal.isRunning = true;
    let isOver = false;
    const look = watch.look(NEVER).then(() => (isOver = true));
    await soon();
    assert.equal(isOver, false);
    temporal.end();
    await look;
    assert.deepEqual(temporal.started, []);
  });

  it('keep no worker from stopping', async () => {
    const { watch } = watching([message]);
    const stop = new AbortController();
    const look = watch.look(stop.signal);
    await soon();
    stop.abort();
    await look;
  });
});

describe('questions of which browsers are told', () => {
  it('start a workflow only if one is for a browser', async () => {
    for (const due of [[], [{} as never]]) {
      const temporal = new FakeTemporal();
      let news = 3;
      const pushes = { fanOut: async () => --news > 0, due: async () => due };
      const look = watchPushes(pushes, temporal.client).look(NEVER);
      await soon();
      temporal.end();
      await look;
      assert.deepEqual([news, temporal.started.length], [0, due.length]);
    }
  });
});

/** Workers that look at their own times, over one store, as its clock goes on second by second. */
class Workers {
  nowMs = Date.parse('2026-03-24T10:00:00.000Z');
  readonly taken = new Map<string, number>();
  readonly takeLook: TakeLook = async (work, seconds) => {
    const last = this.taken.get(work) ?? -Infinity;
    if (this.nowMs - last < seconds * 1_000) return false;
    this.taken.set(work, this.nowMs);
    return true;
  };

  /** @param phases - by how many seconds the workers are apart */
  async run(seconds: number, phases: readonly number[], watch: ReturnType<typeof watchSweep>) {
    for (let second = 0; second < seconds; second += 1) {
      for (const phase of phases) {
        if ((second - phase) % (watch.everyMs / 1_000) === 0) await watch.look(NEVER);
      }
      this.nowMs += 1_000;
    }
  }
}

describe('what nobody wrote', () => {
  /** When the reconciler was let run, for a question that ended at some second and whose end the store lacks. */
  async function runsFor(endedAfter: number, phases: readonly number[]) {
    const workers = new Workers();
    const endedMs = workers.nowMs + endedAfter * 1_000;
    const runs: number[] = [];
    let isStarted = false;
    async function* endedIn({ from, to }: TimeRange) {
      if (endedMs >= Date.parse(from) && endedMs <= Date.parse(to)) yield [{ id: 'q', space: 's' }];
    }
    const trigger = async () => {
      if (isStarted) runs.push((workers.nowMs - endedMs) / 1_000);
    };
    const watch = watchUnwritten(
      { ...noQuestions(), endedIn, notSettled: async (page) => (runs.length > 0 ? [] : page) },
      { schedule: { getHandle: () => ({ trigger }) } } as unknown as Pick<Client, 'schedule'>,
      workers.takeLook,
      () => new Date(workers.nowMs),
    );
    // The first look lets the reconciler run, because it does not know what was before.
    await watch.look(NEVER);
    isStarted = true;
    workers.taken.clear();
    await workers.run(600, phases, watch);
    return runs;
  }

  it('is written within two minutes, whenever it was lost, and however many workers look', async () => {
    for (const phases of [[0], [3, 8], [0, 1, 5, 9]]) {
      for (let second = 0; second < 120; second += 7) {
        const [first = Infinity, ...more] = await runsFor(second, phases);
        // The rest of the two minutes is for lists of Temporal that lag, and for the run itself.
        assert.ok(first >= 30 && first <= 95, `${first} s after second ${second}`);
        assert.deepEqual(more, []);
      }
    }
  });

  it('is looked for by the reconciler after a start and after each failure, which know of nothing before', async () => {
    let runs = 0;
    let isAway = true;
    const trigger = async () => void (runs += 1);
    const watch = watchUnwritten(
      {
        ...noQuestions(),
        notCreated: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve([])),
        async *runningSince() {
          yield [{ id: 'i', space: 's' }];
        },
      },
      { schedule: { getHandle: () => ({ trigger }) } } as unknown as Pick<Client, 'schedule'>,
      async () => true,
    );
    await watch.look(NEVER);
    assert.equal(runs, 1);
    await assert.rejects(watch.look(NEVER), /away/);
    isAway = false;
    for (let look = 0; look < 3; look += 1) await watch.look(NEVER);
    assert.equal(runs, 2);
  });

  it('costs nothing while there is nothing, and one look a minute of all workers', async () => {
    const workers = new Workers();
    let looks = 0;
    const sweep = async () => void (looks += 1);
    await workers.run(600, [0, 4, 7], watchSweep('sweep', sweep, workers.takeLook));
    assert.ok(looks >= 10 && looks <= 12, String(looks));
    assert.deepEqual(await runsFor(-3_600, [0]), []);
  });
});
