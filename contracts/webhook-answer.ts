import { z } from 'zod';
import { answerMetadataSchema, answerNotes } from './answer-notes.js';
import { principalSchema } from './api-key.js';
import { proposalHashSchema } from './approval.js';
import { LIMITS } from './constants/limits.js';
import { boundedText, jsonValueSchema } from './primitives.js';

/** Body of `POST /v1/webhooks/answers`: what a person has answered somewhere else. */
export const webhookAnswerSchema = z.object({
  suspension_id: boundedText(LIMITS.nameCharacters).min(1),
  person: principalSchema.describe('Who answers: the principal of a person of the directory.'),
  value: jsonValueSchema,
  question_version: z.int().min(1).optional(),
  proposal_hash: proposalHashSchema
    .optional()
    .describe('Of what is decided on; needed if the question has an `approval`.'),
  ...answerNotes,
  metadata: answerMetadataSchema,
  despite_claim: z
    .boolean()
    .optional()
    .describe('Answers although somebody else has claimed the question.'),
});
export type WebhookAnswer = Readonly<z.output<typeof webhookAnswerSchema>>;

/** A request with the headers of Standard Webhooks, and its body as it came. */
export interface SignedMessage {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: Uint8Array;
}

/** Who has signed a message: a channel, and for whom it may answer, as names of the directory. */
export interface AnsweringChannel {
  readonly name: string;
  readonly people: readonly string[];
}

/** Finds the channel that has signed a message not long ago; undefined if none has. */
export type OpenAnswer = (message: SignedMessage) => AnsweringChannel | undefined;
