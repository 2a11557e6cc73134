import assert from 'node:assert/strict';
import { ServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { listSetAside } from '../../../../api/usecases/server/watch.js';
import { callerOf } from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';

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
  rows: ReturnType<typeof noted> = noted(...Object.keys(runs)),
) {
  const forgotten: string[] = [];
  const { parts, calls: asked } = fakeParts({
    temporal: {
      describe({ workflowId }) {
        const found = runs[workflowId.slice('intent-'.length)];
        if (found instanceof Error) throw found;
        return found;
      },
    },
    store: {
      notedSetAside: async (limit) => rows.slice(0, limit),
      forgetSetAside: async (runIds) => void forgotten.push(...runIds),
    },
  });
  const caller = callerOf('admin');
  return { forgotten, asked, runsSetAside: () => listSetAside.run({ caller, parts }) };
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
