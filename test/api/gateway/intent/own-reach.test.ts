import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createTemporal } from '../../../../api/gateway/calls/temporal.js';
import { createAccess, createOwnReach } from '../../../../api/gateway/intent/access.js';
import { createReads } from '../../../../api/gateway/intent/reads.js';
import { createEventWrites, createIntentWriter } from '../../../../api/gateway/intent/writes.js';
import { createTaskWrites } from '../../../../api/gateway/plan/tasks.js';
import { createFromStore } from '../../../../api/gateway/reads/from-store.js';
import type { AccessList } from '../../../../contracts/access.js';
import { serverConfigSchema } from '../../../../contracts/config.js';
import { EXAMPLES } from '../../../support/examples.js';
import {
  INTENT_ID,
  ManualClock,
  callerOf,
  fakeClient,
  fakeStore,
  intentOf,
  refusalFrom,
  silent,
} from '../support.js';
import type { FakeCall } from '../support.js';

const OWNER = callerOf('agent-1');
const OTHER = callerOf('agent-2');
const SIGNALS = { confidence: 1, risk: 0, reversibility: 1, context: {} };

interface World {
  readonly agents_read?: 'all' | 'own';
  readonly access?: AccessList;
  readonly asks?: boolean;
  readonly assigned_agent?: string;
}

function entryFor(permission: 'read' | 'write' | 'admin'): AccessList {
  const entry = { id: INTENT_ID, principal_id: 'agent-2', principal_type: 'agent', permission };
  const rest = { granted_by: 'agent-1', granted_at: '2026-01-01T00:00:00.000Z' };
  const entries = [{ ...entry, ...rest, expires_at: null, reason: null }];
  return { default_policy: 'closed', entries };
}

/** An intent of the first agent, with a task, and what was sent to workflows. */
function bench({ agents_read = 'own', access, asks = false, assigned_agent }: World = {}) {
  const clock = new ManualClock();
  const intent = intentOf({ owner: 'agent-1', ...(access && { access }) });
  const task = { ...EXAMPLES.task, intent_id: INTENT_ID, assigned_agent: assigned_agent ?? null };
  const { client, calls } = fakeClient({
    update: ({ name }: FakeCall) => (name === 'engagement' ? {} : { version: 2, task }),
    query: () => ({ intent, last_sequence: 1 }),
  });
  const temporal = createTemporal(client, clock);
  const store = fakeStore({ asksOpenQuestion: async () => asks });
  const fromStore = createFromStore(store, clock, silent);
  const reads = createReads(temporal, fromStore, clock);
  const config = serverConfigSchema.parse({ authorization: { agents_read } });
  const judges = createAccess({ config, clock, reads, fromStore });
  const ownReach = createOwnReach({ config, reads }, judges);
  const write = createIntentWriter(temporal, reads, ownReach.demandOwn);
  const planReads = {
    tasks: { touch: () => undefined },
    methods: { getTask: async () => ({ value: task, stale: false }) },
  } as never;
  const tasks = createTaskWrites({ temporal, clock, planReads, ownReach });
  const events = createEventWrites(write, { touch: () => undefined });
  const sent = () => calls.filter(({ updateId }) => updateId !== undefined).length;
  return {
    ...judges,
    ...ownReach,
    calls,
    sent,
    engage: (by = OTHER) => events.engage(by, INTENT_ID, SIGNALS),
    claim: (by = OTHER) => tasks.claimTask(by, task.id, { wait: false }),
  };
}

describe('what an agent that reads only its own may write', () => {
  it('is no intent that it may not read, and nothing is sent', async () => {
    const { engage, sent } = bench();
    const both = callerOf('agent-2', 'agent', 'user');
    for (const by of [OTHER, both]) {
      assert.equal((await refusalFrom(engage(by))).code, 'forbidden');
    }
    assert.equal(sent(), 0);
    await engage(OWNER);
    assert.equal(sent(), 1);
  });

  it('is left to the intent where it may read that', async () => {
    const named = bench({ access: entryFor('read') });
    await named.engage();
    const asking = bench({ asks: true });
    await asking.engage();
    assert.deepEqual([named.sent(), asking.sent()], [1, 1]);
  });

  it('is not looked at for whom nothing narrows, nor where agents read all', async () => {
    const people = bench();
    await people.engage(callerOf('root', 'admin'));
    const all = bench({ agents_read: 'all' });
    await all.engage();
    assert.deepEqual([people.calls.length, all.calls.length], [1, 1]);
  });

  it('names no intent that it may not read', async () => {
    const { readNamed } = bench();
    assert.equal((await refusalFrom(readNamed(OTHER, INTENT_ID))).code, 'forbidden');
    assert.equal((await readNamed(OWNER, INTENT_ID)).value.id, INTENT_ID);
    assert.equal((await readNamed(callerOf('alice', 'operator'), INTENT_ID)).value.id, INTENT_ID);
  });

  it('is a task that it has, or whose intent it may read', async () => {
    const others = bench();
    assert.equal((await refusalFrom(others.claim())).code, 'forbidden');
    assert.equal(others.sent(), 0);
    const own = bench({ assigned_agent: 'agent-2' });
    await own.claim();
    const named = bench({ access: entryFor('write') });
    await named.claim();
    assert.deepEqual([own.sent(), named.sent()], [1, 1]);
  });
});

describe('who asks the open question of an intent', () => {
  it('reads and writes what belongs to it, and administers nothing', async () => {
    const { demandAccess } = bench({ agents_read: 'all', access: entryFor('read'), asks: true });
    for (const action of ['getIntent', 'createTask', 'openApproval'] as const) {
      await demandAccess(OTHER, action, INTENT_ID);
    }
    const administers = demandAccess(OTHER, 'createCoordinator', INTENT_ID);
    assert.equal((await refusalFrom(administers)).code, 'forbidden');
  });
});
