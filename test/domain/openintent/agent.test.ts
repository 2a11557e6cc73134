import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  recordHeartbeat,
  nextHeartbeat,
  registerAgent,
  agentStatusAt,
} from '../../../domain/openintent/agent.js';
import type { RegisterAgent } from '../../../contracts/agent/agent.js';
import { granted, refused } from '../samples.js';
import { caller } from '../../support/callers.js';

const AT = '2026-11-20T10:00:00.000Z';
const MS = Date.parse(AT);
const REQUEST: RegisterAgent = {
  agent_id: 'helper',
  role_id: null,
  name: null,
  capabilities: [],
  capacity: null,
  endpoint: null,
  metadata: {},
  drain_timeout_seconds: null,
  heartbeat_config: { interval_seconds: 10, unhealthy_after_seconds: 30, dead_after_seconds: 60 },
};
const BEAT = { status: 'active', current_load: 2, tasks_in_progress: ['t'] } as const;
const register = () => granted(registerAgent(REQUEST, undefined, caller('agent-1'), AT));

describe('the registration of an agent', () => {
  it('makes an active agent without work that has not yet sent a heartbeat', () => {
    assert.deepEqual(register(), {
      ...REQUEST,
      status: 'active',
      current_load: 0,
      tasks_in_progress: [],
      registered_by: 'agent-1',
      registered_at: AT,
      last_heartbeat_at: null,
      version: 1,
    });
  });

  it('is the same one when it comes again, one version on', () => {
    const beaten = recordHeartbeat(register(), BEAT, AT);
    const later = '2026-11-21T10:00:00Z';
    for (const by of [caller('agent-1'), caller('root', 'admin')]) {
      const again = granted(registerAgent({ ...REQUEST, name: 'H' }, beaten, by, later));
      assert.deepEqual(again, { ...beaten, name: 'H', version: 2 });
    }
    const other = registerAgent(REQUEST, beaten, caller('agent-2'), later);
    assert.equal(refused(other).code, 'forbidden');
  });

  it('tells of silence as long as the agent said', () => {
    const beaten = recordHeartbeat(register(), BEAT, AT);
    const after = (seconds: number) => agentStatusAt(beaten, MS + seconds * 1_000);
    assert.deepEqual([30, 31, 60, 61].map(after), ['active', 'unhealthy', 'unhealthy', 'dead']);
    assert.equal(nextHeartbeat(beaten, AT), '2026-11-20T10:00:10.000Z');
  });

  it('misses no agent that gave no sign, no time, or another status', () => {
    const late = MS + 1_000_000;
    const helper = register();
    const draining = recordHeartbeat(helper, { ...BEAT, status: 'draining' }, AT);
    const untimed = recordHeartbeat({ ...helper, heartbeat_config: null }, BEAT, AT);
    const told = [helper, draining, untimed].map((agent) => agentStatusAt(agent, late));
    assert.deepEqual(told, ['active', 'draining', 'active']);
    assert.equal(nextHeartbeat(untimed, AT), '2026-11-20T10:00:30.000Z');
  });
});
