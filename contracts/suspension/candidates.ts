import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';

/** Somebody to whom a question may be delegated. */
export const candidateSchema = z.object({
  principal: z.string().describe('To delegate to.'),
  name: z.exactOptional(z.string()).describe('By the directory, if it has another than that.'),
  groups: z.array(z.string()).readonly(),
  may_answer: z
    .boolean()
    .describe('Whether its name or a group of it may answer anyway, without the delegation.'),
});
export type Candidate = Readonly<z.infer<typeof candidateSchema>>;

/** A group to which a question may be delegated. */
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
