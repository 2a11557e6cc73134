import { fallbackCounts } from '../../../contracts/constants/fallback.js';
import type { Eligible, Vote } from '../../../contracts/decision.js';
import type { Entry, Question } from '../api/types.js';
import { visible } from './visible.js';

/*
 * What a question says of itself, in the words of the page. Nothing here decides anything.
 */

type Asked = Pick<Entry, 'record'>;

/** What of a question names its answers. */
export interface WithChoices {
  readonly response_type: Entry['record']['response_type'];
  readonly choices?: readonly { readonly value: string; readonly label: string }[] | undefined;
}

const KINDS = { choice: 'Choice', confirm: 'Yes or no', text: 'Text', form: 'Form' } as const;
const APPROVALS = {
  tool_approval: 'Approval',
  authentication: 'Sign-in',
  consent: 'Consent',
} as const;

/** What kind of answer it asks for. */
export function kindOf({ record }: Asked): string {
  const kind = record.approval?.proposal.kind;
  return kind === undefined ? KINDS[record.response_type] : APPROVALS[kind];
}

/** For whom it was asked, if not for the one who asked. */
export function forWhom({ record }: Asked): string | undefined {
  const whom = record.on_behalf_of ?? record.approval?.proposal.on_behalf_of;
  return whom === undefined ? undefined : visible(whom);
}

/** How much harm the proposed calls can do, if it is about calls. */
export function riskOf({ record }: Asked) {
  return record.approval?.proposal.risk_class;
}

/** The channel of the latest attempt, as far as the ladder names one. */
export function channelOf({
  record,
  attempt,
}: Pick<Entry, 'record' | 'attempt'>): string | undefined {
  const ladder = record.retry_policy?.escalation_ladder ?? [];
  const reached = ladder.filter((entry) => entry.attempt <= attempt && entry.channel_hint !== '');
  return reached.at(-1)?.channel_hint ?? record.channel_hint;
}

/** Who may answer, in words. */
export function eligibleText({ principals = [], roles = [], groups = [] }: Eligible): string {
  const parts = [
    ...principals,
    ...roles.map((role) => `every ${role}`),
    ...groups.map((group) => `group ${group}`),
  ];
  return parts.length === 0 ? 'every operator and admin' : visible(parts.join(', '));
}

/** The label of an answer: that of its choice, a short text, or its JSON. */
export function valueText(value: unknown, { record }: { readonly record: WithChoices }): string {
  const choice = record.choices?.find((one) => one.value === value);
  if (choice) return visible(choice.label);
  if (record.response_type === 'confirm' && (value === 'yes' || value === 'no')) {
    return value === 'yes' ? 'Yes' : 'No';
  }
  return visible(typeof value === 'string' ? value : JSON.stringify(value));
}

/** How a question ended, in a few words, such as `Answered by alice`. */
export function endText({ record }: Asked): string {
  const { resolution, settled_by, responded_by, reason } = record;
  if (resolution === 'expired') return 'Expired without an answer';
  if (resolution === 'responded') {
    return visible(`Answered by ${responded_by ?? settled_by ?? 'somebody'}`);
  }
  const why = reason === undefined ? '' : `: ${reason}`;
  return visible(`Withdrawn by ${settled_by ?? 'the asker'}${why}`);
}

/** The value that counts because nobody answered in time, as JSON; absent where none does. */
export function defaultText({ record }: Asked): string | undefined {
  const { fallback_value } = record;
  if (!fallbackCounts(record) || fallback_value === undefined) return undefined;
  return visible(JSON.stringify(fallback_value));
}

/** What a settled question came to: the answer, or the value that counts in its place; undefined where there is none. */
export function resultText(asked: Asked): string | undefined {
  const { resolution, response, fallback_value } = asked.record;
  if (resolution === 'responded') return valueText(response ?? null, asked);
  if (defaultText(asked) === undefined) return undefined;
  return `The default counts: ${valueText(fallback_value, asked)}`;
}

const ENDS = { responded: 'Answered', expired: 'Expired', cancelled: 'Withdrawn' } as const;

/** How a question ended, in one word, where the page says by whom beside. */
export function endWord({ record }: Asked): string {
  return ENDS[record.resolution ?? 'cancelled'];
}

/** The name of a field in words: `order_id` becomes `order id`. */
export function wordsOf(name: string): string {
  return visible(name.replaceAll('_', ' '));
}

/** The first line of a question, short enough for a heading. */
export function headingOf(question: string): string {
  const [first = ''] = visible(question.trim()).split('\n');
  return first.length > 200 ? `${first.slice(0, 199)}…` : first;
}

const SILENCE = new Map<unknown, string>([
  ['allow', 'it is allowed'],
  ['next_tier', 'it is passed on to the next who decide'],
]);

/** What follows where nobody answers in time, as the page says after "then". */
export function silenceText({ record, intent_id }: Pick<Entry, 'record' | 'intent_id'>): string {
  const { approval, pause, context, fallback_policy, fallback_value } = record;
  if (pause) return visible(`its outcome is ${pause.timeout_outcome}`);
  if (approval) return SILENCE.get(context?.['timeout_outcome']) ?? 'it is denied';
  const value = fallback_value === undefined ? '' : `: ${valueText(fallback_value, { record })}`;
  if (fallback_policy !== 'fail') return `the default counts${value}`;
  return intent_id === null ? 'it ends without an answer' : 'the work is given up';
}

/** The answer of somebody that counts, while others have to agree. */
export function voteOf(
  { votes }: Pick<Question, 'votes'>,
  who: string | undefined,
): Vote | undefined {
  return votes.find(({ principal, actor }) => principal === who || actor === who);
}
