import type {
  AgentFilter,
  AgentHeartbeat,
  AgentRecord,
  AgentStatus,
  RegisterAgent,
} from '../../../contracts/agent/agent.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { ERRORS } from '../../../contracts/constants/errors.js';
import {
  agentStatusAt,
  nextHeartbeat,
  recordHeartbeat,
  registerAgent as registered,
} from '../../../domain/openintent/agent.js';
import {
  changeAgent,
  findAgent,
  listAgents as storedAgents,
} from '../../../store/queries/people/principal.js';
import { RefusalError } from '../../errors.js';
import { refused } from '../../parts/refusals.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { useCase, type Call } from '../usecase.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { ok } from '../../../domain/kernel/ruling.js';
import { authorize } from '../../../domain/policy/authorize.js';

/** Returns the agent. Throws `agent_not_found` for undefined. */
function known(agent: AgentRecord | undefined): AgentRecord {
  if (agent === undefined) throw refused('agent_not_found', ERRORS.agent_not_found[2]);
  return agent;
}

/** Returns the agent as it is now: one that has not reported for long is no longer active. */
function shown({ parts: { clock } }: Call, agent: AgentRecord): AgentRecord {
  return { ...agent, status: agentStatusAt(agent, clock.now()) };
}

/**
 * Changes an agent by a rule that sees the stored one, and may refuse; changes run one by one. Throws
 * `agent_not_found`.
 */
async function change(
  { caller, parts: { fromStore } }: Call,
  agentId: string,
  rule: (before: AgentRecord | undefined) => Ruling<AgentRecord> | undefined,
): Promise<AgentRecord> {
  let ruling: Ruling<AgentRecord> | undefined;
  const take = (before: AgentRecord | undefined) => {
    ruling = rule(before);
    return ruling?.ok === true ? ruling.value : undefined;
  };
  await fromStore(changeAgent, agentId, take, caller.space);
  if (ruling?.ok === false) throw new RefusalError(ruling.refusal);
  return known(ruling?.value);
}

export const getAgent = useCase({
  name: 'getAgent',
  resource: 'agent',
  refusals: ['agent_not_found', 'store_unavailable'],
  async run(call: Call, agentId: string): Promise<AgentRecord> {
    return shown(call, known(await call.parts.fromStore(findAgent, agentId)));
  },
});

/** Lists at most 1,000 agents, ordered by name; the filter is applied to these. */
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

/** Registers an agent, a row of the store and no workflow (docs/adr/0025): no agent needs it to work. */
export const registerAgent = useCase({
  name: 'registerAgent',
  resource: 'agent',
  refusals: ['store_unavailable'],
  async run(call: Call, request: RegisterAgent): Promise<AgentRecord> {
    const at = toInstant(call.parts.clock.now());
    const rule = (before: AgentRecord | undefined) => registered(request, before, call.caller, at);
    return change(call, request.agent_id, rule);
  },
});

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

/** Changes an agent, for the principal that registered it. Throws `agent_not_found`, and `forbidden` for any other. */
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
