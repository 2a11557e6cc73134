import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import type { Caller } from '../../../contracts/people/caller.js';
import { SERVER } from '../../../contracts/constants/callers.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import {
  acquireLeaseUpdate,
  appendEventUpdate,
  engagementUpdate,
  patchStateUpdate,
  suspendUpdate,
} from '../../../workflows/intent/messages.js';
import { caller } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import {
  CLOSED,
  accessEntry,
  changeAccess,
  insist,
  leasesOf,
  logOf,
  refusalOf,
  snapshotOf,
  typesOf,
  versionOf,
  writeStatus,
  type IntentHandle,
} from '../support/intents.js';
import { perSuite, World } from '../support/world.js';

const OWNER = caller('agent-1');
const OTHER = caller('agent-2');
const DRAFT = { question: 'Go?', response_type: 'text', context: {}, fallback_policy: 'fail' };

describe('the access list of an intent', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  const patch = async (handle: IntentHandle, by: Caller, governance?: object | null) =>
    handle.executeUpdate(patchStateUpdate, {
      args: [
        {
          by,
          actor: 'agent-1',
          if_match: await versionOf(handle),
          patches: [{ op: 'set', path: 'a', value: 1 }],
          ...(governance !== undefined && { governance: governance as never }),
        },
      ],
    });
  const acquire = (handle: IntentHandle, by: Caller) =>
    handle.executeUpdate(acquireLeaseUpdate, {
      args: [{ by, actor: by.principal, scope: by.principal, duration_seconds: 600 }],
    });
  const post = (handle: IntentHandle, by: Caller) =>
    handle.executeUpdate(appendEventUpdate, {
      args: [{ by, actor: 'x', event_type: 'comment', payload: {}, posted: true }],
    });
  const codeOf = async (update: Promise<unknown>) => (await refusalOf(update)).code;

  it('is changed by its owner or an admin, and by nobody else', async () => {
    const handle = await world.openIntent();
    const everybody = accessEntry('agent-2', 'admin');
    await changeAccess(handle, { grant: everybody });
    for (const by of [OTHER, caller('alice', 'operator'), caller('carol', 'auditor')]) {
      assert.equal(await codeOf(changeAccess(handle, CLOSED, by)), 'forbidden');
      assert.equal(await codeOf(changeAccess(handle, { revoke: everybody.id }, by)), 'forbidden');
    }
    await changeAccess(handle, CLOSED, caller('root', 'admin'));
    const { intent } = await snapshotOf(handle);
    assert.deepEqual([intent.access, intent.version], [CLOSED.set, 1]);
    assert.equal(await codeOf(changeAccess(handle, { revoke: everybody.id })), 'not_found');
    const log = await logOf(world, handle);
    assert.deepEqual(typesOf(log), ['intent_created', 'access_granted', 'access_policy_set']);
    assert.deepEqual(log[1]?.payload, { entry: everybody });
  });

  it('keeps agents that it does not name from every write, and no person', async () => {
    const handle = await world.openIntent();
    await changeAccess(handle, CLOSED);
    const question = { by: OTHER, actor: 'agent-1', draft: DRAFT } as never;
    const signals = { confidence: 1, risk: 0, reversibility: 1 };
    const decide = { by: OTHER, actor: 'agent-1', signals };
    for (const write of [
      () => patch(handle, OTHER),
      () => acquire(handle, OTHER),
      () => post(handle, OTHER),
      () => writeStatus(handle, 'blocked', { by: OTHER }),
      () => handle.executeUpdate(suspendUpdate, { args: [question] }),
      () => handle.executeUpdate(engagementUpdate, { args: [decide] }),
    ]) {
      assert.equal(await codeOf(write()), 'forbidden');
    }
    await patch(handle, OWNER);
    await patch(handle, caller('root', 'admin'));
    assert.equal((await snapshotOf(handle)).intent.version, 3);
  });

  it('takes the leases of those whom it no longer lets write', async () => {
    const handle = await world.openIntent();
    const write = accessEntry('agent-2', 'write');
    await changeAccess(handle, { set: { default_policy: 'closed', entries: [write] } });
    const lease = await acquire(handle, OTHER);
    await acquire(handle, OWNER);
    await changeAccess(handle, { revoke: write.id });
    const holders = (await leasesOf(handle)).map(({ holder }) => holder);
    assert.deepEqual(holders, ['agent-1']);
    const released = (await logOf(world, handle)).at(-1);
    assert.deepEqual(
      [released?.event_type, released?.payload['reason'], released?.payload['lease_id']],
      ['lease_released', 'access_revoked', lease.id],
    );
  });

  it('is carried into the next run', async () => {
    const handle = await world.openIntent({ history_limit: 1 });
    const first = (await handle.describe()).runId;
    await insist(() => changeAccess(handle, CLOSED));
    const latest = world.client.getHandle(handle.workflowId) as unknown as IntentHandle;
    await lookUntil(async () => (await latest.describe()).runId !== first, 'it does not go on');
    assert.deepEqual((await snapshotOf(latest)).intent.access, CLOSED.set);
  });

  for (const first of ['write', 'list'] as const) {
    it(`judges a write when it arrives: the ${first} was first`, async () => {
      const handle = await world.openIntent();
      const if_match = await versionOf(handle);
      const patches = [{ op: 'set', path: 'a', value: 1 }] as const;
      const input = { by: OTHER, actor: 'x', if_match, patches };
      const sends = {
        write: () => handle.executeUpdate(patchStateUpdate, { args: [input] }),
        list: () => changeAccess(handle, CLOSED),
      };
      const isFirst = first === 'write';
      const order = isFirst ? (['write', 'list'] as const) : (['list', 'write'] as const);
      const sentTogether = order.map((next): Promise<unknown> => sends[next]());
      const outcomes = (await Promise.allSettled(sentTogether)).map(({ status }) => status);
      assert.deepEqual(outcomes, ['fulfilled', isFirst ? 'fulfilled' : 'rejected']);
      assert.equal((await snapshotOf(handle)).intent.version, isFirst ? 2 : 1);
    });
  }

  describe('and its governance policy', () => {
    it('counts a grant by the approval that the request names', async () => {
      const handle = await world.openIntent();
      await patch(handle, OWNER, { completion_mode: 'require_approval' });
      const approval_id = randomUUID();
      const note = (event_type: string, payload: JsonObject) =>
        handle.executeUpdate(appendEventUpdate, {
          args: [{ by: SERVER, actor: 'x', key: randomUUID(), event_type, payload }],
        });
      const complete = () => writeStatus(handle, 'completed', { by: OWNER });
      const { id } = await note('approval_requested', { approval_id, action: 'complete' });
      await note('governance.approval_granted', { approval_id: id });
      assert.equal(await codeOf(complete()), 'governance_violation');
      await note('governance.approval_granted', { approval_id });
      await complete();
      await handle.result();
    });
  });
});
