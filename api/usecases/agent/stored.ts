import type { AgentRecord } from '../../../contracts/agent/agent.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { ERRORS } from '../../../contracts/constants/errors.js';
import { agentStatusAt } from '../../../domain/openintent/agent.js';
import { changeAgent } from '../../../store/queries/agent.js';
import { RefusalError } from '../../errors.js';
import { refused } from '../../parts/refusals.js';
import type { Call } from '../usecase.js';

/** The agent that was found. Throws `agent_not_found`. */
export function known(agent: AgentRecord | undefined): AgentRecord {
  if (agent === undefined) throw refused('agent_not_found', ERRORS.agent_not_found[2]);
  return agent;
}

/** The agent as it is now: one that has not reported for long is not active any more. */
export function shown({ parts: { clock } }: Call, agent: AgentRecord): AgentRecord {
  return { ...agent, status: agentStatusAt(agent, clock.now()) };
}

/** Changes an agent by a rule that sees it as it is stored, and may refuse; one change after the other. Throws `agent_not_found`. */
export async function change(
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
