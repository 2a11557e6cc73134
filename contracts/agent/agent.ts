import { z } from 'zod';
import { AGENT_STATUSES } from '../constants/statuses.js';
import { LIMITS } from '../constants/limits.js';
import { jsonObjectSchema, nameSchema, secondsSchema } from '../kernel/primitives.js';

export const agentStatusSchema = z.enum(AGENT_STATUSES);
export type AgentStatus = z.infer<typeof agentStatusSchema>;

const capabilitiesSchema = z.array(nameSchema).max(LIMITS.listedNames).readonly();
const heartbeatConfigSchema = z.object({
  interval_seconds: secondsSchema.default(30),
  unhealthy_after_seconds: secondsSchema.default(90),
  dead_after_seconds: secondsSchema.default(300),
});
const tasksSchema = z.array(z.string().max(LIMITS.nameCharacters)).max(LIMITS.listedNames);

/** What an agent states about itself when it registers (RFC-0016). */
export const registerAgentSchema = z.object({
  agent_id: nameSchema,
  role_id: nameSchema.nullable().default(null),
  name: nameSchema.nullable().default(null),
  capabilities: capabilitiesSchema.default([]),
  capacity: jsonObjectSchema.nullable().default(null),
  endpoint: z.string().max(LIMITS.textCharacters).nullable().default(null),
  heartbeat_config: heartbeatConfigSchema.nullable().default(null),
  metadata: jsonObjectSchema.default({}),
  drain_timeout_seconds: secondsSchema.nullable().default(null),
});
export type RegisterAgent = z.output<typeof registerAgentSchema>;

export const agentHeartbeatSchema = z.object({
  status: agentStatusSchema.default('active'),
  current_load: z.int().min(0).default(0),
  tasks_in_progress: tasksSchema.readonly().default([]),
});
export type AgentHeartbeat = z.output<typeof agentHeartbeatSchema>;

/** A registered agent. `status` is what the agent last reported, unless it has been silent for too long since. */
export interface AgentRecord extends RegisterAgent {
  readonly status: AgentStatus;
  readonly current_load: number;
  readonly tasks_in_progress: readonly string[];
  readonly registered_by: string;
  readonly registered_at: string;
  readonly last_heartbeat_at: string | null;
  readonly version: number;
}

/** Filters agents; an absent field matches every agent. */
export interface AgentFilter {
  readonly status?: AgentStatus | undefined;
  readonly role_id?: string | undefined;
}
