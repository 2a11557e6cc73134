import type {
  AgentHeartbeat,
  AgentRecord,
  AgentStatus,
  RegisterAgent,
} from '../../contracts/agent/agent.js';
import type { Caller } from '../../contracts/people/caller.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { ok } from '../kernel/ruling.js';
import { authorize } from '../policy/authorize.js';
import { plusSeconds, toMillis } from '../kernel/time.js';

const USUAL_INTERVAL_SECONDS = 30;

/** Registers an agent, or writes its next version. Refuses `forbidden` if somebody else registered it. */
export function registerAgent(
  request: RegisterAgent,
  before: AgentRecord | undefined,
  by: Caller,
  at: string,
): Ruling<AgentRecord> {
  const allowed = checkRegistrar(before, by);
  if (!allowed.ok) return allowed;
  return ok({
    ...request,
    status: 'active',
    current_load: before?.current_load ?? 0,
    tasks_in_progress: before?.tasks_in_progress ?? [],
    registered_by: before?.registered_by ?? by.principal,
    registered_at: before?.registered_at ?? at,
    last_heartbeat_at: before?.last_heartbeat_at ?? null,
    version: (before?.version ?? 0) + 1,
  });
}

function checkRegistrar(before: AgentRecord | undefined, by: Caller): Ruling<true> {
  if (before === undefined) return authorize(by, 'registerAgent', {});
  return authorize(by, 'registerAgent', { when: 'replacing', maker: before.registered_by });
}

export function recordHeartbeat(agent: AgentRecord, beat: AgentHeartbeat, at: string): AgentRecord {
  return { ...agent, ...beat, last_heartbeat_at: at };
}

export function nextHeartbeat({ heartbeat_config }: AgentRecord, at: string): string {
  return plusSeconds(at, heartbeat_config?.interval_seconds ?? USUAL_INTERVAL_SECONDS);
}

/**
 * Returns the status of an agent at an instant (ms). An active agent becomes unhealthy and then dead after a longer
 * silence than announced (RFC-0016). One that never sent a heartbeat stays active.
 */
export function agentStatusAt(agent: AgentRecord, now: number): AgentStatus {
  const { status, last_heartbeat_at, heartbeat_config } = agent;
  if (status !== 'active' || last_heartbeat_at === null || heartbeat_config === null) return status;
  const silent = (now - toMillis(last_heartbeat_at)) / 1_000;
  if (silent > heartbeat_config.dead_after_seconds) return 'dead';
  return silent > heartbeat_config.unhealthy_after_seconds ? 'unhealthy' : status;
}
