import type { Problem } from '../../../contracts/kernel/problem.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import type {
  SuspensionChoice,
  SuspensionRecord,
} from '../../../contracts/suspension/suspension.js';
import type {
  BulkAnswers,
  InboxEntry,
  SuspensionView,
} from '../../../contracts/suspension/view.js';

export type Entry = InboxEntry;

/** A question with its schedule and timeline. */
export type Question = SuspensionView;

/** The parts of a question that determine the form of its answer. */
export interface Asked extends Pick<
  SuspensionRecord,
  'response_type' | 'response_schema' | 'context'
> {
  readonly choices?: readonly SuspensionChoice[] | undefined;
}

/** The contents of an answer. Except for defaults of the schema, somebody has entered all of it. */
export interface Said {
  readonly value: JsonValue;
  /** The data that belong to a decision whose question has a schema. */
  readonly data?: JsonValue;
}

/** An answer, which also says whether it counts although somebody else has claimed the question. */
export interface Sendable extends Said {
  readonly despite_claim?: true;
}

export interface Answer extends Sendable {
  readonly question_version: number;
  readonly proposal_hash?: string;
  readonly edits?: readonly { readonly call_id: string; readonly arguments: JsonObject }[];
  readonly comment?: string;
  readonly metadata?: JsonObject;
}

export interface BulkAnswer extends Sendable {
  readonly answers: readonly (Pick<Answer, 'question_version' | 'proposal_hash'> & {
    readonly suspension_id: string;
  })[];
  readonly metadata: JsonObject;
}

export type BulkResult = BulkAnswers['results'][number];

/** The reason of a refusal: problem details of the API, or less if a proxy refused the request. */
export type Refused = Omit<Problem, 'type' | 'code' | 'request_id'> & {
  readonly code: string;
  readonly request_id?: string;
};
