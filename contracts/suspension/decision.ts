import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import { VOTER_ROLES } from '../constants/statuses.js';
import {
  boundedText,
  instantSchema,
  jsonObjectSchema,
  jsonValueSchema,
  nameSchema,
  writtenSchema,
} from '../kernel/primitives.js';

const namesSchema = z.array(nameSchema).max(LIMITS.listedNames);

/** Who is eligible: named people, roles and groups; without any of them, every operator and admin of the space. */
export const eligibleSchema = z.object({
  principals: namesSchema.optional(),
  roles: z.array(z.enum(VOTER_ROLES)).max(VOTER_ROLES.length).optional(),
  groups: namesSchema.optional(),
});
export type Eligible = z.infer<typeof eligibleSchema>;

export const denialsSchema = z.array(boundedText(LIMITS.denialCharacters)).max(LIMITS.choices);

const ruleFields = {
  eligible: eligibleSchema.describe('Who may answer, besides what roles allow. Empty: everyone.'),
  excluded: namesSchema.describe('Principals that may not answer, even if they are eligible.'),
  quorum: z.int().min(1).max(LIMITS.votes).describe('How many people must give the same answer.'),
  denials: denialsSchema.describe('The answers that deny. "no" for a confirm question.'),
  veto: z.boolean().describe('Whether one denial settles the question.'),
};

/** The people who decide a question, and how many must agree. */
export const decisionRuleSchema = z.object(ruleFields).meta({ id: 'DecisionRule' });
export type DecisionRule = z.infer<typeof decisionRuleSchema>;

/** The rule in a request. Every part has a default: one answer by any operator or admin. */
export const decisionRuleRequestSchema = z.object(ruleFields).partial();
export type DecisionRuleRequest = z.infer<typeof decisionRuleRequestSchema>;

/** An answer that counts. */
export const voteSchema = z
  .object({
    principal: z.string().describe('Who answered, as the key proved.'),
    actor: z.string().describe('In whose name; only an admin answers in another one.'),
    value: jsonValueSchema,
    comment: z.string().optional(),
    data: jsonObjectSchema.optional(),
    metadata: jsonObjectSchema.optional(),
    question_version: z.int().min(1),
    counted_at: instantSchema,
  })
  .meta({ id: 'Vote' });
export type Vote = z.infer<typeof voteSchema>;

export const decisionFields = {
  rule: decisionRuleSchema.describe('The rule as it is in force.'),
  question_version: z.int().min(1).describe('An answer may name the version that it is for.'),
  votes: z.array(voteSchema).readonly().describe('The answers that count, oldest first.'),
  approvals: z.int().min(0).describe('How many of them agree, denials left out.'),
  required: z.int().min(1).describe('How many have to agree.'),
};

/** Body of `PUT /v1/suspensions/{id}/eligibility`. */
export const changeEligibilityRequestSchema = z
  .object({
    eligible: eligibleSchema,
    reason: writtenSchema(LIMITS.questionCharacters).optional(),
  })
  .meta({ id: 'ChangeEligibilityRequest' });
export type ChangeEligibilityRequest = z.infer<typeof changeEligibilityRequestSchema>;

/** The notes beside the value of an answer. A text keeps its spaces and line breaks, and may not be blank. */
export const answerNotes = {
  comment: writtenSchema(LIMITS.questionCharacters)
    .optional()
    .describe('Why it was answered so, for whoever reads the answer.'),
  data: jsonObjectSchema
    .optional()
    .describe('What else the question wants; its `response_schema` judges it.'),
};

/** Confirms an answer although somebody else has claimed the question. */
export const despiteClaimSchema = z
  .boolean()
  .optional()
  .describe('Answers although somebody else has claimed the question.');

const NAMES = Object.keys(answerNotes);

/**
 * Notes of a channel, such as where an answer was given. A comment and data have fields of their own and are refused
 * here.
 */
export const answerMetadataSchema = jsonObjectSchema
  .check(({ value, issues }) => {
    for (const name of NAMES.filter((one) => Object.hasOwn(value, one))) {
      issues.push({
        code: 'custom',
        input: value[name],
        path: [name],
        params: { accepted: `the field ${name} of the answer itself, beside its value` },
      });
    }
  })
  .meta({ not: { anyOf: NAMES.map((name) => ({ required: [name] })) } })
  .optional()
  .describe('Notes of the channel, such as `via`: any JSON object without `comment` and `data`.');
