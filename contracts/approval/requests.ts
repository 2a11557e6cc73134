import { z } from 'zod';
import { answerNotes } from '../suspension/decision.js';
import { approvalClaimSchema, type ApprovalPlan } from './judging.js';
import {
  approvalViewSchema,
  approverSchema,
  proposalHashSchema,
  summarySchema,
  type ApprovalPart,
  type Proposal,
} from './approval.js';
import {
  APPROVAL_KINDS,
  APPROVAL_STATUSES,
  CHECKPOINT_STATUSES,
  REQUEST_ACTIONS,
  SNAPSHOT_VERSION,
  TASK_ITEM_STATUSES,
  type ApprovalVerdict,
} from '../constants/approvals.js';
import { LIMITS } from '../constants/limits.js';
import {
  boundedText,
  instantSchema,
  jsonObjectSchema,
  jsonValueSchema,
  nameSchema,
  writtenSchema,
  type JsonObject,
  type JsonValue,
} from '../kernel/primitives.js';

/*
 * Approvals for agents that are not on Temporal: their requests, and the replies to them and to the people who
 * decide. Nothing here extends a body that existed before (P3-08, P3-09).
 */

/** The state of an agent that has stopped while people decide. Only the agent can interpret it. */
export const agentCheckpointSchema = z.object({
  schema_version: nameSchema.default(SNAPSHOT_VERSION).describe('Which form `state` has.'),
  state: jsonValueSchema,
});
export type AgentCheckpoint = Readonly<z.output<typeof agentCheckpointSchema>>;

/** A call as an agent proposes it, with its claims and the schema of its arguments. */
const requestedCallSchema = z.object({
  id: nameSchema.describe("The model's id of the call."),
  tool: nameSchema,
  arguments: jsonObjectSchema.default({}),
  claimed: approvalClaimSchema.optional(),
  input_schema: jsonObjectSchema
    .optional()
    .describe('The schema of the arguments; edited ones are judged by it.'),
  summary: summarySchema
    .optional()
    .describe('The arguments that lists show of the call; the first three if left out.'),
});

/** Body of `POST /v1/approvals`. */
export const openApprovalRequestSchema = z
  .object({
    run_id: nameSchema,
    turn_index: z.int().min(0).default(0),
    on_behalf_of: nameSchema
      .optional()
      .describe(
        'The user for whom the agent acts. Of `authentication` and `consent` it is the `decider` too; else it never decides. The key has to name it in `acts_for`.',
      ),
    decider: nameSchema
      .optional()
      .describe(
        'The user for whom the agent acts, and who alone decides, unless the configuration names others. The key has to name it in `acts_for`.',
      ),
    kind: z.enum(APPROVAL_KINDS).default('tool_approval'),
    calls: z.array(requestedCallSchema).max(LIMITS.proposedCalls).default([]),
    prompt: writtenSchema(LIMITS.questionCharacters).optional(),
    visible_context: jsonObjectSchema.default({}),
    intent_id: z.uuid().optional(),
    channel_hint: nameSchema.optional(),
    response_schema: jsonObjectSchema
      .optional()
      .describe('JSON Schema 2020-12 for the `data` that have to come with a decision.'),
    checkpoint: agentCheckpointSchema.optional(),
    request_key: boundedText(LIMITS.requestKeyCharacters)
      .min(1)
      .optional()
      .describe('The same key and body find the approval that they opened before.'),
  })
  .meta({ id: 'OpenApprovalRequest' });
export type OpenApprovalRequest = Readonly<z.output<typeof openApprovalRequestSchema>>;
export type OpenApprovalBody = Readonly<z.input<typeof openApprovalRequestSchema>>;

/** The saved state of a task that a request pauses, so that it can continue after its calls (P3-03, P3-04). */
export const agentTaskItemSchema = z
  .object({
    run_id: nameSchema,
    request_id: z.uuid(),
    status: z.enum(TASK_ITEM_STATUSES),
    tool_calls: z
      .array(z.object({ id: nameSchema, tool: nameSchema, arguments: jsonObjectSchema }))
      .readonly()
      .describe('The calls that wait, or that may run, with their edited arguments.'),
  })
  .meta({ id: 'AgentTaskItem' });
export type AgentTaskItem = Readonly<z.output<typeof agentTaskItemSchema>>;

const requestFields = {
  request_id: z.uuid().describe('Names the approval too: it is its `approval_id`.'),
  kind: z.enum(APPROVAL_KINDS),
  task: agentTaskItemSchema,
  proposal_hash: proposalHashSchema,
};

/** Reply of `POST /v1/approvals`: what a client shows to a person (P3-06, P3-07). */
export const approvalRequiredSchema = z
  .object({
    ...requestFields,
    status: z
      .enum(['suspended', 'approved', 'rejected', 'expired', 'cancelled', 'failed'])
      .describe('`suspended` while people decide; a rule may have decided at once.'),
    url: z.string().describe('Where the decision is posted. GET decides nothing.'),
    allowed_actions: z.array(z.enum(REQUEST_ACTIONS)).readonly(),
    suspension_id: z
      .exactOptional(z.uuid())
      .describe('The question that is open now. A decision that names it decides no other one.'),
    response_schema: z
      .exactOptional(jsonObjectSchema)
      .describe('What the `data` of a decision have to look like.'),
    warnings: z
      .exactOptional(z.array(z.string()).readonly())
      .describe('What is unusual about who decides, when it was opened.'),
  })
  .meta({ id: 'ApprovalRequired' });
export type ApprovalRequired = Readonly<z.output<typeof approvalRequiredSchema>>;

/**
 * Body of `POST /v1/requests/{request_id}/resume` for every kind (P3-15). A decision is for all calls (P3-21):
 * `calls` may repeat their ids, and is refused if it names fewer.
 */
export const resumeRequestSchema = z
  .object({
    action: z.enum(REQUEST_ACTIONS),
    kind: z.enum(APPROVAL_KINDS).optional(),
    ...answerNotes,
    proposal_hash: proposalHashSchema.optional().describe('What the person has seen.'),
    suspension_id: z
      .uuid()
      .optional()
      .describe('The question that the person has seen. Without it the first stage is decided.'),
    calls: z.array(nameSchema).optional(),
    run_id: nameSchema.optional().describe('If it is given, the request has to be of this run.'),
    approver: nameSchema
      .optional()
      .describe('The principal of the key; an admin may name another.'),
    despite_claim: z
      .boolean()
      .optional()
      .describe('Decides although somebody else has claimed the question.'),
  })
  .meta({ id: 'ResumeTaskRequest' });
export type ResumeRequest = Readonly<z.output<typeof resumeRequestSchema>>;

/** Reply of the resume endpoint. A rejected request says that its task is cancelled (P3-12). */
export const resumeReplySchema = z.object({
  ...requestFields,
  status: z.enum(APPROVAL_STATUSES).describe('`pending` while more people have to decide.'),
  message: z.string(),
});
export type ResumeReply = Readonly<z.output<typeof resumeReplySchema>>;

const LEASE_SECONDS = 60;
const MOST_LEASE_SECONDS = 3_600;

const leaseFields = {
  holder: nameSchema.describe('The process. One that starts anew under the same name goes on.'),
  lease_seconds: z.int().min(1).max(MOST_LEASE_SECONDS).default(LEASE_SECONDS),
};
const tokenSchema = z.int().min(1);

/** Body of `POST /v1/approvals/{id}/redeem`. */
export const redeemRequestSchema = z.object({
  ...leaseFields,
  call_id: nameSchema.optional(),
  tool: nameSchema
    .optional()
    .describe('The tool that is to run. Another one than was approved is refused.'),
});

/** Body of `POST /v1/approvals/{id}/mutations`: what the agent was about to run instead of what it asked about. */
export const mutationRequestSchema = z
  .object({
    call_id: nameSchema.optional(),
    tool: nameSchema.optional().describe('The tool that was to run, if it is another one.'),
    arguments_hash: proposalHashSchema
      .optional()
      .describe('The hash of the arguments that were to run, if they are others.'),
  })
  .refine(({ tool, arguments_hash }) => tool !== undefined || arguments_hash !== undefined, {
    params: { accepted: 'at least one of: tool, arguments_hash' },
  });
export type MutationRequest = Readonly<z.output<typeof mutationRequestSchema>>;

/** Reply of `POST /v1/approvals/{id}/mutations`: the log of the run, or of the intent, contains it. */
export const mutationNotedSchema = z.object({
  approval_id: z.uuid(),
  call_id: nameSchema,
  noted: z.literal(true),
});
export type MutationNoted = Readonly<z.output<typeof mutationNotedSchema>>;

/** Body of `POST /v1/approvals/{id}/complete`. */
export const completeRequestSchema = z.object({
  call_id: nameSchema.optional(),
  token: tokenSchema.describe('Of the lease under which the call ran.'),
  result: jsonValueSchema,
});

/** A call that may run: what was approved, and the idempotency key to run it under. */
export const redeemedSchema = z
  .object({
    approval_id: z.uuid(),
    call_id: nameSchema,
    tool: nameSchema,
    arguments: jsonObjectSchema.describe('As approved: edited, if somebody edited them.'),
    edited: z.boolean().describe('Whether somebody edited arguments before the approval.'),
    proposal_hash: proposalHashSchema,
    approvers: z.array(approverSchema).readonly(),
    idempotency_key: z.string().describe('For what takes the call: the same for every process.'),
    token: tokenSchema,
    lease_until: instantSchema,
    comment: z
      .exactOptional(z.string())
      .describe('What the vote that decided said; each of `approvers` has its own.'),
    data: z.exactOptional(jsonObjectSchema).describe('What came with the decision (JC-38).'),
    completed_at: z
      .exactOptional(instantSchema)
      .describe('There if it has run; then do not run it.'),
    result: z.exactOptional(jsonValueSchema),
  })
  .meta({ id: 'RedeemedCall' });
export type Redeemed = Readonly<z.output<typeof redeemedSchema>>;

/** Body of `POST /v1/approvals/{id}/checkpoint/claim`. */
export const claimCheckpointRequestSchema = z.object(leaseFields);
/** Body of `POST /v1/approvals/{id}/checkpoint/finish`. */
export const finishCheckpointRequestSchema = z.object({ token: tokenSchema });

export const checkpointStateSchema = z.object({
  approval_id: z.uuid(),
  status: z.enum(CHECKPOINT_STATUSES),
  token: z.int().min(0),
  lease_until: z.exactOptional(instantSchema),
});
export type CheckpointState = Readonly<z.output<typeof checkpointStateSchema>>;

/** Reply to a claim: the decided approval, and the state that the agent saved. */
export const claimedCheckpointSchema = checkpointStateSchema.extend({
  approval: approvalViewSchema,
  checkpoint: agentCheckpointSchema.nullable(),
});
export type ClaimedCheckpoint = Readonly<z.output<typeof claimedCheckpointSchema>>;

/** Keeps the states of stopped agents as texts, encrypted if a key is configured. */
export interface AgentStates {
  /** @param owner - the approval; the text opens only for this one */
  readonly seal: (state: JsonValue, owner: string) => string;
  /** Returns undefined if no configured key opens it. */
  readonly open: (sealed: string, owner: string) => JsonValue | undefined;
}

/** A request for approval, before the rules have judged it. */
export interface ApprovalAsk extends Omit<
  OpenApprovalRequest,
  'calls' | 'intent_id' | 'checkpoint' | 'request_key'
> {
  readonly approval_id: string;
  readonly agent: string;
  readonly calls: Readonly<OpenApprovalRequest['calls']>;
  readonly reason?: string | undefined;
  /** More content for people and channels (JC-36, JC-37). It is no part of the proposal. */
  readonly context?: JsonObject | undefined;
}

/** A request after the rules have judged it: the proposal, and the people to ask. It is resolved once. */
export interface ApprovalOpening {
  readonly proposal: Proposal;
  readonly verdict: ApprovalVerdict;
  /** The stages that are asked, in order; only if the verdict is `escalate`. */
  readonly plan?: ApprovalPlan;
  readonly reason?: string;
  /** The argument schemas of tools, against which edited arguments are checked. */
  readonly input_schemas?: Readonly<Record<string, JsonObject>>;
  /** The arguments that lists show, by call id. */
  readonly summaries?: NonNullable<ApprovalPart['summaries']>;
  /** The data that a decision must bring (JC-36, JC-42). */
  readonly response_schema?: JsonObject;
  readonly context?: JsonObject;
  readonly channel_hint?: string;
}
