import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { SettledRecord } from '../../contracts/suspension.js';
import { asMarkdown } from '../kernel/text.js';
import { endedByDeadline, isSettled } from './state.js';

/**
 * Describes a suspension for engineers in the Temporal UI: the question, who was asked at which attempt, when
 * the next reminder is due, and how it ended. Markdown.
 *
 * @param waiting - the workflow that waits, if no intent does
 */
export function describeSuspension(view: SuspensionView, waiting?: string | null): string {
  const { record } = view;
  const asked = view.schedule.attempts
    .filter(({ attempt }) => attempt <= view.attempt)
    .map(
      ({ attempt, at, channel_hint, notify_to }) =>
        `- attempt ${attempt} of ${view.max_attempts}, ${at}: ${target(channel_hint, notify_to)}` +
        fateOf(view, attempt),
    );
  return [
    `**${asMarkdown(record.question)}**`,
    '',
    ...(isSettled(record) ? [`- State: ${ending(record)}`] : dueNext(view)),
    ...asked,
    `- Asked by ${asMarkdown(view.asked_by)}${forWhom(view, waiting)}`,
  ].join('\n');
}

/** Says what happened to an attempt, as far as the timeline knows: each message, or why there was none. */
function fateOf({ timeline }: SuspensionView, attempt: number): string {
  const entries = timeline.filter(({ detail }) => detail['attempt'] === attempt);
  const fates = entries.flatMap(({ kind, detail }) => {
    if (kind === 'attempt_skipped') return ['skipped'];
    if (kind === 'delivered') return [deliveredAt(detail['tries'])];
    if (kind === 'delivery_superseded') return ['not delivered in time'];
    return kind === 'delivery_failed' ? [`not delivered: ${asText(detail['error'])}`] : [];
  });
  return fates.length === 0 ? '' : ` (${asMarkdown(fates.join('; '))})`;
}

function deliveredAt(tries: unknown): string {
  return typeof tries === 'number' ? `delivered at try ${tries}` : 'delivered';
}

function forWhom({ intent_id }: SuspensionView, workflowId: string | null | undefined): string {
  if (intent_id !== null) return ` for intent ${intent_id}`;
  return workflowId ? ` for workflow ${asMarkdown(workflowId)}` : '';
}

function dueNext({ next_attempt_at, record }: SuspensionView): string[] {
  return [
    '- State: waiting for an operator',
    `- Next reminder: ${next_attempt_at ?? 'none'}`,
    `- Expires: ${record.expires_at ?? 'never'}, then \`${record.fallback_policy}\``,
  ];
}

function ending(record: SettledRecord): string {
  const by = record.responded_by ?? record.submitted_by;
  const who = by === undefined ? '' : ` by ${asMarkdown(by)}`;
  const bypassed = record.resolution !== 'expired' || endedByDeadline(record);
  const fallback = bypassed ? '' : `, fallback \`${record.fallback_policy}\``;
  const why = record.reason === undefined ? '' : ` (${asMarkdown(record.reason)})`;
  return `${record.resolution}${who} at ${record.settled_at}${fallback}${why}`;
}

function target(channel: string | null, recipient: string | null): string {
  const via = channel === null ? 'the default channel' : asMarkdown(channel);
  return recipient === null ? via : `${via} to ${asMarkdown(recipient)}`;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : 'unknown';
}
