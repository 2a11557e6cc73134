import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import {
  CHOICE_STYLES,
  PAUSE_REASONS,
  RESOLUTIONS,
  RESPONSE_TYPES,
  TEXT_FORMATS,
} from '../constants/statuses.js';
import {
  instantSchema,
  jsonObjectSchema,
  jsonValueSchema,
  nameSchema,
  secondsSchema,
} from '../kernel/primitives.js';
import { approvalPartSchema } from '../approval/approval.js';
import { decisionRuleSchema, voteSchema } from './decision.js';
import { engagementDecisionSchema } from './engagement.js';
import { fallbackPolicySchema, retryPolicySchema } from './retry-policy.js';

/** Principals that may resume a pause, besides its asker. */
export const resumersSchema = z
  .array(nameSchema)
  .max(LIMITS.listedNames)
  .describe('Principals that may resume it too, besides who opened it and admins.');

/** Makes a suspension a pause (JC-48), which whoever knows the signal can resume. Without it, it is a `human_input`. */
export const pausePartSchema = z.object({
  reason: z.enum(PAUSE_REASONS),
  resume_signal: z.string().describe('What resumes it; any other signal is refused.'),
  resumable_by: resumersSchema,
  timeout_outcome: z.string().describe('The outcome where nothing resumes it in time.'),
  metadata: jsonObjectSchema,
});
export type PausePart = z.infer<typeof pausePartSchema>;

/** What kind of answer a question expects (R25-21). */
export const responseTypeSchema = z.enum(RESPONSE_TYPES);
export type ResponseType = z.infer<typeof responseTypeSchema>;

export const textFormatSchema = z
  .enum(TEXT_FORMATS)
  .describe(
    'Of `question`; `plain` by default. In either every character is shown as it was written.',
  );
export type TextFormat = z.infer<typeof textFormatSchema>;

const choiceTextSchema = z.string().min(1).max(2_000);

/** One option for the operator (R25-27 to R25-31). */
export const suspensionChoiceSchema = z.object({
  value: choiceTextSchema,
  label: choiceTextSchema,
  description: z.string().max(20_000).optional(),
  style: z.enum(CHOICE_STYLES).optional(),
  metadata: jsonObjectSchema.optional(),
});
export type SuspensionChoice = z.infer<typeof suspensionChoiceSchema>;

/** An option in a request: a string is both its value and its label. */
export const sentChoiceSchema = z.union([
  choiceTextSchema.transform((text): SuspensionChoice => ({ value: text, label: text })),
  suspensionChoiceSchema,
]);

/** The form that an answer must have (JC-15). */
export const responseSchemaSchema = jsonObjectSchema.describe(
  'JSON Schema 2020-12 for the value of a form, and for the `data` of the answer to any other question.',
);

/** How a question ended (R25-52). */
export const resolutionSchema = z.enum(RESOLUTIONS);
export type Resolution = z.infer<typeof resolutionSchema>;

/** Who settled a suspension. `system`: its workflow was terminated. `user`: a named user resumed a pause. */
const settledBySchema = z.enum(['operator', 'clock', 'agent', 'user', 'admin', 'intent', 'system']);
export type SettledBy = z.infer<typeof settledBySchema>;

/**
 * The record of a question, as `intent.state._suspension` contains it (R25-34 to R25-52). We added
 * `text_format`, `response_schema`, `decision_rule`, `denials`, `on_behalf_of`, `approval`, `responded_by`, `submitted_by`, `comment`, `data`,
 * `metadata`, `settled_by`, `settled_at`, `reason` and `votes`.
 */
export const suspensionRecordSchema = z
  .object({
    id: z.uuid(),
    question: z.string(),
    text_format: textFormatSchema.optional(),
    response_type: responseTypeSchema,
    choices: z.array(suspensionChoiceSchema).optional(),
    context: jsonObjectSchema.optional(),
    response_schema: responseSchemaSchema.optional(),
    channel_hint: z.string().optional(),
    suspended_at: instantSchema,
    timeout_seconds: secondsSchema.optional(),
    expires_at: instantSchema.optional(),
    fallback_value: jsonValueSchema.optional(),
    fallback_policy: fallbackPolicySchema,
    retry_policy: retryPolicySchema.optional(),
    confidence_at_suspension: z.number().optional(),
    decision_record: engagementDecisionSchema.optional(),
    decision_rule: decisionRuleSchema
      .optional()
      .describe('As it was asked with; absent by default.'),
    denials: z
      .array(z.string())
      .optional()
      .describe('The answers that deny, if the asker said so; empty if none does.'),
    on_behalf_of: z.string().optional(),
    pause: pausePartSchema.optional().describe('If it waits for a signal and not for a person.'),
    approval: approvalPartSchema.optional().describe('What is approved, in its latest version.'),
    question_version: z.int().min(1).optional().describe('Once it was amended.'),
    amended_at: instantSchema.optional(),
    response: jsonValueSchema.optional(),
    responded_at: instantSchema.optional(),
    resolution: resolutionSchema.optional(),
    responded_by: z.string().optional(),
    submitted_by: z.string().optional(),
    comment: z.string().optional().describe('What came with the answer: why it was given.'),
    data: jsonObjectSchema.optional().describe('What else came with the answer.'),
    metadata: jsonObjectSchema.optional(),
    settled_by: settledBySchema.optional(),
    settled_at: instantSchema.optional(),
    reason: z.string().optional(),
    votes: z.array(voteSchema).optional().describe('Only if the rule asks for several.'),
    erased_at: instantSchema
      .optional()
      .describe('When its personal data was erased. Its question then says `[erased]`.'),
  })
  .meta({ id: 'SuspensionRecord' });
export type SuspensionRecord = z.infer<typeof suspensionRecordSchema>;

/** A question before it opens: the record without id and instants. */
export type SuspensionDraft = Omit<
  SuspensionRecord,
  'id' | 'suspended_at' | 'expires_at' | Ending | keyof Ended
>;

type Ending =
  | 'response'
  | 'responded_at'
  | 'responded_by'
  | 'submitted_by'
  | 'comment'
  | 'data'
  | 'metadata'
  | 'reason'
  | 'votes'
  | 'question_version'
  | 'amended_at';

/** The parts of a question that votes may edit or its agent may correct. The asker may know only the first version. */
type Changing = 'approval' | 'question' | 'text_format' | 'choices' | 'context' | 'response_schema';

interface Ended {
  readonly resolution: Resolution;
  readonly settled_by: SettledBy;
  readonly settled_at: string;
}

/** The fields that settling adds to a record, and the latest version of the changed parts. */
export type Settlement = Ended & Readonly<Partial<Pick<SuspensionRecord, Ending | Changing>>>;

export type SettledRecord = SuspensionRecord & Ended;

export const settledRecordSchema = suspensionRecordSchema
  .required({
    resolution: true,
    settled_by: true,
    settled_at: true,
  })
  .meta({ id: 'SettledRecord' });

const timelineKindSchema = z.enum([
  'opened',
  'attempt',
  'attempt_skipped',
  'delivered',
  'delivery_failed',
  'delivery_superseded',
  'answer_accepted',
  'answer_rejected',
  'vote_counted',
  'proposal_edited',
  'eligibility_changed',
  'claimed',
  'released',
  'commented',
  'delegated',
  'amended',
  'expired',
  'cancelled',
]);
export type TimelineKind = z.infer<typeof timelineKindSchema>;

/** One entry of a suspension's timeline. `sequence` starts at 1 and has no gaps. */
export const timelineEntrySchema = z
  .object({
    sequence: z.int().min(1),
    at: instantSchema,
    kind: timelineKindSchema,
    detail: jsonObjectSchema,
  })
  .meta({ id: 'TimelineEntry' });
export type TimelineEntry = Readonly<z.infer<typeof timelineEntrySchema>>;

/**
 * Chains an entry of a timeline to the one before, like events: the hash covers the entry, with a salted commitment
 * instead of its detail.
 */
export interface TimelineSeal {
  readonly payload_commitment: string;
  /** Null once the detail is erased. */
  readonly payload_salt: string | null;
  readonly previous_event_hash: string | null;
  readonly event_hash: string;
}

/**
 * What was found when a question was asked or amended. Neither hashes nor agents see it. A question without findings
 * is judged at its end.
 */
export interface QuestionFindings {
  /** The policy's fallback value is one that no operator could give. */
  readonly fallback_value_valid?: false;
  /** The first attempt sends no message, so it starts no delivery. */
  readonly tells_nobody_at_first?: true;
  /** Sentences for the asker, and for those who read the question. */
  readonly warnings?: readonly string[];
}
