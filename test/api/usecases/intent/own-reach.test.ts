import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { engage } from '../../../../api/usecases/intent/write.js';
import { claimTask } from '../../../../api/usecases/task/tasks.js';
import type { AccessList } from '../../../../contracts/intent/access.js';
import { EXAMPLES } from '../../../support/examples.js';
import { fakeParts } from '../../support/parts.js';
import { INTENT_ID, callerOf, intentOf, refusalFrom } from '../../support/fakes.js';

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
  const intent = intentOf({ owner: 'agent-1', ...(access && { access }) });
  const task = { ...EXAMPLES.task, intent_id: INTENT_ID, assigned_agent: assigned_agent ?? null };
  const { parts, calls } = fakeParts({
    config: { authorization: { agents_read } },
    answers: {
      engagement: () => ({}),
      claimTask: () => ({ version: 2, task, waits_for: null }),
      intent: () => ({ intent, last_sequence: 1 }),
      task: () => task,
    },
    store: { asksOpenQuestion: async () => asks },
  });
  const sent = () => calls.filter(({ updateId }) => updateId !== undefined).length;
  return {
    ...parts.access,
    ...parts.ownReach,
    calls,
    sent,
    engage: (by = OTHER) => engage.run({ caller: by, parts }, INTENT_ID, SIGNALS),
    claim: (by = OTHER) => claimTask.run({ caller: by, parts }, task.id, { wait: false }),
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
