import type { Guarded } from '../intent/access.js';
import type { IntentEvent, RunEvent } from '../intent/event.js';
import type { SuspensionChange } from '../suspension/view.js';

/**
 * The events to read: of every space; or within one space of all intents and runs, one intent or run, an agent's
 * intents and runs, or a portfolio's intents; or changes of all questions, or of those of one principal.
 */
export type FeedScope = { readonly kind: 'everything' } | SpaceScope;

export type SpaceScope = { readonly space: string } & (
  | { readonly kind: 'all' }
  | { readonly kind: 'questions' }
  | ScopeOf<'intent' | 'run' | 'agent' | 'portfolio' | 'questions_of'>
);

type ScopeOf<Kind extends string> = Kind extends string
  ? { readonly kind: Kind; readonly id: string }
  : never;

/** The kind of change of a question, without its content. */
export interface QuestionChange extends Omit<SuspensionChange, 'id'> {
  readonly suspension_id: string;
}

/** An event of the log of an intent or portfolio, or of a run; or a question that has changed. */
export type FeedEvent = IntentEvent | RunEvent | QuestionChange;

/** Whether an entry of the feed is a changed question rather than an event of a log. */
export function isQuestionChange(event: FeedEvent): event is QuestionChange {
  return 'change' in event;
}

export function isRunEvent(event: FeedEvent): event is RunEvent {
  return 'run_id' in event;
}

/** An event with its position in the feed, and what determines who may see how much of it. */
export interface FeedEntry {
  readonly position: number;
  /** Only streams of this space contain it. */
  readonly space: string;
  /** The principal that created the intent or portfolio, or that asked; its stream contains the event. */
  readonly created_by: string | null;
  /**
   * The principal that sees the event unmasked: the owner of its intent. Null for an event of a run, and for one of a
   * portfolio, whose members may belong to others.
   */
  readonly owner: string | null;
  /** The access data of its intent, or of the member that an event of a portfolio names; null if there is neither. */
  readonly guarded: Guarded | null;
  readonly event: FeedEvent;
}

/** A part of the feed: the entries after one position, up to another, at most `limit` of them. */
export interface FeedRange {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}
