/** The task queue of the story's agents. */
export const AGENT_QUEUE = 'demo-agents';
