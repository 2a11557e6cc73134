import type {
  Alert,
  NotificationRequest,
  OutgoingChoice,
  OutgoingMessage,
  ProposalToShow,
} from '../../../contracts/channel/notification.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import type { SuspensionChoice } from '../../../contracts/suspension/suspension.js';
import { canonicalJson } from '../../kernel/hashing.js';
import { isForEveryone } from '../answering/decision.js';
import { contextNow, withoutReserved, type Explained } from '../asking/context.js';
import { wordQuestion } from './notice.js';

/** What a channel may send of a question. */
export interface RedactionRules {
  /** Top-level keys of `context` that may be sent. */
  readonly context_keys: readonly string[];
  /** Names, at any depth and in upper or lower case, whose values are masked. */
  readonly personal_data_keys: readonly string[];
  /** Whether only the recipient can read the messages of the channel. */
  readonly e2e_encrypted: boolean;
}

/**
 * The only step between a notification and a channel: listed keys of `context` (R25-101, R26-87), with personal data
 * masked. Only the first attempt over an end-to-end encrypted channel contains all, because a later one may have
 * other recipients. Omitted entries are counted, never named. Pure.
 */
export function redact(request: NotificationRequest, rules: RedactionRules): OutgoingMessage {
  const { delivery_id: _id, ...visible } = request;
  const { question, choices, context, approval, fields_are_form: _form, ...others } = visible;
  const { deciders, telling: _telling, ...rest } = others;
  const { attempt, max_attempts } = request;
  const { shown, withheld } = released(request, rules, attempt);
  return {
    ...rest,
    text: wordingOf(request),
    ...(deciders && !isForEveryone(deciders.eligible) && { decided_by: deciders.eligible }),
    ...(choices === undefined ? {} : { choices: choices.map(withoutMetadata) }),
    context: { ...shown, _attempt: attempt, _max_attempts: max_attempts },
    ...(approval && { approval: releasedProposal(approval, rules) }),
    withheld,
  };
}

/**
 * The part of a question's context that may leave the service at an attempt, and how many other entries, apart from a
 * form, are withheld. Pure.
 */
export function released(
  question: Explained,
  { context_keys, personal_data_keys, e2e_encrypted }: RedactionRules,
  attempt: number,
): { readonly shown: JsonObject; readonly withheld: number } {
  const own = Object.entries(withoutReserved(contextNow(question)));
  const whole = e2e_encrypted && attempt === 1;
  const leaving = own.filter(
    ([key, value]) => whole || context_keys.includes(key) || isHashOf(question, key, value),
  );
  const shown = Object.fromEntries(leaving);
  const isForm = ([key]: readonly [string, JsonValue]) =>
    question.fields_are_form === true && key === 'fields' && !Object.hasOwn(shown, key);
  const all = Object.entries(withoutReserved(question.context ?? {}));
  return {
    shown: whole ? shown : maskPersonalData(shown, personal_data_keys),
    withheld: all.filter((entry) => !isForm(entry)).length - leaving.length,
  };
}

/**
 * Returns the part of a proposal that may leave the service: all of it if calls and context may, and nothing is
 * masked. Pure.
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

/** Whether an entry is the hash of the approval's proposal, which is always sent because decisions name it. */
function isHashOf({ approval }: Explained, key: string, value: JsonValue): boolean {
  return key === 'proposal_hash' && value === approval?.proposal_hash;
}

/** Removes the metadata of a choice, which never leaves the service. */
export function withoutMetadata({
  metadata: _metadata,
  ...choice
}: SuspensionChoice): OutgoingChoice {
  return choice;
}

/** Replaces a whole value, to hide its type and its size too. */
export const MASK = '•••';

/** Masks the values under these names at any depth, also in lists, ignoring case. Pure. */
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
  const { question, attempt, max_attempts, alert, delegated_by, to_group } = request;
  if (alert) return wordAlert(question, alert);
  if (delegated_by !== undefined) {
    const whom = to_group === undefined ? 'you' : `your group ${to_group}`;
    return `Delegated to ${whom} by ${delegated_by}: ${question}`;
  }
  return wordQuestion(question, attempt, max_attempts);
}

function wordAlert(question: string, { stage, sla_seconds }: Alert): string {
  return `SLA breached: stage ${stage + 1} is undecided after ${sla_seconds} s: ${question}`;
}
