import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import type { IntentStatus } from '../../../contracts/intent/intent.js';
import type { Refusal } from '../../../contracts/kernel/problem.js';
import {
  addDependencyUpdate,
  intentQuery,
  removeDependencyUpdate,
} from '../../../workflows/intent/messages.js';
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
import { perSuite, World } from '../support/world.js';
import { sent } from '../../support/callers.js';

describe('dependencies of an intent', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  const idOf = ({ workflowId }: IntentHandle): string => workflowId.slice('intent-'.length);

  /** An intent that depends on another from its start. */
  const dependent = (on: IntentHandle) => world.openIntent({ depends_on: [idOf(on)] });

  async function statusOf(handle: IntentHandle): Promise<IntentStatus> {
    return (await handle.query(intentQuery)).intent.status;
  }

  async function becomes(handle: IntentHandle, status: IntentStatus): Promise<void> {
    await lookUntil(async () => (await statusOf(handle)) === status, `it is never ${status}`);
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

  it('block it when one suspends, until it has resumed and completed [R26-04, R26-08, R26-09, R26-10]', async () => {
    const upstream = await world.openIntent();
    const handle = await dependent(upstream);
    const view = await world.ask(upstream);
    await becomes(handle, 'blocked');
    await world.respond(view);
    await world.respond(await world.ask(upstream));
    assert.equal(await statusOf(handle), 'blocked');
    await writeStatus(upstream, 'completed');
    await becomes(handle, 'active');
    assert.deepEqual(await moves(handle), [BLOCKED, UNBLOCKED]);
    await writeStatus(handle, 'completed');
  });

  it('do not let it complete before them [R26-07]', async () => {
    const upstream = await world.openIntent();
    const handle = await dependent(upstream);
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
    await world.respond(view);
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
      await world.respond(view);
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
      await world.respond(view);
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
