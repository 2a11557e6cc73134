import type { Guarded } from './access.js';
import type { IntentEvent } from './event.js';
import type { RunEvent } from './run-event.js';
import type { SuspensionChange } from './suspension-view.js';

/**
 * Which events are read: those of every space, or of one space those of all intents and runs, of one intent or run, of the
 * intents and runs of an agent, or of the intents of a portfolio; or which changes of questions: of all of a space, or of
 * those that one principal asked.
 */
export type FeedScope = { readonly kind: 'everything' } | SpaceScope;

/** Which events of a space are read. */
export type SpaceScope = { readonly space: string } & (
  | { readonly kind: 'all' }
  | { readonly kind: 'questions' }
  | ScopeOf<'intent' | 'run' | 'agent' | 'portfolio' | 'questions_of'>
);

type ScopeOf<Kind extends string> = Kind extends string
  ? { readonly kind: Kind; readonly id: string }
  : never;

/** What has changed of a question, and nothing of its content. */
export interface QuestionChange extends Omit<SuspensionChange, 'id'> {
  readonly suspension_id: string;
}

/** An event of the log of an intent or portfolio, or of a run; or a question that has changed. */
export type FeedEvent = IntentEvent | RunEvent | QuestionChange;

/** An event with its position among all events, and who may see how much of it. */
export interface FeedEntry {
  readonly position: number;
  /** Only streams of this space have it. */
  readonly space: string;
  /**
   * Who created its intent or portfolio, asked for the approval of its run, or asked the question, where that is known; the
   * stream of this agent contains the event.
   */
  readonly created_by: string | null;
  /**
   * The principal that sees the event unmasked: the owner of its intent. Null for an event of a portfolio, which may
   * speak of members that belong to others, and for one of a run.
   */
  readonly owner: string | null;
  /** What decides who may read its intent, or the member that an event of a portfolio names; null if there is neither. */
  readonly guarded: Guarded | null;
  readonly event: FeedEvent;
}

/** A part of the feed: the entries after a position, up to another, at most `limit` of them. */
export interface FeedRange {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}
