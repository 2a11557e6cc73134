import type { AgentRecord } from '../../../contracts/agent.js';
import { ERRORS } from '../../../contracts/constants/errors.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import {
  recordHeartbeat,
  nextHeartbeat,
  registerAgent,
  agentStatusAt,
} from '../../../domain/openintent/agent.js';
import { toInstant } from '../../../domain/kernel/time.js';
import type { AgentGateway } from './types.js';
import type { Clock } from '../calls/deadline.js';
import { refused } from '../refusals.js';
import type { FromStore } from '../reads/store-reads.js';

/** Registrations of agents: rows of the store, and no workflow (docs/adr/0025). */
export function createAgents(clock: Pick<Clock, 'now'>, fromStore: FromStore): AgentGateway {
  const shown = (agent: AgentRecord): AgentRecord => ({
    ...agent,
    status: agentStatusAt(agent, clock.now()),
  });

  function known(agent: AgentRecord | undefined): AgentRecord {
    if (agent === undefined) throw refused('agent_not_found', ERRORS.agent_not_found[2]);
    return agent;
  }

  async function change(agentId: string, rule: (agent: AgentRecord) => AgentRecord) {
    const changed = await fromStore((store) =>
      store.changeAgent(agentId, (before) => before && rule(before)),
    );
    return known(changed);
  }

  return {
    async registerAgent({ principal }, request) {
      const at = toInstant(clock.now());
      const made = await fromStore((store) =>
        store.changeAgent(request.agent_id, (before) =>
          registerAgent(request, before, principal, at),
        ),
      );
      return known(made);
    },
    async getAgent(agentId) {
      return shown(known(await fromStore((store) => store.findAgent(agentId))));
    },
    async listAgents({ status, role_id }) {
      const agents = await fromStore((store) => store.listAgents(LIMITS.pageSize));
      return agents
        .map(shown)
        .filter((agent) => role_id === undefined || agent.role_id === role_id)
        .filter((agent) => status === undefined || agent.status === status);
    },
    async beatAgent(agentId, beat) {
      const at = toInstant(clock.now());
      const agent = await change(agentId, (before) => recordHeartbeat(before, beat, at));
      return { at, next_at: nextHeartbeat(agent, at) };
    },
    async setAgentStatus(agentId, status) {
      return change(agentId, (agent) => ({ ...agent, status, version: agent.version + 1 }));
    },
  };
}
