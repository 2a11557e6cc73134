import type { ProposedCall } from '../../../contracts/approval/approval.js';
import { fallbackCounts } from '../../../contracts/constants/fallback.js';
import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import type { Eligible, Vote } from '../../../contracts/suspension/decision.js';
import type { Asked, Entry, Question } from '../api/types.js';
import { visible } from './list/visible.js';

/* Words of the page for the API's facts about a question. Nothing here decides anything. */

type Recorded = Pick<Entry, 'record'>;

const KINDS = { choice: 'Choice', confirm: 'Yes or no', text: 'Text', form: 'Form' } as const;
const APPROVALS = {
  tool_approval: 'Approval',
  authentication: 'Sign-in',
  consent: 'Consent',
} as const;

/** Returns the kind of a question's answer in words. */
export function kindOf({ record }: Recorded): string {
  const kind = record.approval?.proposal.kind;
  return kind === undefined ? KINDS[record.response_type] : APPROVALS[kind];
}

/** Names a call of a proposal, with its position if the proposal has several. */
export function callName(calls: readonly ProposedCall[], id: string): string {
  const index = calls.findIndex((call) => call.id === id);
  const tool = visible(calls[index]?.tool ?? id);
  return calls.length > 1 ? `${tool} (call ${index + 1})` : tool;
}

/** Names the person for whom a question was asked, if that is not the asker. */
export function forWhom({ record }: Recorded): string | undefined {
  const whom = record.on_behalf_of ?? record.approval?.proposal.on_behalf_of;
  return whom === undefined ? undefined : visible(whom);
}

/** Names the channel of the latest attempt, if the ladder or the question names one. */
export function channelOf({
  record,
  attempt,
}: Pick<Entry, 'record' | 'attempt'>): string | undefined {
  const ladder = record.retry_policy?.escalation_ladder ?? [];
  const reached = ladder.filter((entry) => entry.attempt <= attempt && entry.channel_hint !== '');
  return reached.at(-1)?.channel_hint ?? record.channel_hint;
}

export function eligibleText({ principals = [], roles = [], groups = [] }: Eligible): string {
  const parts = [
    ...principals,
    ...roles.map((role) => `every ${role}`),
    ...groups.map((group) => `group ${group}`),
  ];
  return parts.length === 0 ? 'every operator and admin' : visible(parts.join(', '));
}

/** Writes an answer as the label of its choice, as its text, or as JSON. */
export function valueText(
  value: unknown,
  { record }: { readonly record: Pick<Asked, 'response_type' | 'choices'> },
): string {
  const choice = record.choices?.find((one) => one.value === value);
  if (choice) return visible(choice.label);
  if (record.response_type === 'confirm' && (value === 'yes' || value === 'no')) {
    return value === 'yes' ? 'Yes' : 'No';
  }
  return visible(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Says in a few words how a question ended, such as `Answered by alice`. */
export function endText({ record }: Recorded): string {
  const { resolution, settled_by, responded_by, reason } = record;
  if (resolution === 'expired') return 'Expired without an answer';
  if (resolution === 'responded') {
    return visible(`Answered by ${responded_by ?? settled_by ?? 'somebody'}`);
  }
  const why = reason === undefined ? '' : `: ${reason}`;
  return visible(`Withdrawn by ${settled_by ?? 'the asker'}${why}`);
}

/** Writes the value that counts because nobody answered in time, as JSON; undefined if none does. */
export function defaultText({ record }: Recorded): string | undefined {
  const { fallback_value } = record;
  if (!fallbackCounts(record) || fallback_value === undefined) return undefined;
  return visible(JSON.stringify(fallback_value));
}

/** Writes the result of a settled question: the answer, or the value that counts in its place; undefined if there is none. */
export function resultText(asked: Recorded): string | undefined {
  const { resolution, response, fallback_value } = asked.record;
  if (resolution === 'responded') return valueText(response ?? null, asked);
  if (defaultText(asked) === undefined) return undefined;
  return `The default counts: ${valueText(fallback_value, asked)}`;
}

const ENDS = { responded: 'Answered', expired: 'Expired', cancelled: 'Withdrawn' } as const;

export function endWord({ record }: Recorded): string {
  return ENDS[record.resolution ?? 'cancelled'];
}

/** Writes the name of a field in words: `order_id` becomes `order id`. */
export function wordsOf(name: string): string {
  return visible(name.replaceAll('_', ' '));
}

const SHORT = 60;

export function shortText(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = visible(text).trim().replaceAll(/\s+/g, ' ');
  return line.length > SHORT ? `${line.slice(0, SHORT - 1)}…` : line;
}

/** The most characters of a heading, and of each line of a row. */
const HEADING = 200;
export const ROW_HEADING = 90;

export function headingOf(question: string, most = HEADING): string {
  const [first = ''] = visible(question.trim()).split('\n');
  return cut(first, most);
}

/** Cuts a text without splitting a character. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Returns the text of a question after its heading, in one line; may be empty. */
export function moreOf(question: string): string {
  // A row needs no more of a long question.
  const whole = visible(question.trim().slice(0, 4 * HEADING));
  const [first = ''] = whole.split('\n');
  const heading = cut(first, ROW_HEADING);
  const shown = heading === first ? first.length : heading.length - 1;
  return cut(whole.slice(shown).trim().replaceAll(/\s+/g, ' '), HEADING);
}

/** Returns the beginning of a question for a list: the heading of its row, and a second line. */
export function beginningOf(question: string): string {
  return [headingOf(question, ROW_HEADING), moreOf(question)].join('\n').trim();
}

const SILENCE = new Map<unknown, string>([
  ['allow', 'it is allowed'],
  ['next_tier', 'it passes to the next people who decide'],
]);

/** Says what happens if nobody answers in time. The text follows the word "then". */
export function silenceText({ record, intent_id }: Pick<Entry, 'record' | 'intent_id'>): string {
  const { approval, pause, context, fallback_policy, fallback_value } = record;
  if (pause) return visible(`its outcome is ${pause.timeout_outcome}`);
  if (approval) return SILENCE.get(context?.['timeout_outcome']) ?? 'it is denied';
  const value = fallback_value === undefined ? '' : `: ${valueText(fallback_value, { record })}`;
  if (fallback_policy !== 'fail') return `the default counts${value}`;
  return intent_id === null ? 'it ends without an answer' : 'the work is given up';
}

/** Returns the answer of somebody that counts, while others still have to agree. */
export function voteOf(
  { votes }: Pick<Question, 'votes'>,
  who: string | undefined,
): Vote | undefined {
  return votes.find(({ principal, actor }) => principal === who || actor === who);
}
