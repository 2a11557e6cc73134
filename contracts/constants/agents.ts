/** The states of an agent (RFC-0016). */
export const AGENT_STATUSES = [
  'registering',
  'active',
  'draining',
  'unhealthy',
  'dead',
  'deregistered',
] as const;
