import { z } from 'zod';
import { answerMetadataSchema, answerNotes, despiteClaimSchema } from '../suspension/decision.js';
import { principalSchema } from '../people/api-key.js';
import { LIMITS } from '../constants/limits.js';
import {
  boundedText,
  instantSchema,
  jsonObjectSchema,
  jsonValueSchema,
  nameSchema,
} from '../kernel/primitives.js';
import {
  responseSchemaSchema,
  responseTypeSchema,
  suspensionChoiceSchema,
  textFormatSchema,
} from '../suspension/suspension.js';
import { claimSchema } from '../suspension/verbs.js';
import { respondResultSchema } from '../suspension/view.js';

/** What a link is for. Only its encrypted token contains this, because a question's id is a secret outside (R25-100). */
export const linkContentSchema = z.object({
  space: nameSchema,
  /** The principal of the person that it was sent to. */
  person: principalSchema,
  suspension_id: z.uuid(),
  question_version: z.int().min(1),
});
export type LinkContent = Readonly<z.output<typeof linkContentSchema>>;

/** The content of an opened token, and when it expires. */
export interface OpenedLink {
  readonly content: LinkContent;
  readonly expires_at: string;
  readonly expired: boolean;
}

/** Opens the token of a link; undefined if none of our keys made it. */
export type OpenLink = (token: string) => Promise<OpenedLink | undefined>;

const tokenSchema = boundedText(LIMITS.linkTokenCharacters)
  .min(1)
  .describe('What stands after # in the link.');

/** Body of `POST /v1/links/read`. */
export const readLinkRequestSchema = z.object({ token: tokenSchema });

/** Body of `POST /v1/links/answer`. */
export const answerLinkRequestSchema = z.object({
  token: tokenSchema,
  value: jsonValueSchema,
  despite_claim: despiteClaimSchema,
  ...answerNotes,
  metadata: answerMetadataSchema,
});
export type LinkAnswer = Readonly<z.output<typeof answerLinkRequestSchema>>;

/** The question that a link shows, redacted like every message. */
const linkQuestionSchema = z.object({
  text: z.string(),
  text_format: z.exactOptional(textFormatSchema),
  response_type: responseTypeSchema,
  choices: z.exactOptional(z.array(suspensionChoiceSchema.omit({ metadata: true })).readonly()),
  response_schema: z.exactOptional(responseSchemaSchema),
  context: jsonObjectSchema.describe('The entries that may leave; personal data is masked.'),
  fields: z
    .exactOptional(jsonValueSchema)
    .describe('`fields` of the context of a form, which nobody could fill in without it.'),
  withheld: z.int().min(0).describe('How many entries of the context are not shown.'),
  question_version: z.int().min(1),
  asked_by: z.string(),
  on_behalf_of: z.exactOptional(z.string()),
  expires_at: instantSchema.nullable().describe('When the question expires.'),
  approvals: z.int().min(0).describe('How many agree so far.'),
  required: z.int().min(1).describe('How many have to agree.'),
  claim: claimSchema.nullable().describe('Null if nobody has claimed it, or no longer.'),
});

/** Reply of `POST /v1/links/read` if the question is open and the link still valid. */
export const linkViewSchema = z.object({
  person: z.object({ principal: z.string(), name: z.string() }),
  question: linkQuestionSchema,
  state: z.literal('pending'),
  needs_sign_in: z.boolean().describe('Whether it takes a sign-in to answer, besides the link.'),
  suspension_id: z
    .exactOptional(z.uuid())
    .describe('Where a sign-in is needed: the question to open then.'),
  link_expires_at: instantSchema,
});
export type LinkView = Readonly<z.output<typeof linkViewSchema>>;

/** Reply of `POST /v1/links/answer` with status 200. */
export const linkAnsweredSchema = respondResultSchema.omit({
  intent_id: true,
  suspension_id: true,
});
export type LinkAnswered = Readonly<z.output<typeof linkAnsweredSchema>>;

/** The body with status 202: the answer is stored but not judged yet. */
export const linkHandedOverSchema = z.object({
  status: z.literal('handed_over'),
  detail: z.string(),
});
