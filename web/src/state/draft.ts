import type { JsonValue } from '../../../contracts/primitives.js';
import type { Answer } from '../api/types.js';
import type { Entered } from '../form/field.js';
import { newKey } from './new-key.js';

/** What somebody has begun to answer. It is for one version of one question, and never sent by itself. */
export interface Draft {
  readonly value?: JsonValue;
  readonly note?: string;
  /** What is entered into a form: the answer, of which `value` is what it says so far, or what comes with a decision. */
  readonly form?: Entered | undefined;
  /** Edited arguments as they are typed, by the id of their call. */
  readonly edits?: Readonly<Record<string, string>>;
  /** Makes a second sending of the same answer harmless; another answer has another. */
  readonly key?: string;
  /** What was sent last, as long as it may count. */
  readonly sent?: Sent;
}

/** An answer that was sent, and of which no reply says what became of it. */
export interface Sent {
  readonly answer: Answer;
  /** The key of the draft as it was sent. */
  readonly key: string;
  /** When it was sent, or known that no reply comes; ms by the clock of this machine. */
  readonly since: number;
  /** How many entries the timeline of the question had by then. */
  readonly entries: number;
  /** Whether the API keeps it for a worker that comes later. */
  readonly isHandedOver?: true;
}

/** What a reply, or the lack of one, says of an answer. One that is `open` may count, or came too late. */
export type Reply = 'counted' | 'handed_over' | 'open' | 'refused';

/** Whether a draft holds anything that somebody would miss. */
export function isBegun({ value, form, note, edits }: Draft): boolean {
  const hasValue = (value !== undefined && value !== '') || form !== undefined;
  return hasValue || Boolean(note) || Object.keys(edits ?? {}).length > 0;
}

/** A draft as a text to copy. */
export function draftText({ value, note, edits }: Draft): string {
  const shown = typeof value === 'string' ? value : value && JSON.stringify(value, null, 2);
  return [shown, note, ...Object.values(edits ?? {})].filter(Boolean).join('\n\n');
}

/**
 * A draft while it is sent.
 *
 * @param entries - how many the timeline of the question has
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
 * A draft once the reply is known to what was sent. Nothing changes if the question has shown before the reply that it counts.
 *
 * @param earlier - what was sent before that and may count all the same: a refusal says nothing of it
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

/** What is left of a draft of which the answer counts: what was typed since. */
export function withoutCounted(draft: Draft): Draft {
  return draft.sent?.key === draft.key ? {} : withoutSent(draft);
}

/** What is left of a draft whose text is given up: what was sent may still count. */
export function withoutTyped({ sent }: Draft): Draft {
  return sent ? { sent } : {};
}

function withoutSent(draft: Draft): Draft {
  const { sent: _, ...typed } = draft;
  return typed;
}
