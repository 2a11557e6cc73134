import type { Coordinator } from '../contracts/coordinator.js';
import { asMarkdown } from './markdown.js';

/** What an engineer reads of a coordinator in the Temporal UI. Markdown. */
export function describeCoordinator(coordinator: Coordinator): string {
  const { agent_id, status, intent_id, portfolio_id, suspension_policy } = coordinator;
  const scope = intent_id === null ? `portfolio ${portfolio_id ?? '?'}` : `intent ${intent_id}`;
  return [
    `**Coordinator ${asMarkdown(agent_id)}**`,
    '',
    `- Status: \`${status}\`, for ${scope}`,
    `- On suspension: \`${suspension_policy}\``,
    `- Heartbeat every ${coordinator.heartbeat_interval_seconds} s, last ${coordinator.last_heartbeat}`,
    `- Lease ends: ${coordinator.expires_at ?? 'never'}`,
  ].join('\n');
}
