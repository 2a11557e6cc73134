import type { AgentFilter, AgentRecord } from '../../../contracts/agent/agent.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { findAgent, listAgents as storedAgents } from '../../../store/queries/agent.js';
import { useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { known, shown } from './stored.js';

export const getAgent = useCase({
  name: 'getAgent',
  resource: 'agent',
  refusals: ['agent_not_found', 'store_unavailable'],
  async run(call: Call, agentId: string): Promise<AgentRecord> {
    return shown(call, known(await call.parts.fromStore(findAgent, agentId)));
  },
});

/** At most 1,000, ordered by name; of them those that the filter lets through. */
export const listAgents = useCase({
  name: 'listAgents',
  resource: 'agent',
  refusals: ['store_unavailable'],
  async run(call: Call, { status, role_id }: AgentFilter): Promise<readonly AgentRecord[]> {
    const { rows } = await call.parts.fromStore(storedAgents, LIMITS.pageSize);
    return rows
      .map((agent) => shown(call, agent))
      .filter((agent) => role_id === undefined || agent.role_id === role_id)
      .filter((agent) => status === undefined || agent.status === status);
  },
});
