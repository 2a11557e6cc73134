/** The agents' own task queue; Holdpoint's worker polls another. */
export const AGENT_QUEUE = 'operations-agents';

/** The Temporal server that Holdpoint uses, too. */
export const TEMPORAL = {
  address: process.env['TEMPORAL_ADDRESS'] ?? '127.0.0.1:7233',
  namespace: process.env['TEMPORAL_NAMESPACE'] ?? 'default',
};
