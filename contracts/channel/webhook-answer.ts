import { z } from 'zod';
import { answerMetadataSchema, answerNotes, despiteClaimSchema } from '../suspension/decision.js';
import { principalSchema } from '../people/api-key.js';
import { decidedHashSchema } from '../approval/approval.js';
import { LIMITS } from '../constants/limits.js';
import { boundedText, jsonValueSchema } from '../kernel/primitives.js';

/** Body of `POST /v1/webhooks/answers`: an answer that a person gave in another system. */
export const webhookAnswerSchema = z.object({
  suspension_id: boundedText(LIMITS.nameCharacters).min(1),
  person: principalSchema.describe('Who answers: the principal of a person of the directory.'),
  value: jsonValueSchema,
  question_version: z.int().min(1).optional(),
  proposal_hash: decidedHashSchema,
  ...answerNotes,
  metadata: answerMetadataSchema,
  despite_claim: despiteClaimSchema,
});
export type WebhookAnswer = Readonly<z.output<typeof webhookAnswerSchema>>;

/** A request with the headers of Standard Webhooks and its unparsed body. */
export interface SignedMessage {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: Uint8Array;
}

/** The channel that signed a message, and the names of the directory for which it may answer. */
export interface AnsweringChannel {
  readonly name: string;
  readonly people: readonly string[];
}

/** Finds the channel that recently signed a message; undefined if none did. */
export type OpenAnswer = (message: SignedMessage) => AnsweringChannel | undefined;
