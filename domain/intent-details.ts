import type { Intent } from '../contracts/intent.js';
import { asMarkdown } from './markdown.js';

/** What an engineer reads of an intent in the Temporal UI. Markdown. */
export function describeIntent(intent: Intent): string {
  const { title, status, version, created_by, abandonment_reason: reason } = intent;
  const waits = status === 'suspended_awaiting_input';
  return [
    `**${asMarkdown(title)}**`,
    '',
    `- Status: \`${status}\`, version ${version}`,
    ...(waits ? ['- Waits for the answer to its question'] : []),
    ...(reason === undefined ? [] : [`- Abandoned: ${asMarkdown(reason)}`]),
    `- Created by ${asMarkdown(created_by)}`,
  ].join('\n');
}
