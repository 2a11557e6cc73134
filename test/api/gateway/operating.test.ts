import assert from 'node:assert/strict';
import { ServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { createOperating } from '../../../api/gateway/operating.js';
import type { RunQuery } from '../../../api/gateway/reads/from-store.js';
import { forgetSetAside, notedSetAside } from '../../../store/queries/set-aside.js';
import { ManualClock } from './support.js';

const since = '2026-03-24T10:00:00.000Z';
const noted = (...ids: readonly string[]) =>
  ids.map((id) => ({ workflow_id: `intent-${id}`, run_id: id, since }));

const described = (status: string, attempt?: number) => ({
  status: { name: status },
  raw: attempt === undefined ? {} : { pendingWorkflowTask: { attempt } },
});

/** Temporal with these runs, by their ids; one that is an error is thrown. */
function bench(
  runs: Readonly<Record<string, object>>,
  rows: readonly { readonly run_id: string }[] = noted(...Object.keys(runs)),
) {
  const forgotten: string[] = [];
  const asked: string[] = [];
  const client = {
    workflow: {
      getHandle: (workflowId: string, runId: string) => ({
        async describe() {
          asked.push(workflowId);
          const found = runs[runId];
          if (found instanceof Error) throw found;
          return found;
        },
      }),
    },
    withDeadline: (_deadline: number, call: () => unknown) => call(),
    withAbortSignal: (_signal: AbortSignal, call: () => unknown) => call(),
  };
  const fromStore = (async (query: unknown, given: unknown) => {
    if (query === notedSetAside) return rows.slice(0, given as number);
    assert.equal(query, forgetSetAside);
    forgotten.push(...(given as readonly string[]));
    return undefined;
  }) as RunQuery;
  const deps = { client: client as never, clock: new ManualClock(), fromStore };
  return { forgotten, asked, runsSetAside: () => createOperating(deps).runsSetAside() };
}

describe('the workflows that are set aside', () => {
  it('are those of which a task has been tried three times, and all others are forgotten', async () => {
    const { runsSetAside, forgotten } = bench({
      stuck: described('RUNNING', 3),
      longer: described('RUNNING', 40),
      goes_on: described('RUNNING', 1),
      waits: described('RUNNING'),
      terminated: described('TERMINATED'),
      reset: described('TERMINATED', 9),
      missing: new WorkflowNotFoundError('gone', 'intent-missing', 'missing'),
    });
    const [stuck, longer] = noted('stuck', 'longer');
    assert.deepEqual(await runsSetAside(), {
      workflows: [
        { ...stuck, tries: 3 },
        { ...longer, tries: 40 },
      ],
      more: false,
    });
    assert.deepEqual(forgotten, ['goes_on', 'waits', 'terminated', 'reset', 'missing']);
  });

  it('stay noted while Temporal does not answer', async () => {
    const away = Object.assign(new ServiceError('away'), {
      cause: Object.assign(new Error('away'), { code: 14, details: '', metadata: {} }),
    });
    const { runsSetAside, forgotten } = bench({ stuck: away });
    const [stuck] = noted('stuck');
    assert.deepEqual(await runsSetAside(), {
      workflows: [{ ...stuck, tries: null }],
      more: false,
    });
    assert.deepEqual(forgotten, []);
  });

  it('are at most 20, and at most 50 are looked up', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `run-${index}`);
    const runs = Object.fromEntries(ids.map((id) => [id, described('RUNNING', 5)]));
    const many = bench(runs);
    const { workflows, more } = await many.runsSetAside();
    assert.deepEqual([workflows.length, more, many.asked.length], [20, true, 50]);
    const few = bench(runs, noted(...ids.slice(0, 20)));
    assert.equal((await few.runsSetAside()).more, false);
    const ended = Object.fromEntries(ids.map((id) => [id, described('COMPLETED')]));
    assert.deepEqual(await bench(ended).runsSetAside(), { workflows: [], more: true });
  });
});
