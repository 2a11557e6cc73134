import type { Intent } from '../contracts/intent.js';

/** What an engineer reads of an intent in the Temporal UI. Markdown. */
export function describeIntent(intent: Intent): string {
  const title = intent.title.replace(/[\\`*_[\]<>#|]/g, '\\$&');
  return [
    `**${title}**`,
    '',
    `Status: \`${intent.status}\`, version ${intent.version}, created by ${intent.created_by}`,
    ...(intent.abandonment_reason === undefined ? [] : [`Abandoned: ${intent.abandonment_reason}`]),
    ...(intent.status === 'suspended_awaiting_input'
      ? ['Waits for the answer to its question.']
      : []),
  ].join('\n');
}
