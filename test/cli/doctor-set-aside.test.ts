import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EXIT } from '../../cli/exit-codes.js';
import type { RunsSetAside } from '../../contracts/log/set-aside.js';
import { knownPeople } from '../../domain/directory/known-people.js';
import { NOW, rpcError } from '../api/support/fakes.js';
import type { FakeCall } from '../api/support/fakes.js';
import type { Fakes } from '../api/support/parts.js';
import { withShell } from './support.js';
import type { ShellRig } from './support.js';

const since = '2026-03-24T10:00:00.000Z';
const RUN = { workflow_id: 'intent-7', run_id: 'run-7', since, tries: 5 };

/** A store that has these runs noted, and a Temporal that says how often their tasks were tried, if it answers. */
function fakesOf({ workflows, more }: RunsSetAside): Fakes {
  // Where more are noted than are looked up, there may be more that are set aside.
  const noted = more ? Array.from({ length: 50 }, () => workflows).flat() : workflows;
  const describe = ({ workflowId }: FakeCall) => {
    const attempt = workflows.find(({ workflow_id }) => workflow_id === workflowId)?.tries;
    if (attempt === null) throw rpcError('UNAVAILABLE');
    return { status: { name: 'RUNNING' }, raw: { pendingWorkflowTask: { attempt } } };
  };
  return { store: { notedSetAside: async () => noted }, temporal: { describe } };
}

describe('holdpoint doctor, of workflows that are set aside', () => {
  const says = (found: RunsSetAside, key: 'admin' | 'operator' = 'admin') => {
    const ended = { code: -1, out: '' };
    return withShell(
      {},
      async (shell) => {
        Object.assign(ended, await shell.run(['doctor'], { key }));
      },
      {},
      fakesOf(found),
    ).then(() => ended);
  };

  it('names each with its run, and says what to do', async () => {
    const unheard = { ...RUN, workflow_id: 'team-b/intent-8', tries: null };
    const { code, out } = await says({ workflows: [RUN, unheard], more: false });
    assert.equal(code, EXIT.no);
    assert.match(
      out,
      /^BAD {2}workflow +intent-7 \(run run-7\) is set aside since 2026-03-24T10:00:00\.000Z, and its task was tried 5 times\n +Reset or terminate it, .*"A workflow that is set aside" in docs\/watch-and-repair\.md\.$/m,
    );
    assert.match(
      out,
      /^BAD {2}workflow +team-b\/intent-8 \(run run-7\) is set aside since \S+Z\n/m,
    );
    assert.doesNotMatch(out, /there may be more/);
  });

  it('says that there may be more', async () => {
    const { code, out } = await says({ workflows: [RUN], more: true });
    assert.equal(code, EXIT.no);
    assert.match(out, /^BAD {2}workflow +there may be more that are set aside$/m);
  });

  it('says that there is none', async () => {
    const { code, out } = await says({ workflows: [], more: false });
    assert.equal(code, EXIT.done);
    assert.match(out, /^ok {3}workflow +none is set aside$/m);
  });

  it('does not ask with a key that may not see them', async () => {
    const { code, out } = await says({ workflows: [RUN], more: false }, 'operator');
    assert.equal(code, EXIT.done);
    assert.doesNotMatch(out, /workflow/);
  });
});

describe("holdpoint doctor, of agents' workflows without a worker", () => {
  const ids = ['refund-1', 'refund-2', 'refund-3', 'refund-4', 'refund-5', 'refund-6'];
  const LAST_POLL = '2025-12-31T23:58:00.000Z';
  const ASKED = ids.map((workflowId) => ({ parentExecution: { workflowId } }));
  const RUNNING = ids.map((workflowId) => ({
    execution: { workflowId },
    taskQueue: 'refunds',
    searchAttributes: {},
  }));

  const says = (lists: readonly (readonly object[])[], key: 'admin' | 'operator' = 'admin') => {
    const ended = { code: -1, out: '' };
    const pages = [...lists];
    const service = {
      getSystemInfo: async () => ({ serverVersion: '1.29.1' }),
      describeTaskQueue: polledBy(Date.parse(LAST_POLL)),
      listWorkflowExecutions: async () => ({ executions: pages.shift() }),
    };
    return withShell(
      {},
      async (shell) => {
        Object.assign(ended, await shell.run(['doctor'], { key }));
      },
      {},
      { temporal: { service } },
    ).then(() => ended);
  };

  /** The workers of Holdpoint are there; that of the agents polled last at this instant. */
  const polledBy =
    (at: number) =>
    async ({ taskQueue: { name } }: { readonly taskQueue: { readonly name: string } }) => ({
      pollers: [{ lastAccessTime: { seconds: (name === 'refunds' ? at : NOW) / 1_000 } }],
    });

  it('names the task queue and some of the workflows, and says what to do', async () => {
    const { code, out } = await says([ASKED, RUNNING]);
    assert.equal(code, EXIT.no);
    assert.match(
      out,
      /^BAD {2}agents +6 workflows of agents on task queue refunds without a worker \(the last one polled 2025-12-31T23:58:00\.000Z\): refund-1, refund-2, refund-3, refund-4, refund-5, …\n +Start the agent's worker for this task queue, /m,
    );
  });

  it('names the version to which a workflow is pinned', async () => {
    const text = (value: string) => ({ data: new TextEncoder().encode(JSON.stringify(value)) });
    const indexedFields = {
      TemporalWorkflowVersioningBehavior: text('Pinned'),
      TemporalWorkerDeploymentVersion: text('agents:1'),
    };
    const pinned = [{ ...RUNNING[0], searchAttributes: { indexedFields } }];
    const { out } = await says([ASKED, pinned]);
    assert.match(
      out,
      /^BAD {2}agents +1 workflow of agents on task queue refunds without a worker of version agents:1: refund-1\n +Start a worker of this version again, /m,
    );
  });

  it('says that each has one', async () => {
    const { out } = await says([[]]);
    assert.match(out, /^ok {3}agents +every workflow that asked has a worker$/m);
  });

  it('does not ask with a key that may not see them', async () => {
    const { out } = await says([], 'operator');
    assert.doesNotMatch(out, /agents/);
  });
});

describe('holdpoint doctor, of approvers in the configuration', () => {
  it('names whom nobody can be, with the path, and says what to do', () => {
    const told =
      'approvals.packs.pay.stages[0]: No key and no entry of the directory lets the group financ answer.';
    const stages = [{ approvers: { groups: ['financ'] } }];
    const config = { approvals: { packs: { pay: { stages } } } };
    const peopleIn = () => knownPeople('default', []);
    const run = async (shell: ShellRig) => {
      const { code, out } = await shell.run(['doctor'], { key: 'admin' });
      assert.equal(code, EXIT.no);
      assert.ok(out.includes(`BAD  approvers ${told}\n`), out);
      assert.match(out, /Correct the name in the configuration/);
    };
    return withShell({}, run, config, { deps: { peopleIn } });
  });
});
