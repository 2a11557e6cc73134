import type {
  AgentFilter,
  AgentHeartbeat,
  AgentRecord,
  AgentStatus,
  RegisterAgent,
} from '../../../contracts/agent.js';
import { ERRORS } from '../../../contracts/constants/errors.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import {
  recordHeartbeat,
  nextHeartbeat,
  registerAgent,
  agentStatusAt,
} from '../../../domain/openintent/agent.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { changeAgent, findAgent, listAgents } from '../../../store/queries/agent.js';
import type { Caller } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import { refused } from '../refusals.js';
import type { FromStore } from '../reads/from-store.js';

/** When a sign of life came, and when the next should. */
export interface AgentBeat {
  readonly at: string;
  readonly next_at: string;
}

/** Registrations of agents: rows of the store, and no workflow (docs/adr/0025). Each throws `agent_not_found`. */
export function createAgents(clock: Pick<Clock, 'now'>, fromStore: FromStore) {
  const shown = (agent: AgentRecord): AgentRecord => ({
    ...agent,
    status: agentStatusAt(agent, clock.now()),
  });

  function known(agent: AgentRecord | undefined): AgentRecord {
    if (agent === undefined) throw refused('agent_not_found', ERRORS.agent_not_found[2]);
    return agent;
  }

  async function change(agentId: string, rule: (agent: AgentRecord) => AgentRecord) {
    const changed = await fromStore(changeAgent, agentId, (before) => before && rule(before));
    return known(changed);
  }

  return {
    async registerAgent({ principal }: Caller, request: RegisterAgent): Promise<AgentRecord> {
      const at = toInstant(clock.now());
      const made = await fromStore(changeAgent, request.agent_id, (before) =>
        registerAgent(request, before, principal, at),
      );
      return known(made);
    },
    async getAgent(agentId: string): Promise<AgentRecord> {
      return shown(known(await fromStore(findAgent, agentId)));
    },
    /** Of at most 1,000, by their names. */
    async listAgents({ status, role_id }: AgentFilter): Promise<readonly AgentRecord[]> {
      const agents = await fromStore(listAgents, LIMITS.pageSize);
      return agents
        .map(shown)
        .filter((agent) => role_id === undefined || agent.role_id === role_id)
        .filter((agent) => status === undefined || agent.status === status);
    },
    async beatAgent(agentId: string, beat: AgentHeartbeat): Promise<AgentBeat> {
      const at = toInstant(clock.now());
      const agent = await change(agentId, (before) => recordHeartbeat(before, beat, at));
      return { at, next_at: nextHeartbeat(agent, at) };
    },
    async setAgentStatus(agentId: string, status: AgentStatus): Promise<AgentRecord> {
      return change(agentId, (agent) => ({ ...agent, status, version: agent.version + 1 }));
    },
  };
}
