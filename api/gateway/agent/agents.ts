import type {
  AgentFilter,
  AgentHeartbeat,
  AgentRecord,
  AgentStatus,
  RegisterAgent,
} from '../../../contracts/agent.js';
import type { Ruling } from '../../../contracts/problem.js';
import { ERRORS } from '../../../contracts/constants/errors.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import {
  recordHeartbeat,
  nextHeartbeat,
  registerAgent,
  agentStatusAt,
} from '../../../domain/openintent/agent.js';
import { ok } from '../../../domain/kernel/ruling.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { authorize } from '../../../domain/policy/authorize.js';
import { changeAgent, findAgent, listAgents } from '../../../store/queries/agent.js';
import { RefusalError } from '../../errors.js';
import type { Caller } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import { refused } from '../refusals.js';
import type { FromStore } from '../reads/from-store.js';

/** When a heartbeat came, and when the next is due. */
export interface AgentBeat {
  readonly at: string;
  readonly next_at: string;
}

function known(agent: AgentRecord | undefined): AgentRecord {
  if (agent === undefined) throw refused('agent_not_found', ERRORS.agent_not_found[2]);
  return agent;
}

/** Changes of agents as they are stored, one after the other. */
function createAgentChanges(fromStore: FromStore) {
  /** Changes an agent by a rule that sees it as it is stored, and may refuse. */
  async function change(
    { space }: Caller,
    agentId: string,
    rule: (before: AgentRecord | undefined) => Ruling<AgentRecord> | undefined,
  ): Promise<AgentRecord> {
    let ruling: Ruling<AgentRecord> | undefined;
    const take = (before: AgentRecord | undefined) => {
      ruling = rule(before);
      return ruling?.ok === true ? ruling.value : undefined;
    };
    await fromStore(changeAgent, agentId, take, space);
    if (ruling?.ok === false) throw new RefusalError(ruling.refusal);
    return known(ruling?.value);
  }

  /** The same of an agent that has registered, by whoever registered it. */
  async function changeOwn(
    by: Caller,
    action: 'beatAgent' | 'setAgentStatus',
    agentId: string,
    rule: (agent: AgentRecord) => AgentRecord,
  ): Promise<AgentRecord> {
    return change(by, agentId, (before) => {
      if (before === undefined) return undefined;
      const allowed = authorize(by, action, { maker: before.registered_by });
      return allowed.ok ? ok(rule(before)) : allowed;
    });
  }

  return { change, changeOwn };
}

/**
 * Registrations of agents: rows of the store, and no workflow (docs/adr/0025). Each throws `agent_not_found`, and a change of another's agent
 * `forbidden`.
 */
export function createAgents(clock: Pick<Clock, 'now'>, fromStore: FromStore) {
  const shown = (agent: AgentRecord): AgentRecord => ({
    ...agent,
    status: agentStatusAt(agent, clock.now()),
  });

  const { change, changeOwn } = createAgentChanges(fromStore);

  return {
    async registerAgent(caller: Caller, request: RegisterAgent): Promise<AgentRecord> {
      const at = toInstant(clock.now());
      return change(caller, request.agent_id, (before) =>
        registerAgent(request, before, caller, at),
      );
    },
    async getAgent(agentId: string): Promise<AgentRecord> {
      return shown(known(await fromStore(findAgent, agentId)));
    },
    /** At most 1,000, ordered by name; of them those that the filter lets through. */
    async listAgents({ status, role_id }: AgentFilter): Promise<readonly AgentRecord[]> {
      const { rows } = await fromStore(listAgents, LIMITS.pageSize);
      return rows
        .map(shown)
        .filter((agent) => role_id === undefined || agent.role_id === role_id)
        .filter((agent) => status === undefined || agent.status === status);
    },
    async beatAgent(caller: Caller, agentId: string, beat: AgentHeartbeat): Promise<AgentBeat> {
      const at = toInstant(clock.now());
      const beaten = (agent: AgentRecord) => recordHeartbeat(agent, beat, at);
      const agent = await changeOwn(caller, 'beatAgent', agentId, beaten);
      return { at, next_at: nextHeartbeat(agent, at) };
    },
    async setAgentStatus(
      caller: Caller,
      agentId: string,
      status: AgentStatus,
    ): Promise<AgentRecord> {
      return changeOwn(caller, 'setAgentStatus', agentId, (agent) => ({
        ...agent,
        status,
        version: agent.version + 1,
      }));
    },
  };
}
