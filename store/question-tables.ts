import type { Generated, GeneratedAlways } from 'kysely';
import type { Resolution } from '../contracts/suspension/suspension.js';
import type { Spaced } from './columns.js';

/** What managers count of a question; all but `viewed_at` is derived from its row and its timeline. */
export interface QuestionFactsTable extends Spaced {
  suspension_id: string;
  /** Null until the opening is stored. */
  asked_at: string | null;
  asked_by: string | null;
  /** Those of the proposed calls, each once. */
  tools: Generated<string[]>;
  /** Those that the rule in force names. */
  groups: Generated<string[]>;
  /** Those of the attempts so far; an empty text is the default channel. */
  channels: Generated<string[]>;
  resolution: Resolution | null;
  settled_at: string | null;
  denied: Generated<boolean>;
  /** Whether a person has changed the arguments of a call. */
  edited: Generated<boolean>;
  as_expected: Generated<boolean>;
  /** When somebody first claimed it. */
  claimed_at: string | null;
  /** When somebody who may answer first opened it. */
  viewed_at: string | null;
  /** Milliseconds from the opening until it was first opened, claimed or answered; null where it was not. */
  until_viewed: GeneratedAlways<number | null>;
  until_claimed: GeneratedAlways<number | null>;
  until_answered: GeneratedAlways<number | null>;
}
