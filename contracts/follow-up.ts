import type { OutgoingMessage, ProposalToShow } from './notification.js';
import type { JsonObject } from './primitives.js';

/** A message that was handed over, and that its channel can tell of what becomes of its question. */
export interface SentMessage {
  readonly delivery_id: string;
  readonly suspension_id: string;
  /** The name of the channel in the configuration. */
  readonly channel: string;
  /** The channel's own id of the message. */
  readonly reference: string | null;
  /** The principal of the person that it went to, if the channel reaches people. */
  readonly person: string | null;
  /** The version of the question that it shows. */
  readonly shows: number;
}

/** What somebody wrote with an answer, as far as it may leave. */
export interface NoteToTell {
  /** Who wrote it. */
  readonly by: string;
  /** Absent where it is in the inbox alone. */
  readonly text?: string;
}

/** That people have edited what was asked about. */
export interface EditToTell {
  /** The version of the proposal that was decided on. */
  readonly version: number;
  /** The arguments of its only call as they were asked about, if they may leave. */
  readonly before?: JsonObject;
}

/** How a question ended, as a channel may tell it: of an answer only which of the choices it is, and the notes with it. */
export interface OutgoingOutcome {
  readonly kind: 'settled';
  readonly outcome: 'answered' | 'expired' | 'withdrawn';
  readonly question: string;
  readonly at: string;
  /** Who answered. */
  readonly by?: string;
  readonly choice_label?: string;
  /** Of an approval that was answered: what was decided on, as far as it may leave. */
  readonly approval?: ProposalToShow;
  readonly edited?: EditToTell;
  readonly notes?: readonly NoteToTell[];
}

/** What has become of the question of a message: it is over, or has changed and is shown anew. */
export type OutgoingChange =
  OutgoingOutcome | { readonly kind: 'changed'; readonly message: OutgoingMessage };
