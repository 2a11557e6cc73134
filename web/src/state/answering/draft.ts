import type { JsonObject, JsonValue } from '../../../../contracts/kernel/primitives.js';
import type { Answer } from '../../api/types.js';
import type { Entered } from '../../form/field.js';
import { newKey } from '../../api/http.js';

/** The beginning of an answer to one version of one question. It is never sent by itself. */
export interface Draft {
  readonly value?: JsonValue;
  readonly note?: string;
  /** The entries of a form. The form is the answer, whose present value is `value`, or it belongs to a decision. */
  readonly form?: Entered | undefined;
  /** Edited arguments as JSON, by the id of their call: as typed, or as a form gives them so far. */
  readonly edits?: Readonly<Record<string, string>>;
  /** The forms of edited arguments, by the id of their call. The form counts if there is one. */
  readonly editForms?: Readonly<Record<string, EditForm>>;
  /** Makes repeats of the same answer harmless. Each change of the draft gives it a new key. */
  readonly key?: string;
  /** The last answer that was sent, as long as it may count. */
  readonly sent?: Sent;
}

export interface EditForm {
  readonly entered?: Entered | undefined;
  /** The arguments with which it began; those of the proposal if left out. */
  readonly base?: JsonObject;
}

/** An answer that was sent and whose result is not known. */
export interface Sent {
  readonly answer: Answer;
  readonly key: string;
  /** When it was sent, or when the page knew that no reply comes; ms by the clock of this machine. */
  readonly since: number;
  /** How many entries the timeline of the question had then. */
  readonly entries: number;
  /** Whether the API keeps it until a worker is there. */
  readonly isHandedOver?: true;
}

/** What a reply, or the lack of one, says about an answer. An `open` answer may count or be too late. */
export type Reply = 'counted' | 'handed_over' | 'open' | 'refused';

/** Whether a draft has contents worth keeping. */
export function isBegun({ value, form, note, edits }: Draft): boolean {
  const hasValue = (value !== undefined && value !== '') || form !== undefined;
  return hasValue || Boolean(note) || Object.keys(edits ?? {}).length > 0;
}

export function draftText({ value, note, edits }: Draft): string {
  const shown = typeof value === 'string' ? value : value && JSON.stringify(value, null, 2);
  return [shown, note, ...Object.values(edits ?? {})].filter(Boolean).join('\n\n');
}

/**
 * Returns a draft as it is while its answer is being sent.
 *
 * @param entries - the number of entries in the timeline of the question
 * @param now - ms by the clock of this machine
 */
export function asSent(
  draft: Draft,
  answer: Answer,
  entries: number,
  now: number,
): Draft & { readonly sent: Sent } {
  const { key = newKey() } = draft;
  return { ...draft, key, sent: { answer, key, since: now, entries } };
}

/**
 * Returns a draft after the reply to its answer; unchanged if the question already shows that the answer counts.
 *
 * @param earlier - an answer that was sent before, and may count even if this one is refused
 * @param now - ms by the clock of this machine
 */
export function afterReply(
  draft: Draft,
  sent: Sent,
  reply: Reply,
  earlier: Sent | undefined,
  now: number,
): Draft {
  if (draft.sent?.key !== sent.key) return draft;
  if (reply === 'counted') return withoutCounted(draft);
  if (reply === 'handed_over') return { ...draft, sent: { ...sent, isHandedOver: true } };
  if (reply === 'open') return { ...draft, sent: { ...sent, since: now } };
  const typed = withoutSent(draft);
  return earlier ? { ...typed, sent: earlier } : typed;
}

/** Returns the rest of a draft whose answer counts: what was typed after it was sent. */
export function withoutCounted(draft: Draft): Draft {
  return draft.sent?.key === draft.key ? {} : withoutSent(draft);
}

/** Returns the rest of a draft whose text is discarded: the answer that was sent, which may still count. */
export function withoutTyped({ sent }: Draft): Draft {
  return sent ? { sent } : {};
}

function withoutSent(draft: Draft): Draft {
  const { sent: _, ...typed } = draft;
  return typed;
}
