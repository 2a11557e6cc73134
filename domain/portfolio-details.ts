import type { PortfolioView } from '../contracts/portfolio.js';
import { asMarkdown } from './markdown.js';

/**
 * What an engineer reads of a portfolio in the Temporal UI. Markdown.
 *
 * @param reached - the deadline that has come (ISO-8601)
 */
export function describePortfolio(view: PortfolioView, reached?: string): string {
  const { name, status, aggregate_status: aggregate, governance_policy, created_by } = view;
  const { deadline } = governance_policy;
  const waiting = view.suspended_member_count;
  const members = Object.entries(aggregate.by_status).map(([each, count]) => `${count} ${each}`);
  return [
    `**${asMarkdown(name)}**`,
    '',
    `- Status: \`${status}\`; its members come to \`${aggregate.status}\``,
    `- Members: ${members.length === 0 ? 'none' : members.join(', ')}`,
    ...(waiting > 0 ? [`- Waiting for an operator: ${waiting}`] : []),
    ...(typeof deadline === 'string'
      ? [`- Deadline: ${deadline}${pastOf(deadline, reached)}`]
      : []),
    `- Created by ${asMarkdown(created_by)}`,
  ].join('\n');
}

function pastOf(deadline: string, reached: string | undefined): string {
  return deadline === reached ? ', which has come' : '';
}
