import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import { instantSchema, nameSchema, writtenSchema } from '../kernel/primitives.js';

/** A person's claim on a question. It does not lock it: others may answer after a confirmation. */
export const claimSchema = z.object({
  holder: z.string().describe('The principal that has claimed it.'),
  claimed_at: instantSchema,
  expires_at: instantSchema.describe('When it ends by itself, unless the holder claims again.'),
  as_member_of: z
    .exactOptional(z.array(z.string()).readonly())
    .describe('The groups of the holder to which the question was delegated.'),
});
export type Claim = Readonly<z.infer<typeof claimSchema>>;

/** A delegation of a question. It has `to` or `to_group`. */
export const delegationSchema = z.object({
  by: z.string().describe('The principal that passed it on.'),
  to: z.exactOptional(z.string()).describe('The principal that is to answer.'),
  to_group: z.exactOptional(z.string()).describe('The group of which somebody is to answer.'),
  reason: z.string(),
  at: instantSchema,
  in_force: z.boolean().describe('Whether whom it names may still answer because of it.'),
});
export type Delegation = Readonly<z.infer<typeof delegationSchema>>;

export type DelegationTarget = Pick<Delegation, 'to' | 'to_group'>;

/** The people to whom a question was delegated, besides those whom its rule names. */
export interface Delegates {
  readonly delegates?: readonly string[];
  /** The groups, each with the principals that have delegated to it. */
  readonly delegate_groups?: Readonly<Record<string, readonly string[]>>;
}

export const commentSchema = z.object({
  principal: z.string().describe('Who wrote it, as the key proved.'),
  actor: z.string().describe('In which name.'),
  text: z.string(),
  at: instantSchema,
});
export type Comment = Readonly<z.infer<typeof commentSchema>>;

export const verbFields = {
  claim: claimSchema.nullable().describe('Null if nobody has claimed it, or no longer.'),
  comment_count: z.int().min(0),
};

/** More actions, shown with the question itself, oldest first. */
export const verbLists = {
  comments: z.array(commentSchema).readonly(),
  delegations: z.array(delegationSchema).readonly(),
};

/** Body of `POST /v1/suspensions/{id}/claim`. */
export const claimRequestSchema = z.object({
  question_version: z
    .int()
    .min(1)
    .optional()
    .describe(
      'The version that you have seen: a claim of a question that was changed since is refused.',
    ),
});
export type ClaimRequest = Readonly<z.infer<typeof claimRequestSchema>>;

/** Body of `POST /v1/suspensions/{id}/release`. */
export const releaseRequestSchema = z.object({
  what: z
    .enum(['claim', 'delegation'])
    .optional()
    .describe(
      'Ends only this: the same request once more does not end the other. From an admin it ends the claim of whoever has it by then. Without it a claim of the caller ends first, then its delegation.',
    ),
});
export type ReleaseRequest = Readonly<z.infer<typeof releaseRequestSchema>>;

/** Body of `POST /v1/suspensions/{id}/comments`. */
export const commentRequestSchema = z.object({ text: writtenSchema(LIMITS.commentCharacters) });
export type CommentRequest = Readonly<z.infer<typeof commentRequestSchema>>;

/** Body of `POST /v1/suspensions/{id}/delegate`. */
export const delegateRequestSchema = z
  .object({
    to: nameSchema.optional().describe('The principal that is to answer.'),
    to_group: nameSchema.optional().describe('The group of which somebody is to answer.'),
    reason: writtenSchema(LIMITS.commentCharacters),
  })
  .refine(({ to, to_group }) => (to === undefined) !== (to_group === undefined), {
    path: ['to'],
    params: { accepted: 'either `to`, a principal, or `to_group`, a group' },
  })
  .meta({ oneOf: [{ required: ['to'] }, { required: ['to_group'] }] });
export type DelegateRequest = Readonly<z.infer<typeof delegateRequestSchema>>;

export const candidateSchema = z.object({
  principal: z.string().describe('To delegate to.'),
  name: z.exactOptional(z.string()).describe('By the directory, if it has another than that.'),
  groups: z.array(z.string()).readonly(),
  may_answer: z
    .boolean()
    .describe('Whether its name or a group of it may answer anyway, without the delegation.'),
});
export type Candidate = Readonly<z.infer<typeof candidateSchema>>;

export const candidateGroupSchema = z.object({
  group: z.string().describe('To delegate to.'),
  members: z.int().min(1).describe('How many people are known to be in it.'),
  may_answer: z
    .boolean()
    .describe('Whether the rule lets the whole group answer anyway, without the delegation.'),
});
export type CandidateGroup = Readonly<z.infer<typeof candidateGroupSchema>>;

/** Body of `GET /v1/suspensions/{id}/candidates`. */
export const candidatesSchema = z.object({
  candidates: z.array(candidateSchema).max(LIMITS.candidates).readonly(),
  groups: z.array(candidateGroupSchema).max(LIMITS.candidates).readonly(),
  more: z.boolean().describe('Whether there are more people, or more groups, than `limit`.'),
});
export type Candidates = Readonly<z.infer<typeof candidatesSchema>>;
