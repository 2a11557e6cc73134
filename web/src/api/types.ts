import type { InboxEntry, SuspensionView } from '../../../contracts/suspension-view.js';
import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';

/** Who has said that it looks at a question, and until when that counts. */
export interface Claim {
  readonly holder: string;
  readonly claimed_at: string;
  readonly expires_at: string;
}

/** A question in a list. */
export type Entry = InboxEntry;

/** A question with all that is known of it. */
export type Question = SuspensionView;

/** A page of a list. */
export interface Page {
  readonly suspensions: readonly Entry[];
  readonly next_cursor: string | null;
}

/** Something that an answer lets go on. */
export interface Blocked {
  readonly kind: 'intent' | 'plan' | 'task' | 'portfolio' | 'workflow' | 'run';
  readonly id: string;
  readonly title: string;
  readonly depth: number;
}

/** Who is signed in, and what it may do. The page hides by it and decides nothing. */
export interface Me {
  readonly space: string;
  readonly principal: string;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  readonly may: readonly string[];
  /** Where engineers look at workflows. */
  readonly temporal_ui?: string | null;
}

/** A session, with what each request that changes something has to bring. */
export interface Session {
  readonly principal: string;
  readonly space: string;
  readonly csrf: string;
  readonly expires_at: string;
}

/** What an answer consists of, besides its question. */
export interface Answer {
  readonly value: JsonValue;
  readonly question_version: number;
  readonly proposal_hash?: string;
  readonly edits?: readonly { readonly call_id: string; readonly arguments: JsonObject }[];
  readonly comment?: string;
  readonly data?: JsonValue;
  readonly metadata?: JsonObject;
  readonly despite_claim?: true;
}

/** Why the API, or something before it, did not do what was asked: problem details, as far as they came. */
export interface Refused {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly field?: string;
  readonly accepted?: string;
  readonly valid_choices?: readonly string[];
  readonly state?: JsonObject;
  readonly request_id?: string;
  readonly errors?: readonly {
    readonly field: string;
    readonly detail: string;
    readonly accepted?: string;
  }[];
}

/** One answer to many questions. */
export interface BulkAnswer {
  readonly answers: readonly (Pick<Answer, 'question_version' | 'proposal_hash'> & {
    readonly suspension_id: string;
  })[];
  readonly value: JsonValue;
  readonly comment?: string;
  readonly data?: JsonValue;
  readonly metadata: JsonObject;
  readonly despite_claim?: true;
}

/** What became of one question of many that were answered together. */
export interface BulkResult {
  readonly suspension_id: string;
  readonly outcome: 'settled' | 'counted' | 'handed_over' | 'refused';
  readonly result?: { readonly approvals?: number; readonly required?: number };
  readonly problem?: Refused;
}
