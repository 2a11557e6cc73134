import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import { instantSchema, nameSchema, writtenSchema } from '../kernel/primitives.js';

/** A person's claim on a question. It locks nothing: others may answer after a confirmation. */
export const claimSchema = z.object({
  holder: z.string().describe('The principal that has claimed it.'),
  claimed_at: instantSchema,
  expires_at: instantSchema.describe('When it ends by itself, unless the holder claims again.'),
  as_member_of: z
    .exactOptional(z.array(z.string()).readonly())
    .describe('The groups of the holder to which the question was delegated.'),
});
export type Claim = Readonly<z.infer<typeof claimSchema>>;

/** A question that somebody has passed on. It has `to` or `to_group`. */
export const delegationSchema = z.object({
  by: z.string().describe('The principal that passed it on.'),
  to: z.exactOptional(z.string()).describe('The principal that is to answer.'),
  to_group: z.exactOptional(z.string()).describe('The group of which somebody is to answer.'),
  reason: z.string(),
  at: instantSchema,
  in_force: z.boolean().describe('Whether whom it names may still answer because of it.'),
});
export type Delegation = Readonly<z.infer<typeof delegationSchema>>;

/** Whom a delegation names: a principal, or a group. */
export type DelegationTarget = Pick<Delegation, 'to' | 'to_group'>;

/** Whom a question is delegated to, besides those whom its rule names. */
export interface Delegates {
  readonly delegates?: readonly string[];
  /** The groups, each with the principals that have delegated to it. */
  readonly delegate_groups?: Readonly<Record<string, readonly string[]>>;
}

/** A remark on a question. */
export const commentSchema = z.object({
  principal: z.string().describe('Who wrote it, as the key proved.'),
  actor: z.string().describe('In which name.'),
  text: z.string(),
  at: instantSchema,
});
export type Comment = Readonly<z.infer<typeof commentSchema>>;

/** The actions of people on a question, as a list shows them. */
export const verbFields = {
  claim: claimSchema.nullable().describe('Null if nobody has claimed it, or no longer.'),
  comment_count: z.int().min(0),
};

/** Further actions that the question itself shows, oldest first. */
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
