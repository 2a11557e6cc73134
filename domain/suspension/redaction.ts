import type {
  Alert,
  NotificationRequest,
  OutgoingChoice,
  OutgoingMessage,
  ProposalToShow,
} from '../../contracts/notification.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { SuspensionChoice } from '../../contracts/suspension.js';
import { canonicalJson } from '../kernel/hashing.js';
import { contextNow } from './proposal-to-show.js';
import type { Explained } from './proposal-to-show.js';

/** Keys of `context` that Holdpoint fills in; an agent's own entries under them are dropped. */
const RESERVED = ['_attempt', '_max_attempts'];

export interface RedactionRules {
  /** Top-level keys of `context` that may be sent. */
  readonly context_keys: readonly string[];
  /** Names, at any depth and in upper or lower case, whose values are masked. */
  readonly personal_data_keys: readonly string[];
  /** Whether only the recipient can read what the channel carries. */
  readonly e2e_encrypted: boolean;
}

/**
 * The one step between a notification and any channel. Of `context` only the listed keys are sent
 * (R25-101, R26-87), with personal data masked. The exception is the first attempt over an end-to-end encrypted
 * channel, which carries the whole context; a re-notification never does, because it may go to somebody else. The hash of the
 * proposal that an approval is about is always sent.
 * Entries that are left out are counted, never named. Pure.
 */
export function redact(request: NotificationRequest, rules: RedactionRules): OutgoingMessage {
  const { delivery_id: _id, ...visible } = request;
  const { question, choices, context, approval, fields_are_form: _form, ...rest } = visible;
  const { attempt, max_attempts } = request;
  const { shown, withheld } = released(request, rules, attempt);
  return {
    ...rest,
    text: wordingOf(request),
    ...(choices === undefined ? {} : { choices: choices.map(withoutMetadata) }),
    context: { ...shown, _attempt: attempt, _max_attempts: max_attempts },
    ...(approval && { approval: releasedProposal(approval, rules) }),
    withheld,
  };
}

/** What of the context of a question may leave at an attempt, and how many of its entries may not and are no form. Pure. */
export function released(
  question: Explained,
  { context_keys, personal_data_keys, e2e_encrypted }: RedactionRules,
  attempt: number,
): { readonly shown: JsonObject; readonly withheld: number } {
  const isOwn = ([key]: readonly [string, JsonValue]) => !RESERVED.includes(key);
  const own = Object.entries(contextNow(question)).filter(isOwn);
  const whole = e2e_encrypted && attempt === 1;
  const leaving = own.filter(
    ([key, value]) => whole || context_keys.includes(key) || isHashOf(question, key, value),
  );
  const shown = Object.fromEntries(leaving);
  const isForm = ([key]: readonly [string, JsonValue]) =>
    question.fields_are_form === true && key === 'fields' && !Object.hasOwn(shown, key);
  const all = Object.entries(question.context ?? {}).filter(isOwn);
  return {
    shown: whole ? shown : maskPersonalData(shown, personal_data_keys),
    withheld: all.filter((entry) => !isForm(entry)).length - leaving.length,
  };
}

/**
 * A proposal as it may leave: whole, if the calls and what is visible beside them may, and nothing of it is masked. The hash
 * tells nothing of what was hashed. Pure.
 */
export function releasedProposal(
  { proposal_hash, whole }: ProposalToShow,
  { context_keys, personal_data_keys }: Pick<RedactionRules, 'context_keys' | 'personal_data_keys'>,
): ProposalToShow {
  if (whole === undefined) return { proposal_hash };
  const { calls, visible_context } = whole;
  const mayLeave =
    (calls.length === 0 || context_keys.includes('tool_call')) &&
    (Object.keys(visible_context).length === 0 || context_keys.includes('visible_context'));
  const bare = { calls: calls.map((call) => ({ ...call })), visible_context };
  const masked = maskPersonalData(bare, personal_data_keys);
  const isAsItIs = canonicalJson(masked) === canonicalJson(bare);
  return { proposal_hash, ...(mayLeave && isAsItIs && { whole }) };
}

/**
 * Whether an entry of a context is the hash of what the approval is about, which always leaves: it is decided by naming it, and
 * it tells nothing of what was hashed. Under the same name, an agent may write anything into the context of its question.
 */
function isHashOf({ approval }: Explained, key: string, value: JsonValue): boolean {
  return key === 'proposal_hash' && value === approval?.proposal_hash;
}

/** A choice as it may leave. */
export function withoutMetadata({
  metadata: _metadata,
  ...choice
}: SuspensionChoice): OutgoingChoice {
  return choice;
}

/** Replaces a whole value, and so hides its type and its size. */
export const MASK = '•••';

/**
 * Replaces the value under each of these names by a mask, at any depth and in lists too. Upper and lower case
 * count as the same. Pure.
 */
export function maskPersonalData(object: JsonObject, names: readonly string[]): JsonObject {
  const masked = new Set(names.map((name) => name.toLowerCase()));
  const maskIn = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(maskIn);
    return typeof value === 'object' && value !== null ? maskObject(value as JsonObject) : value;
  };
  const maskObject = (inner: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(inner).map(([name, value]) => [
        name,
        masked.has(name.toLowerCase()) ? MASK : maskIn(value),
      ]),
    );
  return maskObject(object);
}

function wordingOf(request: NotificationRequest): string {
  const { question, attempt, max_attempts, alert, delegated_by } = request;
  if (alert) return wordAlert(question, alert);
  if (delegated_by !== undefined) return `Delegated to you by ${delegated_by}: ${question}`;
  return wordQuestion(question, attempt, max_attempts);
}

/** The text of an alert. */
export function wordAlert(question: string, { stage, sla_seconds }: Alert): string {
  return `SLA breached: stage ${stage + 1} is undecided after ${sla_seconds} s: ${question}`;
}

/**
 * The text of an attempt (R26-63): the first asks, later ones remind, the last one urges. A question with one
 * attempt is never urgent.
 */
export function wordQuestion(question: string, attempt: number, maxAttempts: number): string {
  if (attempt === 1) return `Input needed: ${question}`;
  if (attempt < maxAttempts) return `Reminder (${attempt}): ${question}`;
  return `URGENT — final reminder: ${question}`;
}
