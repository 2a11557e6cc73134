import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import type { SlackMember } from '../../contracts/channel/slack.js';
import type { RespondResult } from '../../contracts/suspension/view.js';

type Counted = Pick<RespondResult, 'choice_label' | 'approvals' | 'required'>;

export function countedText({ choice_label: label, approvals = 1, required = 1 }: Counted): string {
  const what = label === undefined ? '' : `: ${label}`;
  const votes = required === 1 ? '' : ` ${approvals} of ${required} agree.`;
  return `Your answer counts${what}.${votes}`;
}

export const HANDED_OVER = 'Your answer is on its way: the message shows it once it counts.';

export const FAILED = 'Something went wrong here. Look at the question before you answer again.';

export const NO_SUCH_BUTTON = 'This button no longer works. Answer in the inbox.';

export const NO_FIELDS = 'Slack has no fields for this answer: give it in the inbox.';

export const NO_MODAL = 'That took too long to open a form: press the button again.';

export const YOU_WROTE = 'You wrote:';

export const WORKING = 'Your answer is being taken. The message shows it once it counts.';

/** Refusals that are about the service and not about the answer. */
export const LATER: readonly ErrorCode[] = [
  'busy',
  'moving',
  'store_unavailable',
  'too_many_requests',
  'workflow_unavailable',
];

export function refusalText(
  { code, detail, state = {} }: Refusal,
  { user, team }: SlackMember,
): string {
  if (LATER.includes(code)) {
    return 'Holdpoint cannot take your answer at the moment. Look at the question in a minute, and answer again if it is still open.';
  }
  if (code === 'not_answered_for') {
    const id = [user.team_id ?? team?.id, user.id].filter(Boolean).join('/');
    return `Holdpoint does not know you, so you cannot answer. Whoever runs it can add your member id, ${id}, to its directory.`;
  }
  if (code === 'claimed_by_other') return claimedText(state);
  const outcome = textOf(state, 'outcome');
  if (outcome === undefined) return detail;
  return outcomeText(outcome, state) ?? detail;
}

function claimedText(state: JsonObject): string {
  const until = textOf(state, 'expires_at');
  const when = until === undefined ? '' : ` until ${inUtc(until)}`;
  return `${textOf(state, 'holder') ?? 'Somebody'} has claimed this question${when}.`;
}

function outcomeText(outcome: string, state: JsonObject): string | undefined {
  const at = textOf(state, 'at');
  const when = at === undefined ? '' : ` on ${inUtc(at)}`;
  switch (outcome) {
    case 'answered': {
      const label = textOf(state, 'choice_label') ?? shownIn(state, 'value');
      const by = textOf(state, 'by') ?? 'somebody';
      return `Already answered by ${by}${when}${label === undefined ? '' : `: ${label}`}.`;
    }
    case 'expired':
      return `The question has expired${when}.`;
    case 'withdrawn':
      return `The question was withdrawn${when}.`;
    case 'changed':
      return 'The question has changed since this message was sent. Answer its new version.';
    default:
      return undefined;
  }
}

function textOf(state: JsonObject, name: string): string | undefined {
  const value = state[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns a value of any type as text; undefined if there is none. */
function shownIn(state: JsonObject, name: string): string | undefined {
  const value = state[name];
  return typeof value === 'string' || value === undefined ? value : JSON.stringify(value);
}

function inUtc(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}
