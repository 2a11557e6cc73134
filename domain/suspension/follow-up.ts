import type { Vote } from '../../contracts/decision.js';
import type {
  NoteToTell,
  OutgoingChange,
  OutgoingOutcome,
  SentMessage,
} from '../../contracts/follow-up.js';
import type { NotificationRequest, OutgoingMessage } from '../../contracts/notification.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import { editedSince } from './context-beside.js';
import { formInContext, proposalOf } from './proposal-to-show.js';
import { redact, releasedProposal } from './redaction.js';
import type { RedactionRules } from './redaction.js';
import { matchedChoice } from './response.js';

/** A question as it stands, for those whom a message has asked it. */
export interface FollowedQuestion {
  readonly intent_id: string | null;
  readonly settled: boolean;
  readonly question_version: number;
  readonly record: SuspensionRecord;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly next_attempt_at: string | null;
}

/**
 * What a message is to be told, after redaction: how its question ended, or the question as it is now. Undefined if there
 * is nothing to tell, because personal data was erased or the message shows all there is. Pure.
 */
export function changeFor(
  sent: SentMessage,
  question: FollowedQuestion,
  rules: RedactionRules,
): OutgoingChange | undefined {
  const { record, settled, question_version } = question;
  if (record.erased_at !== undefined) return undefined;
  if (settled) return outcomeOf(record, rules);
  if (question_version === sent.shows) return undefined;
  return { kind: 'changed', message: messageNow(sent, question, rules) };
}

/**
 * An answer may hold personal data, so only what was offered as a choice is told of it, what an approval is about, and what
 * people wrote with it for others to read.
 */
function outcomeOf(record: SuspensionRecord, rules: RedactionRules): OutgoingOutcome {
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
    ...(responded_by !== undefined && { by: responded_by }),
    ...(choice && { choice_label: choice.label }),
    ...(approval && { approval: releasedProposal(approval, rules) }),
    ...editOf(record, rules),
    ...(notes.length > 0 && { notes }),
  };
}

/** Where several decide, each may have written a note. Those of an installation that masks `comment` stay in the inbox. */
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

/** That the proposal is another version than was asked about. What it was before leaves as what was decided on does. */
function editOf(record: SuspensionRecord, rules: RedactionRules): Pick<OutgoingOutcome, 'edited'> {
  const { version = 1 } = record.approval?.proposal ?? {};
  if (version === 1) return {};
  const edited = editedSince(record);
  if (edited === undefined) return { edited: { version } };
  const { before, call } = edited;
  const asked = { calls: [{ ...call, arguments: before }], visible_context: {} };
  const { whole } = releasedProposal({ proposal_hash: '', whole: asked }, rules);
  return { edited: { version, ...(whole && { before }) } };
}

function messageNow(
  { delivery_id, channel, person }: SentMessage,
  { record, intent_id, attempt, max_attempts, next_attempt_at, question_version }: FollowedQuestion,
  rules: RedactionRules,
): OutgoingMessage {
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
    question,
    response_type,
    ...(choices && { choices }),
    ...(context && { context }),
    ...formInContext(record),
    ...proposalOf(record),
    ...(expires_at !== undefined && { expires_at }),
    next_attempt_at,
    question_version,
  };
  // Whoever is told again is not told for the first time, so nothing leaves whole.
  return {
    ...redact(request, { ...rules, e2e_encrypted: false }),
    text: `Changed: ${question}`,
  };
}
