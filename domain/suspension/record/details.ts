import type { PausePart, SettledRecord } from '../../../contracts/suspension/suspension.js';
import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import type { ScheduledAttempt } from '../../../contracts/suspension/retry-policy.js';
import type { LiveView } from '../../../contracts/suspension/view.js';
import { asMarkdown, cutTo } from '../../kernel/text.js';
import { namesOf } from '../people/eligibility.js';
import { endedByDeadline } from '../../../contracts/constants/fallback.js';
import { isSettled } from './state.js';

/** The limit of a shown value; the answer and the log contain all of it. */
const VALUE_BYTES = 200;

/**
 * Describes a suspension in the Temporal UI, whose box shows about five lines; the summary above shows the question.
 * Markdown.
 *
 * @param waiting - the workflow that waits, if no intent does
 */
export function describeSuspension(view: LiveView, waiting?: string | null): string {
  const { record, schedule } = view;
  const [current, ...earlier] = schedule.attempts
    .filter(({ attempt }) => attempt <= view.attempt)
    .reverse();
  return [
    isSettled(record) ? ending(record) : awaited(view),
    '',
    ...decisionOf(view),
    ...attentionOf(view),
    ...(current && !record.pause ? [`- Asked: ${asked(view, current)}`] : []),
    ...(isSettled(record) ? [] : whatComesNext(view)),
    ...choicesOf(view),
    ...proposalOf(view),
    `- Asked by ${asMarkdown(view.asked_by)}${forWhom(view, waiting)}`,
    `- Question: ${asMarkdown(record.question)}`,
    ...earlier.map((attempt) => `- Before: ${asked(view, attempt)}`),
  ].join('\n');
}

function awaited({ record: { pause, approval }, approvals, required }: LiveView): string {
  if (pause) return `**Waiting for ${asMarkdown(pause.resume_signal)}**`;
  const whom = required === 1 ? 'an operator' : 'operators';
  const what = approval === undefined ? whom : 'approval';
  return `**Waiting for ${what}**${required === 1 ? '' : `: ${approvals} of ${required} agree`}`;
}

function asked(view: LiveView, scheduled: ScheduledAttempt): string {
  const { attempt, at } = scheduled;
  return `attempt ${attempt} of ${view.max_attempts}, ${at}: ${target(scheduled)}${fateOf(view, scheduled)}`;
}

/** Describes the outcome of an attempt: each message, or why there was none. */
function fateOf({ timeline }: LiveView, { attempt, channel_hint }: ScheduledAttempt): string {
  const entries = timeline.filter(({ detail }) => detail['attempt'] === attempt);
  const fates = entries.flatMap(({ kind, detail }) => {
    if (detail['told'] === 'nobody') return ['told nobody'];
    if (kind === 'attempt_skipped') return ['skipped'];
    if (kind === 'delivered') return [delivered(detail, channel_hint)];
    if (kind === 'delivery_superseded') return ['not delivered in time'];
    return kind === 'delivery_failed' ? [`not delivered: ${asText(detail['error'])}`] : [];
  });
  return fates.length === 0 ? '' : ` (${asMarkdown(fates.join('; '))})`;
}

/** Names the actual channel if it is not the requested one. */
function delivered(detail: { readonly [key: string]: unknown }, hint: string | null): string {
  const { channel, tries } = detail;
  const by = typeof channel === 'string' && channel !== hint ? ` by ${channel}` : '';
  return typeof tries === 'number' ? `delivered${by} at try ${tries}` : `delivered${by}`;
}

function forWhom({ intent_id }: LiveView, workflowId: string | null | undefined): string {
  if (intent_id !== null) return ` for intent ${intent_id}`;
  return workflowId ? ` for workflow ${asMarkdown(workflowId)}` : '';
}

function whatComesNext({ next_attempt_at, schedule, attempt, record }: LiveView): string[] {
  if (record.pause) return whatEnds(record.pause, record.expires_at);
  const next = schedule.attempts.find((one) => one.attempt === attempt + 1);
  const reminder = next_attempt_at === null || !next ? 'none' : `${next.at}, ${target(next)}`;
  const { expires_at = 'never', fallback_policy, fallback_value } = record;
  const value = fallback_value === undefined ? '' : ` with ${shown(fallback_value)}`;
  return [
    `- Next reminder: ${reminder}`,
    `- Expires: ${expires_at}, then \`${fallback_policy}\`${value}`,
  ];
}

function whatEnds(
  { resumable_by: named, timeout_outcome }: PausePart,
  expires_at = 'never',
): string[] {
  const outcome = `- Expires: ${expires_at}, then \`${timeout_outcome}\``;
  return named.length === 0
    ? [outcome]
    : [outcome, `- Also resumed by ${asMarkdown(named.join(', '))}`];
}

function choicesOf({ record: { choices = [] } }: LiveView): string[] {
  if (choices.length === 0) return [];
  const each = choices.map(({ value, label }) => `${shown(value)} ${asMarkdown(label)}`);
  return [`- Choices: ${each.join(', ')}`];
}

/** The people who may answer, if not everybody may, and those who have answered, if several must. */
function decisionOf({ rule: { eligible }, required, votes }: LiveView): string[] {
  const isNamed = Object.values(eligible).some((names) => names !== undefined);
  const counted = required === 1 ? [] : votes;
  return [
    ...(isNamed ? [`- May answer: ${namesOf(eligible)}`] : []),
    ...counted.map(({ principal, value, counted_at }) => {
      return `- Answered: ${asMarkdown(principal)} ${shown(value)}, ${counted_at}`;
    }),
  ];
}

function attentionOf({ claim, comment_count = 0 }: LiveView): string[] {
  return [
    ...(claim ? [`- Claimed by ${asMarkdown(claim.holder)} until ${claim.expires_at}`] : []),
    ...(comment_count > 0 ? [`- Comments: ${comment_count}`] : []),
  ];
}

/** The latest version of the proposal, whose hash answers must name. */
function proposalOf({ record: { approval } }: LiveView): string[] {
  if (approval === undefined) return [];
  const { version, risk_class } = approval.proposal;
  return [`- Proposal: version ${version}, ${risk_class} risk, hash \`${approval.proposal_hash}\``];
}

function ending(record: SettledRecord): string {
  const by = record.responded_by ?? record.submitted_by;
  const who = by === undefined ? '' : ` by ${asMarkdown(by)}`;
  const answer = record.response === undefined ? '' : `: ${shown(record.response)}`;
  const bypassed = record.resolution !== 'expired' || endedByDeadline(record);
  const fallback = bypassed ? '' : `, ${silenceOf(record)}`;
  const why = record.reason === undefined ? '' : ` (${asMarkdown(record.reason)})`;
  return `**${record.resolution}**${answer}${who} at ${record.settled_at}${fallback}${why}`;
}

/** What happens if nobody answers, or nothing resumes. */
function silenceOf({ pause, fallback_policy, fallback_value }: SettledRecord): string {
  if (pause) return `outcome \`${pause.timeout_outcome}\``;
  const value = fallback_value === undefined ? '' : ` with ${shown(fallback_value)}`;
  return `fallback \`${fallback_policy}\`${value}`;
}

function target({
  channel_hint,
  notify_to,
}: Pick<ScheduledAttempt, 'channel_hint' | 'notify_to'>): string {
  const via = channel_hint === null ? 'the default channel' : asMarkdown(channel_hint);
  return notify_to === null ? via : `${via} to ${asMarkdown(notify_to)}`;
}

/** A value as JSON, on one line, cut to a limit. */
function shown(value: JsonValue): string {
  return asMarkdown(cutTo(JSON.stringify(value), VALUE_BYTES));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : 'unknown';
}
