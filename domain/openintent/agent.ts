import type {
  AgentHeartbeat,
  AgentRecord,
  AgentStatus,
  RegisterAgent,
} from '../../contracts/agent.js';
import { plusSeconds, toMillis } from '../kernel/time.js';

const USUAL_INTERVAL_SECONDS = 30;

/** An agent that registers; again, it is the same one with what it now tells, one version on. */
export function registerAgent(
  request: RegisterAgent,
  before: AgentRecord | undefined,
  by: string,
  at: string,
): AgentRecord {
  return {
    ...request,
    status: 'active',
    current_load: before?.current_load ?? 0,
    tasks_in_progress: before?.tasks_in_progress ?? [],
    registered_by: by,
    registered_at: before?.registered_at ?? at,
    last_heartbeat_at: before?.last_heartbeat_at ?? null,
    version: (before?.version ?? 0) + 1,
  };
}

/** An agent that gave a sign of life. */
export function recordHeartbeat(agent: AgentRecord, beat: AgentHeartbeat, at: string): AgentRecord {
  return { ...agent, ...beat, last_heartbeat_at: at };
}

/** When an agent should give its next sign of life. */
export function nextHeartbeat({ heartbeat_config }: AgentRecord, at: string): string {
  return plusSeconds(at, heartbeat_config?.interval_seconds ?? USUAL_INTERVAL_SECONDS);
}

/**
 * The status of an agent at an instant (ms): one that was active and is silent for longer than it said is
 * unhealthy, and dead in the end (RFC-0016). One that never gave a sign of life is not missed.
 */
export function agentStatusAt(agent: AgentRecord, now: number): AgentStatus {
  const { status, last_heartbeat_at, heartbeat_config } = agent;
  if (status !== 'active' || last_heartbeat_at === null || heartbeat_config === null) return status;
  const silent = (now - toMillis(last_heartbeat_at)) / 1_000;
  if (silent > heartbeat_config.dead_after_seconds) return 'dead';
  return silent > heartbeat_config.unhealthy_after_seconds ? 'unhealthy' : status;
}
