import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { IntentStatus } from '../../../contracts/intent/intent.js';
import type { Refusal } from '../../../contracts/kernel/problem.js';
import type { LiveView } from '../../../contracts/suspension/view.js';
import { newIntent } from '../../../domain/intent/entity.js';
import {
  addDependencyUpdate,
  intentQuery,
  removeDependencyUpdate,
  type IntentInput,
} from '../../../workflows/intent/messages.js';
import type { intent as intentWorkflow } from '../../../workflows/intent/workflow.js';
import { respondUpdate } from '../../../workflows/suspension/messages.js';
import {
  everythingOf,
  heard,
  logOf,
  patch,
  refusalOf,
  typesOf,
  versionOf,
  writeStatus,
  type IntentHandle,
} from '../support/intents.js';
import { toldOf } from '../support/observers.js';
import { lookUntil } from '../../support/looks.js';
import { World } from '../support/world.js';
import { sent } from '../../support/callers.js';

describe('dependencies of an intent', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  const idOf = ({ workflowId }: IntentHandle): string => workflowId.slice('intent-'.length);

  /** An intent that depends on others from its start. */
  async function dependent(
    on: readonly IntentHandle[],
    options: { status?: 'draft' | 'active' } & Partial<IntentInput> = {},
  ): Promise<IntentHandle> {
    const { status = 'active', ...input } = options;
    const depends_on = on.map(idOf);
    const request = { title: 'Dependent', status, state: {}, constraints: {}, depends_on };
    const created_at = new Date(await world.now()).toISOString();
    const owner = 'agent-1';
    const intent = newIntent(request, { id: randomUUID(), created_by: owner, owner, created_at });
    return world.client.start<typeof intentWorkflow>('intent', {
      workflowId: workflowIdOf('intent', intent.id),
      taskQueue: world.taskQueue,
      args: [{ intent, ...input }],
    });
  }

  async function statusOf(handle: IntentHandle): Promise<IntentStatus> {
    return (await handle.query(intentQuery)).intent.status;
  }

  async function becomes(handle: IntentHandle, status: IntentStatus): Promise<void> {
    await lookUntil(async () => (await statusOf(handle)) === status, `it is never ${status}`);
  }

  async function answer(view: LiveView): Promise<void> {
    await world.suspension(view.id).executeUpdate(respondUpdate, {
      args: [await world.answer(view)],
    });
  }

  /** Status, with the reason where there is one, of each `status_changed`. */
  async function moves(handle: IntentHandle): Promise<unknown[]> {
    const log = await logOf(world, handle);
    return log.flatMap(({ event_type, payload }) =>
      event_type === 'status_changed' ? [[payload['status'], payload['reason']]] : [],
    );
  }

  const add = async (handle: IntentHandle, on: IntentHandle | string, ifMatch?: number) => {
    const if_match = ifMatch ?? (await versionOf(handle));
    const input = { if_match, dependency_id: typeof on === 'string' ? on : idOf(on) };
    return handle.executeUpdate(addDependencyUpdate, { args: [{ ...sent('agent-1'), ...input }] });
  };

  const edgesOf = (handle: IntentHandle) =>
    world.activities.edges().filter(({ intent_id }) => intent_id === idOf(handle));

  /** Resolves once the store has no edge of the intent. */
  async function takenBack(handle: IntentHandle): Promise<void> {
    await lookUntil(() => Promise.resolve(edgesOf(handle).length === 0), 'edges are left');
  }

  const refusedBy = async (handle: IntentHandle, on: IntentHandle | string): Promise<Refusal> => {
    const ruling = await add(handle, on);
    assert.equal(ruling.ok, false);
    return ruling.refusal;
  };

  const BLOCKED = ['blocked', 'upstream_suspended'];
  const UNBLOCKED = ['active', 'dependencies_completed'];

  it('block it when one suspends, until it has resumed and completed [R26-08, R26-09, R26-10]', async () => {
    const upstream = await world.openIntent();
    const handle = await dependent([upstream]);
    const view = await world.ask(upstream);
    await becomes(handle, 'blocked');
    await answer(view);
    await answer(await world.ask(upstream));
    assert.equal(await statusOf(handle), 'blocked');
    await writeStatus(upstream, 'completed');
    await becomes(handle, 'active');
    assert.deepEqual(await moves(handle), [BLOCKED, UNBLOCKED]);
    await writeStatus(handle, 'completed');
  });

  it('leave only the suspended intent suspended [R26-04, R26-05]', async () => {
    const upstream = await world.openIntent();
    const handle = await dependent([upstream]);
    const view = await world.ask(upstream);
    await becomes(handle, 'blocked');
    assert.equal(await statusOf(upstream), 'suspended_awaiting_input');
    const { intent } = await handle.query(intentQuery);
    assert.deepEqual(intent.state, {});
    await answer(view);
    await writeStatus(handle, 'abandoned');
    await writeStatus(upstream, 'completed');
  });

  it('block what depends on it in turn [AM-35]', async () => {
    const upstream = await world.openIntent();
    const middle = await dependent([upstream]);
    const last = await dependent([middle]);
    const view = await world.ask(upstream);
    await becomes(last, 'blocked');
    await answer(view);
    await writeStatus(upstream, 'completed');
    await becomes(middle, 'active');
    assert.equal(await statusOf(last), 'blocked');
    await writeStatus(middle, 'completed');
    await becomes(last, 'active');
    assert.deepEqual(await moves(last), [BLOCKED, UNBLOCKED]);
    await writeStatus(last, 'completed');
  });

  it('unblock it only when every one is completed [R26-11]', async () => {
    const [first, second] = [await world.openIntent(), await world.openIntent()];
    const handle = await dependent([first, second]);
    const view = await world.ask(first);
    await becomes(handle, 'blocked');
    await answer(view);
    await writeStatus(first, 'completed');
    await toldOf(handle, idOf(first), 'completed');
    const incomplete = await refusalOf(writeStatus(handle, 'active'));
    assert.equal(incomplete.code, 'dependencies_incomplete');
    assert.deepEqual(incomplete.state?.['incomplete'], [idOf(second)]);
    await writeStatus(second, 'completed');
    await becomes(handle, 'active');
    await writeStatus(handle, 'completed');
  });

  it('do not let it complete before them [R26-07]', async () => {
    const upstream = await world.openIntent();
    const handle = await dependent([upstream]);
    await toldOf(handle, idOf(upstream), 'active');
    const before = await everythingOf(world, handle);
    assert.equal(
      (await refusalOf(writeStatus(handle, 'completed'))).code,
      'dependencies_incomplete',
    );
    assert.deepEqual(await everythingOf(world, handle), before);
    await writeStatus(upstream, 'completed');
    await toldOf(handle, idOf(upstream), 'completed');
    await writeStatus(handle, 'completed');
  });

  it('leave it suspended, and block it on its own resume [AM-35]', async () => {
    const upstream = await world.openIntent();
    const handle = await dependent([upstream]);
    const own = await world.ask(handle);
    const theirs = await world.ask(upstream);
    await answer(theirs);
    assert.equal(await statusOf(handle), 'suspended_awaiting_input');
    await answer(own);
    await becomes(handle, 'blocked');
    await writeStatus(upstream, 'completed');
    await becomes(handle, 'active');
    assert.deepEqual(typesOf(await logOf(world, handle)), [
      'intent_created',
      'intent.suspended',
      'intent.resumed',
      'status_changed',
      'status_changed',
    ]);
    await writeStatus(handle, 'completed');
  });

  it('do not block it on its own resume once they are completed [AM-35]', async () => {
    const upstream = await world.openIntent();
    const handle = await dependent([upstream]);
    const own = await world.ask(handle);
    await answer(await world.ask(upstream));
    await writeStatus(upstream, 'completed');
    await upstream.result();
    await answer(own);
    await heard(handle);
    assert.equal(await statusOf(handle), 'active');
    await writeStatus(handle, 'completed');
  });

  it('leave a draft alone until it is active [AM-35]', async () => {
    const upstream = await world.openIntent();
    const handle = await dependent([upstream], { status: 'draft' });
    const view = await world.ask(upstream);
    assert.equal(await statusOf(handle), 'draft');
    await writeStatus(handle, 'active');
    await becomes(handle, 'blocked');
    await answer(view);
    await writeStatus(handle, 'abandoned');
    await writeStatus(upstream, 'completed');
  });

  it('say once that one was abandoned, and keep it blocked [AM-35]', async () => {
    const upstream = await world.openIntent();
    const handle = await dependent([upstream]);
    await world.ask(upstream);
    await becomes(handle, 'blocked');
    await writeStatus(upstream, 'abandoned', { reason: 'obsolete' });
    await upstream.result();
    const log = await logOf(world, handle);
    const said = log.filter(({ event_type }) => event_type === 'dependency_unsatisfiable');
    assert.deepEqual(
      said.map(({ payload }) => payload),
      [{ dependency_id: idOf(upstream), reason: 'obsolete' }],
    );
    assert.equal(await statusOf(handle), 'blocked');
    await writeStatus(handle, 'abandoned');
  });

  it('are added and removed while it lives', async () => {
    const upstream = await world.openIntent();
    const handle = await world.openIntent();
    const view = await world.ask(upstream);
    const added = await add(handle, upstream);
    assert.equal(added.ok, true);
    assert.deepEqual(added.value.intent?.depends_on, [idOf(upstream)]);
    await becomes(handle, 'blocked');
    assert.equal(edgesOf(handle).length, 1);
    const input = { ...sent('agent-1'), dependency_id: idOf(upstream) };
    const if_match = await versionOf(handle);
    await handle.executeUpdate(removeDependencyUpdate, { args: [{ ...input, if_match }] });
    assert.equal(await statusOf(handle), 'active');
    assert.deepEqual(typesOf(await logOf(world, handle)).slice(1), [
      'dependency_added',
      'status_changed',
      'dependency_removed',
      'status_changed',
    ]);
    await takenBack(handle);
    await answer(view);
    for (const one of [handle, upstream]) await writeStatus(one, 'completed');
  });

  it('are refused without a change where they cannot be', async () => {
    const [a, b] = [await world.openIntent(), await world.openIntent()];
    await add(a, b);
    const before = await everythingOf(world, b);
    const cycle = await refusedBy(b, a);
    assert.equal(cycle.code, 'dependency_cycle');
    assert.deepEqual(cycle.state?.['path'], [idOf(b), idOf(a), idOf(b)]);
    const refusals = [
      await refusalOf(add(a, a)),
      await refusalOf(add(a, b)),
      await refusalOf(add(a, randomUUID(), 1)),
    ];
    assert.deepEqual(
      refusals.map(({ code }) => code),
      ['dependency_cycle', 'dependency_exists', 'version_conflict'],
    );
    const input = { ...sent('agent-1'), if_match: await versionOf(b), dependency_id: idOf(a) };
    const removal = b.executeUpdate(removeDependencyUpdate, { args: [input] });
    assert.equal((await refusalOf(removal)).code, 'dependency_not_found');
    const { log, snapshot } = before as { log: unknown; snapshot: unknown };
    const now = (await everythingOf(world, b)) as { log: unknown; snapshot: unknown };
    assert.deepEqual([now.log, now.snapshot], [log, snapshot]);
    for (const one of [b, a]) await writeStatus(one, 'abandoned');
  });

  it('may complete before the edge is there [TM-07]', async () => {
    const upstream = await world.openIntent();
    await writeStatus(upstream, 'completed');
    await upstream.result();
    const handle = await world.openIntent();
    await add(handle, upstream);
    const complete = () => writeStatus(handle, 'completed').catch(() => undefined);
    await lookUntil(complete, 'the end is never known');
  });

  describe('while an edge is being added', () => {
    /** Holds the store until the function is called that it returns. */
    function heldStore(): { release: () => void; reached: Promise<void> } {
      let release = (): void => undefined;
      const free = new Promise<void>((resolve) => {
        release = resolve;
      });
      let arrive = (): void => undefined;
      const reached = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      world.activities.beforeLink = () => {
        arrive();
        return free;
      };
      return {
        reached,
        release: () => {
          world.activities.beforeLink = () => Promise.resolve();
          release();
        },
      };
    }

    it('the upstream may suspend before it is there', async () => {
      const [upstream, handle] = [await world.openIntent(), await world.openIntent()];
      const store = heldStore();
      const adding = add(handle, upstream);
      await store.reached;
      const view = await world.ask(upstream);
      store.release();
      assert.equal((await adding).ok, true);
      await becomes(handle, 'blocked');
      await answer(view);
      await writeStatus(upstream, 'completed');
      await becomes(handle, 'active');
      await writeStatus(handle, 'completed');
    });

    it('the upstream may resume before it is there', async () => {
      const [upstream, handle] = [await world.openIntent(), await world.openIntent()];
      const view = await world.ask(upstream);
      const store = heldStore();
      const adding = add(handle, upstream);
      await store.reached;
      await answer(view);
      await heard(upstream);
      store.release();
      assert.equal((await adding).ok, true);
      assert.equal(await statusOf(handle), 'active');
      await writeStatus(upstream, 'completed');
      await upstream.result();
      await writeStatus(handle, 'completed');
    });

    it('another write goes first, and the edge is taken back', async () => {
      const [upstream, handle] = [await world.openIntent(), await world.openIntent()];
      const store = heldStore();
      const adding = add(handle, upstream, 1);
      await store.reached;
      await patch(handle, [{ op: 'set', path: 'a', value: 1 }], 1);
      store.release();
      const ruling = await adding;
      assert.equal(ruling.ok, false);
      assert.equal(ruling.refusal.code, 'version_conflict');
      assert.deepEqual(typesOf(await logOf(world, handle)), ['intent_created', 'state_patched']);
      await takenBack(handle);
      for (const one of [handle, upstream]) await writeStatus(one, 'completed');
    });

    it('two of one intent are added in turn', async () => {
      const handle = await world.openIntent();
      const [a, b] = [await world.openIntent(), await world.openIntent()];
      const store = heldStore();
      const both = [add(handle, a, 1), add(handle, b, 1)];
      await store.reached;
      store.release();
      const rulings = await Promise.all(both);
      assert.equal(rulings.filter(({ ok }) => ok).length, 1);
      await lookUntil(() => Promise.resolve(edgesOf(handle).length <= 1), 'two edges are left');
      assert.equal(edgesOf(handle).length, 1);
      for (const one of [handle, a, b]) await writeStatus(one, 'abandoned');
    });
  });
});
