import type {
  AgentFilter,
  AgentHeartbeat,
  AgentRecord,
  AgentStatus,
  RegisterAgent,
} from '../../../contracts/agent.js';
import type { Caller } from '../caller.js';

/** When a sign of life came, and when the next should. */
export interface AgentBeat {
  readonly at: string;
  readonly next_at: string;
}

/** What the routes may do with the registrations of agents (RFC-0016); `agent_not_found` where there is none. */
export interface AgentGateway {
  registerAgent(caller: Caller, request: RegisterAgent): Promise<AgentRecord>;
  getAgent(agentId: string): Promise<AgentRecord>;
  /** Of at most 1,000, by their names. */
  listAgents(filter: AgentFilter): Promise<readonly AgentRecord[]>;
  beatAgent(agentId: string, beat: AgentHeartbeat): Promise<AgentBeat>;
  setAgentStatus(agentId: string, status: AgentStatus): Promise<AgentRecord>;
}

/** Registrations as the store keeps them; they are rows and nothing else (docs/adr/0025). */
export interface AgentRows {
  findAgent(agentId: string): Promise<AgentRecord | undefined>;
  listAgents(limit: number): Promise<readonly AgentRecord[]>;
  changeAgent(
    agentId: string,
    rule: (before: AgentRecord | undefined) => AgentRecord | undefined,
  ): Promise<AgentRecord | undefined>;
}
