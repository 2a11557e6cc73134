import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AgentRecord } from '../../contracts/agent/agent.js';
import { changeAgent, findAgent, listAgents } from '../../store/queries/people/principal.js';
import { useStore } from '../support/store.js';

describe('the agents in the store', () => {
  const store = useStore();

  const agentOf = (agent_id: string): AgentRecord => ({
    agent_id,
    role_id: null,
    name: 'a\u0000b',
    capabilities: [],
    capacity: null,
    endpoint: null,
    heartbeat_config: null,
    metadata: {},
    drain_timeout_seconds: null,
    status: 'active',
    current_load: 0,
    tasks_in_progress: [],
    registered_by: 'agent-1',
    registered_at: '2026-11-20T10:00:00.000Z',
    last_heartbeat_at: null,
    version: 1,
  });

  it('are written one change after the other', async () => {
    const id = `agent ${randomUUID()}`;
    const write = () =>
      changeAgent(store.db, id, (before) =>
        before ? { ...before, version: before.version + 1 } : agentOf(id),
      );
    await write();
    await Promise.all(Array.from({ length: 8 }, write));
    assert.deepEqual(await findAgent(store.db, id), { ...agentOf(id), version: 9 });
    assert.ok((await listAgents(store.db, 1_000)).rows.some(({ agent_id }) => agent_id === id));
  });

  it('are not written where the rule makes nothing', async () => {
    const id = randomUUID();
    assert.equal(await changeAgent(store.db, id, () => undefined), undefined);
    assert.equal(await findAgent(store.db, id), undefined);
  });
});
