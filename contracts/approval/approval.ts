import { z } from 'zod';
import {
  APPROVAL_DECISIONS,
  APPROVAL_KINDS,
  APPROVAL_ROUTES,
  APPROVAL_STATUSES,
  CHECKPOINT_STATUSES,
  RISK_CLASSES,
} from '../constants/approvals.js';
import { LIMITS } from '../constants/limits.js';
import { eligibleSchema } from '../suspension/decision.js';
import { argumentPathSchema } from './rules.js';
import {
  boundedText,
  instantSchema,
  jsonObjectSchema,
  jsonValueSchema,
  nameSchema,
} from '../kernel/primitives.js';

/** SHA-256 over RFC 8785 canonical JSON, in 64 lower-case hexadecimal digits. */
export const proposalHashSchema = boundedText(64).regex(/^[\da-f]{64}$/);

/** The hash that an answer has to name. */
export const decidedHashSchema = proposalHashSchema
  .optional()
  .describe('Of what is decided on; needed if the question has an `approval`.');

export const proposedCallSchema = z.object({
  id: nameSchema.describe("The model's id of the call."),
  tool: nameSchema,
  arguments: jsonObjectSchema,
});
export type ProposedCall = Readonly<z.output<typeof proposedCallSchema>>;

/** What an agent wants to do. Its hash covers all of it, so nothing else runs (A54-13, A54-20). */
export const proposalSchema = z
  .object({
    approval_id: z.uuid(),
    version: z.int().min(1),
    kind: z.enum(APPROVAL_KINDS),
    run_id: nameSchema.describe('The run of the agent: its turns and approvals belong together.'),
    turn_index: z.int().min(0),
    agent: nameSchema,
    on_behalf_of: nameSchema.optional().describe('The user for whom it acts.'),
    decider: nameSchema.optional().describe('That user, if it alone decides.'),
    decided_by: z
      .array(eligibleSchema)
      .optional()
      .describe(
        'Who decides in the place of the user who was to decide: whom the configuration names, for each stage. Empty: whoever may approve.',
      ),
    calls: z.array(proposedCallSchema).max(LIMITS.proposedCalls),
    prompt: z.string(),
    visible_context: jsonObjectSchema,
    route: z.enum(APPROVAL_ROUTES),
    risk_class: z.enum(RISK_CLASSES),
  })
  .meta({ id: 'Proposal' });
export type Proposal = Readonly<z.output<typeof proposalSchema>>;

/** The arguments that represent a call where there is no room for all of them. */
export const summarySchema = z.array(argumentPathSchema).min(1).max(LIMITS.summaryPaths);

/** The additional part of the record of a question that asks for an approval. */
export const approvalPartSchema = z.object({
  proposal: proposalSchema,
  proposal_hash: proposalHashSchema.describe('An answer has to name it.'),
  /** Positions in the route, from 0. */
  stage: z.int().min(0),
  tier: z.int().min(0),
  stage_name: nameSchema.optional(),
  reason: z.string().optional().describe('Why the call is gated.'),
  input_schemas: z
    .record(z.string(), jsonObjectSchema)
    .optional()
    .describe('The schemas of the arguments, by tool. Edited arguments are judged by them.'),
  summaries: z
    .record(z.string(), summarySchema.readonly())
    .optional()
    .describe('The arguments that lists show of a call, by its id.'),
});
export type ApprovalPart = Readonly<z.output<typeof approvalPartSchema>>;

/** Arguments that replace the proposed ones of a call. */
export const editedCallSchema = z.object({ call_id: nameSchema, arguments: jsonObjectSchema });
export type EditedCall = Readonly<z.output<typeof editedCallSchema>>;

export const approverSchema = z.object({
  principal: z.string().describe('Who decided, as the key proved; `policy:auto` where a rule did.'),
  actor: z.string(),
  decision: z.enum(APPROVAL_DECISIONS),
  at: instantSchema,
  comment: z.exactOptional(z.string()).describe('What came with the vote, in words.'),
});
export type Approver = Readonly<z.output<typeof approverSchema>>;

export const approvalResolutionSchema = z.object({
  status: z.enum(APPROVAL_STATUSES).exclude(['pending']),
  by: z.enum(['people', 'timeout', 'policy', 'requester', 'system']),
  /** The votes of all stages, except those on a version that was edited afterwards. */
  approvers: z.array(approverSchema).readonly(),
  resolved_at: instantSchema,
  proposal_hash: proposalHashSchema.describe('The hash of what was decided on.'),
  respondent: z.string().optional().describe('Whose vote decided (JC-38).'),
  comment: z.string().optional(),
  data: jsonObjectSchema.optional(),
  reason: z.string().optional(),
  code: z.literal('proposal_mutation_detected').optional(),
});
export type ApprovalResolution = Readonly<z.output<typeof approvalResolutionSchema>>;

/** The result of an approval whose agent is not on Temporal: its calls, and the agent's saved state. */
export const redemptionViewSchema = z.object({
  checkpoint: z
    .object({
      status: z.enum(CHECKPOINT_STATUSES),
      token: z.int().min(0),
      lease_until: z.exactOptional(instantSchema),
    })
    .nullable()
    .describe('How far the agent has come back; null if it left no checkpoint.'),
  request_hash: proposalHashSchema.nullable().describe('Of the body under its `request_key`.'),
  redeemable_until: z
    .exactOptional(instantSchema)
    .describe(
      'Until when what is left can be picked up. Absent before the decision, and if nothing is left.',
    ),
  calls: z
    .array(
      z.object({
        call_id: nameSchema,
        token: z.int().min(1),
        lease_until: instantSchema,
        completed_at: z.exactOptional(instantSchema),
        result: z.exactOptional(jsonValueSchema),
      }),
    )
    .readonly()
    .describe('The calls that were redeemed, with what they returned.'),
});
export type RedemptionView = Readonly<z.output<typeof redemptionViewSchema>>;

export const withdrawnPartSchema = z.object({
  reason: z.enum(['intent_completed', 'intent_abandoned']),
  at: instantSchema,
});
export type WithdrawnPart = Readonly<z.output<typeof withdrawnPartSchema>>;

export const approvalViewSchema = z
  .object({
    approval_id: z.uuid(),
    status: z.enum(APPROVAL_STATUSES),
    proposal: proposalSchema.describe('In its latest version.'),
    proposal_hash: proposalHashSchema,
    /** The hash of the first version, which differs from `proposal_hash` after an edit. */
    proposed_hash: proposalHashSchema,
    intent_id: z.uuid().nullable(),
    asked_by: z.string(),
    created_at: instantSchema,
    suspension_id: z.uuid().nullable().describe('The question that is open now.'),
    stage: z.int().min(0),
    tier: z.int().min(0),
    response_schema: jsonObjectSchema
      .optional()
      .describe('What the data that come with a decision have to look like.'),
    action: z
      .string()
      .optional()
      .describe('What the OpenIntent API calls it, where it was asked for there.'),
    resolution: approvalResolutionSchema.optional(),
    redemption: redemptionViewSchema.optional().describe('There if the agent is not on Temporal.'),
    withdrawn: withdrawnPartSchema
      .exactOptional()
      .describe(
        'There if its intent has ended before all of it was carried out: nobody gets a call any more. Who carries one out may finish it.',
      ),
    erased_at: z
      .exactOptional(instantSchema)
      .describe(
        'There if its personal data was erased: then nothing of it runs, and its hashes are zeros.',
      ),
  })
  .meta({ id: 'Approval' });
export type ApprovalView = Readonly<z.output<typeof approvalViewSchema>>;
