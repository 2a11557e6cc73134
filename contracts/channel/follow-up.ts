import type { OutgoingMessage, ProposalToShow } from './notification.js';
import type { JsonObject } from '../kernel/primitives.js';

/** A sent message that its channel can update when its question ends or changes. */
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

/** The note with an answer, as far as it may leave. */
export interface NoteToTell {
  /** The principal that wrote it. */
  readonly by: string;
  /** Absent if it is shown in the inbox only. */
  readonly text?: string;
}

/** People have edited what was asked about. */
export interface EditToShow {
  /** The version of the proposal that was decided on. */
  readonly version: number;
  /** The edited calls, as far as they are known and may leave. */
  readonly calls?: readonly EditedCallToShow[];
}

/** A call that people have edited. */
export interface EditedCallToShow {
  readonly tool: string;
  /** Which of several calls it is, from 1; absent if it is the only one. */
  readonly position?: number;
  /** The arguments as they were asked about, if they are known and may leave. */
  readonly before?: JsonObject;
}

/** How a question ended, for a channel: which of the choices was answered, and the notes with it. */
export interface OutgoingOutcome {
  readonly kind: 'settled';
  readonly outcome: 'answered' | 'expired' | 'withdrawn';
  readonly question: string;
  readonly at: string;
  /** The principal that answered. */
  readonly by?: string;
  readonly choice_label?: string;
  /** The decided calls of an answered approval, as far as they may leave. */
  readonly approval?: ProposalToShow;
  readonly edited?: EditToShow;
  readonly notes?: readonly NoteToTell[];
}

/** The state of a message's question: it is over, or has changed and is shown anew. */
export type OutgoingChange =
  OutgoingOutcome | { readonly kind: 'changed'; readonly message: OutgoingMessage };
