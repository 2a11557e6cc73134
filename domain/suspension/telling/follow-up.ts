import type { Vote } from '../../../contracts/suspension/decision.js';
import type {
  EditedCallToShow,
  NoteToTell,
  OutgoingChange,
  OutgoingOutcome,
  SentMessage,
} from '../../../contracts/channel/follow-up.js';
import type {
  Deciders,
  NotificationRequest,
  OutgoingMessage,
} from '../../../contracts/channel/notification.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { askersOf } from '../answering/resume.js';
import { decidersOf, type Decidable } from '../people/deciders.js';
import { formInContext, proposalOf } from '../asking/context.js';
import { editedSince, type EditEntry, type EditedSince } from './proposal-edits.js';
import { redact, releasedProposal, type RedactionRules } from './redaction.js';
import { matchedChoice } from '../answering/response.js';
import { defined } from '../../../contracts/constants/defined.js';

/** The current state of a question, for people who got a message about it. */
export interface FollowedQuestion extends Decidable {
  readonly asked_by: string;
  readonly asked_as?: string | null;
  readonly intent_id: string | null;
  readonly settled: boolean;
  readonly question_version: number;
  readonly record: SuspensionRecord;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly next_attempt_at: string | null;
  /** The timeline entries about edits, once the question is settled. */
  readonly edits: readonly EditEntry[];
}

/**
 * Returns the redacted update of a sent message; undefined if data was erased or nothing is new. Pure.
 *
 * @param informs - whether no recipient of the message may decide
 */
export function changeFor(
  sent: SentMessage,
  question: FollowedQuestion,
  rules: RedactionRules,
  informs = false,
): OutgoingChange | undefined {
  const { record, settled, question_version, edits } = question;
  if (record.erased_at !== undefined) return undefined;
  if (settled) return outcomeOf(record, edits, rules);
  if (question_version === sent.shows) return undefined;
  return { kind: 'changed', message: messageNow(sent, question, rules, informs) };
}

export function followedDeciders(question: FollowedQuestion): Deciders {
  return decidersOf(question, [], askersOf(question));
}

/** An answer may contain personal data, so only its choice, its subject and the notes for others are sent. */
function outcomeOf(
  record: SuspensionRecord,
  edits: readonly EditEntry[],
  rules: RedactionRules,
): OutgoingOutcome {
  const { question, resolution, response, responded_by, settled_at, suspended_at } = record;
  const at = settled_at ?? suspended_at;
  const ended = { kind: 'settled', question, at } as const;
  if (resolution === 'expired') return { ...ended, outcome: 'expired' };
  if (resolution === 'cancelled') return { ...ended, outcome: 'withdrawn' };
  const choice = response === undefined ? undefined : matchedChoice(record, response);
  const { approval } = proposalOf(record);
  const notes = notesOf(record, rules);
  return {
    ...ended,
    outcome: 'answered',
    ...defined({ by: responded_by }),
    ...(choice && { choice_label: choice.label }),
    ...(approval && { approval: releasedProposal(approval, rules) }),
    ...editOf(record, edits, rules),
    ...(notes.length > 0 && { notes }),
  };
}

/** Each of several voters may have written a note. If the installation masks `comment`, notes stay in the inbox. */
function notesOf(
  { votes = [], comment, responded_by }: SuspensionRecord,
  { personal_data_keys }: RedactionRules,
): readonly NoteToTell[] {
  const isMasked = personal_data_keys.some((key) => key.toLowerCase() === 'comment');
  const only = comment === undefined ? [] : [{ actor: responded_by ?? 'somebody', comment }];
  const written: readonly Partial<Vote>[] = votes.length > 0 ? votes : only;
  return written.flatMap(({ actor: by = 'somebody', comment: text }) => {
    if (text === undefined) return [];
    return [{ by, ...(!isMasked && { text }) }];
  });
}

/** Describes the edit of the proposal and the edited calls, as far as they may leave the service. */
function editOf(
  record: SuspensionRecord,
  edits: readonly EditEntry[],
  rules: RedactionRules,
): Pick<OutgoingOutcome, 'edited'> {
  const { version = 1 } = record.approval?.proposal ?? {};
  if (version === 1) return {};
  const calls = editedSince(record, edits).flatMap((edited) => editedCall(edited, rules));
  return { edited: { version, ...(calls.length > 0 && { calls }) } };
}

/**
 * The former arguments may leave under the same rules as the decided ones. A tool's name may leave wherever calls
 * may.
 */
function editedCall(
  { call, position, before }: EditedSince,
  rules: RedactionRules,
): readonly EditedCallToShow[] {
  const mayLeave = (args: JsonObject) => {
    const whole = { calls: [{ ...call, arguments: args }], visible_context: {} };
    return releasedProposal({ proposal_hash: '', whole }, rules).whole !== undefined;
  };
  if (!mayLeave({})) return [];
  return [
    {
      tool: call.tool,
      ...defined({ position, before: before && mayLeave(before) ? before : undefined }),
    },
  ];
}

function messageNow(
  { delivery_id, channel, person }: SentMessage,
  followed: FollowedQuestion,
  rules: RedactionRules,
  informs: boolean,
): OutgoingMessage {
  const { record, intent_id, attempt, max_attempts, next_attempt_at, question_version } = followed;
  const { question, response_type, choices, context, expires_at } = record;
  const request: NotificationRequest = {
    delivery_id,
    suspension_id: record.id,
    intent_id,
    attempt,
    max_attempts,
    due_at: record.suspended_at,
    channel_hint: channel,
    notify_to: person,
    deciders: followedDeciders(followed),
    ...(informs && { informs }),
    question,
    response_type,
    ...defined({ choices, context }),
    ...formInContext(record),
    ...proposalOf(record),
    ...defined({ expires_at }),
    next_attempt_at,
    question_version,
  };
  // A repeated message counts as a later attempt, so nothing is sent in full.
  return {
    ...redact(request, { ...rules, e2e_encrypted: false }),
    text: `Changed: ${question}`,
  };
}
