import type { AgentHeartbeat, AgentRecord, AgentStatus } from '../../../contracts/agent/agent.js';
import { ok } from '../../../domain/kernel/ruling.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { nextHeartbeat, recordHeartbeat } from '../../../domain/openintent/agent.js';
import { authorize } from '../../../domain/policy/authorize.js';
import { useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { change } from './stored.js';

/** When a heartbeat came, and when the next is due. */
export interface AgentBeat {
  readonly at: string;
  readonly next_at: string;
}

export const beatAgent = useCase({
  name: 'beatAgent',
  resource: 'agent',
  refusals: ['agent_not_found', 'store_unavailable'],
  async run(call: Call, agentId: string, beat: AgentHeartbeat): Promise<AgentBeat> {
    const at = toInstant(call.parts.clock.now());
    const rule = (agent: AgentRecord) => recordHeartbeat(agent, beat, at);
    const agent = await changeOwn(call, 'beatAgent', agentId, rule);
    return { at, next_at: nextHeartbeat(agent, at) };
  },
});

export const setAgentStatus = useCase({
  name: 'setAgentStatus',
  resource: 'agent',
  refusals: ['agent_not_found', 'store_unavailable'],
  async run(call: Call, agentId: string, status: AgentStatus): Promise<AgentRecord> {
    const rule = (agent: AgentRecord) => ({ ...agent, status, version: agent.version + 1 });
    return changeOwn(call, 'setAgentStatus', agentId, rule);
  },
});

/** Changes an agent that has registered, by whoever registered it. Throws `agent_not_found`, and `forbidden` for any other. */
async function changeOwn(
  call: Call,
  action: 'beatAgent' | 'setAgentStatus',
  agentId: string,
  rule: (agent: AgentRecord) => AgentRecord,
): Promise<AgentRecord> {
  return change(call, agentId, (before) => {
    if (before === undefined) return undefined;
    const allowed = authorize(call.caller, action, { maker: before.registered_by });
    return allowed.ok ? ok(rule(before)) : allowed;
  });
}
