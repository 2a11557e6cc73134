/** The agents' own task queue; Holdpoint's worker polls another. */
export const AGENT_QUEUE = 'my-agents';

/** The Temporal server and the namespace that Holdpoint uses. */
export const TEMPORAL = {
  address: process.env['TEMPORAL_ADDRESS'] ?? '127.0.0.1:7233',
  namespace: process.env['TEMPORAL_NAMESPACE'] ?? 'default',
};
