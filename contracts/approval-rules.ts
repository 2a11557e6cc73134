import { z } from 'zod';
import { checkApprovals } from './approval-checks.js';
import { APPROVAL_ROUTES, APPROVAL_VERDICTS, RISK_CLASSES } from './constants/approvals.js';
import { LIMITS } from './constants/limits.js';
import { eligibleSchema } from './decision.js';
import {
  boundedText,
  jsonValueSchema,
  nameSchema,
  secondsSchema,
  writtenSchema,
} from './primitives.js';

const DAY_SECONDS = 86_400;
/** What is not classified is not low, so that nobody's silence lets it run. */
const UNCLASSIFIED = 'high';
/** Between two answers, so many can agree within the votes that one question takes. */
const MOST_QUORUM = Math.floor((LIMITS.votes + 1) / 2);
const MOST_RULES = 500;
const MOST_STAGES = 20;
const MOST_PATHS = 50;

const scalarSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const orderedSchema = z.union([z.number(), boundedText(LIMITS.questionCharacters)]);

/** Comparisons of one argument. All of them have to hold. */
const comparisonSchema = z
  .strictObject({
    equals: jsonValueSchema.optional(),
    not_equals: jsonValueSchema.optional(),
    one_of: z.array(scalarSchema).min(1).max(LIMITS.listedNames).optional(),
    none_of: z.array(scalarSchema).min(1).max(LIMITS.listedNames).optional(),
    greater_than: orderedSchema.optional(),
    at_least: orderedSchema.optional(),
    less_than: orderedSchema.optional(),
    at_most: orderedSchema.optional(),
    /** Whether the argument is there. */
    present: z.boolean().optional(),
  })
  .refine((all) => Object.keys(all).length > 0, {
    params: { accepted: 'at least one comparison' },
  });

/** What an argument is compared with. */
export type ArgumentComparison = Readonly<z.output<typeof comparisonSchema>>;

const PATH_FORM = 'keys joined by dots, such as to.country or items.0';
const argumentPathSchema = boundedText(LIMITS.nameCharacters).refine(
  (path) => path.split('.').every((key) => key !== ''),
  { params: { accepted: PATH_FORM } },
);

/** A rule says of the tool calls that it matches what becomes of them (A54-09). Without conditions it matches all. */
const ruleSchema = z.strictObject({
  tool: nameSchema.optional().describe('A name, in which * stands for any characters.'),
  agent: nameSchema.optional().describe('The same for the agent that calls.'),
  arguments: z
    .record(argumentPathSchema, comparisonSchema)
    .refine((all) => Object.keys(all).length <= MOST_PATHS, {
      params: { accepted: `at most ${MOST_PATHS} paths` },
    })
    .optional(),
  verdict: z.enum(APPROVAL_VERDICTS),
  risk_class: z.enum(RISK_CLASSES).default(UNCLASSIFIED),
  route: z
    .enum(APPROVAL_ROUTES)
    .optional()
    .describe('Of an escalation; human_required if left out.'),
  pack: nameSchema.optional().describe('The policy pack, for the route policy_pack.'),
  reason: writtenSchema(LIMITS.questionCharacters).optional(),
});
export type ApprovalRule = Readonly<z.output<typeof ruleSchema>>;

/** Empty lists are refused: they would let everybody approve. */
const approversSchema = z
  .strictObject(eligibleSchema.shape)
  .refine((eligible) => Object.values(eligible).every((names) => names?.length !== 0), {
    params: { accepted: 'lists with at least one entry each' },
  });

/** One tier of approvers (A54-25, A54-26). */
const tierSchema = z
  .strictObject({
    approvers: approversSchema.optional().describe('In place of those of the stage.'),
    timeout_seconds: secondsSchema.default(DAY_SECONDS),
    attempts: z
      .int()
      .min(1)
      .max(LIMITS.attempts)
      .default(1)
      .describe('How often the tier is notified, at equal distances within its timeout.'),
    on_timeout: z
      .enum(['next_tier', 'deny', 'allow'])
      .optional()
      .describe('next_tier if another one follows, else deny.'),
  })
  .refine(({ timeout_seconds, attempts }) => timeout_seconds % attempts === 0, {
    path: ['attempts'],
    params: { accepted: 'a number that divides timeout_seconds' },
  });
export type ApprovalTier = Readonly<z.output<typeof tierSchema>>;

const approvalFields = {
  approvers: approversSchema.default({}).describe('Every operator and admin if left out.'),
  tiers: z.array(tierSchema).min(1).max(MOST_STAGES).prefault([{}]),
  sla_seconds: secondsSchema
    .optional()
    .describe('After so long an alert is raised. It decides nothing.'),
};

/** The approvers and timeouts of a route that has a quorum of its own. */
const routeSchema = z.strictObject(approvalFields);

/** One stage of a policy pack (A54-08). */
const stageSchema = z.strictObject({
  name: nameSchema.optional(),
  ...approvalFields,
  quorum: z.int().min(1).max(MOST_QUORUM).default(1),
});
export type ApprovalStageConfig = Readonly<z.output<typeof stageSchema>>;

const packSchema = z.strictObject({ stages: z.array(stageSchema).min(1).max(MOST_STAGES) });

/**
 * The section `approvals` of the configuration file. The first rule that matches decides (A54-10). Without any of it, a
 * call waits for one person, and is denied after 24 hours (A54-34).
 */
export const approvalsConfigSchema = z
  .strictObject({
    rules: z.array(ruleSchema).max(MOST_RULES).default([]),
    routes: z
      .strictObject({
        human_required: routeSchema.prefault({}),
        dual_approval: routeSchema.prefault({}),
      })
      .prefault({}),
    packs: z.record(nameSchema, packSchema).default({}),
    redeem_within_seconds: secondsSchema
      .default(30 * DAY_SECONDS)
      .describe('How long after its decision an approved call can be redeemed.'),
  })
  .superRefine((config, context) => {
    for (const { path, accepted } of checkApprovals(config)) {
      context.addIssue({ code: 'custom', path: [...path], params: { accepted } });
    }
  });
export type ApprovalsConfig = z.output<typeof approvalsConfigSchema>;
