import { z } from 'zod';
import {
  APPROVAL_ROUTES,
  APPROVAL_VERDICTS,
  RISK_CLASSES,
  type ApprovalRoute,
} from '../constants/approvals.js';
import { LIMITS } from '../constants/limits.js';
import { eligibleSchema } from '../suspension/decision.js';
import {
  boundedText,
  jsonValueSchema,
  nameSchema,
  secondsSchema,
  writtenSchema,
} from '../kernel/primitives.js';

const DAY_SECONDS = 86_400;
/** A call without a risk class counts as high, so it never runs just because nobody answered. */
const UNCLASSIFIED = 'high';
/** The largest quorum that one of two choices can reach within the votes that one question accepts. */
const MOST_QUORUM = Math.floor((LIMITS.votes + 1) / 2);
const MOST_RULES = 500;
const MOST_STAGES = 20;
const MOST_PATHS = 50;

const scalarSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const orderedSchema = z.union([z.number(), boundedText(LIMITS.questionCharacters)]);

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
    present: z.boolean().optional(),
  })
  .refine((all) => Object.keys(all).length > 0, {
    params: { accepted: 'at least one comparison' },
  });

export type ArgumentComparison = Readonly<z.output<typeof comparisonSchema>>;

const PATH_FORM = 'keys joined by dots, such as to.country or items.0';
export const argumentPathSchema = boundedText(LIMITS.nameCharacters).refine(
  (path) => path.split('.').every((key) => key !== ''),
  { params: { accepted: PATH_FORM } },
);

/** A rule decides about the tool calls that it matches (A54-09). Without conditions it matches all. */
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
type ApprovalRouteConfig = Readonly<z.output<typeof routeSchema>>;

/** One stage of a policy pack (A54-08). */
const stageSchema = z.strictObject({
  name: nameSchema.optional(),
  ...approvalFields,
  quorum: z.int().min(1).max(MOST_QUORUM).default(1),
});
export type ApprovalStageConfig = Readonly<z.output<typeof stageSchema>>;

const packSchema = z.strictObject({ stages: z.array(stageSchema).min(1).max(MOST_STAGES) });

const sectionSchema = z.strictObject({
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
});
export type ApprovalsConfig = z.output<typeof sectionSchema>;

/**
 * The section `approvals`. The first matching rule decides (A54-10). Without it one person is asked for 24 h
 * (A54-34).
 */
export const approvalsConfigSchema = sectionSchema.superRefine((config, context) => {
  for (const { path, accepted } of checkApprovals(config)) {
    context.addIssue({ code: 'custom', path: [...path], params: { accepted } });
  }
});

/** A fault in the section `approvals`: where it is, and what would be accepted there. */
interface ApprovalFault {
  readonly path: readonly (string | number)[];
  readonly accepted: string;
}

/** A stage with its place in the configuration and the rules that lead to it. */
interface Placed {
  readonly stage: ApprovalRouteConfig;
  readonly quorum: number;
  readonly path: ApprovalFault['path'];
  readonly led: readonly ApprovalRule[];
}

/**
 * Finds parts that are wrong together: rules that name what is missing, a quorum that nobody can reach, a chain of
 * tiers without an end, or silence that lets a risky call run (A54-27, A54-28).
 */
function checkApprovals(config: ApprovalsConfig): readonly ApprovalFault[] {
  const { rules, packs } = config;
  return [
    ...rules.flatMap((rule, index) => checkRule(rule, ['rules', index], packs)),
    ...stagesOf(config).flatMap((placed) => [
      ...checkChain(placed),
      ...checkQuorum(placed),
      ...checkAllowed(placed, rules),
    ]),
  ];
}

function stagesOf({ rules, routes, packs }: ApprovalsConfig): readonly Placed[] {
  const escalating = rules.filter(({ verdict }) => verdict === 'escalate');
  const onRoute = (wanted: ApprovalRoute) =>
    escalating.filter(({ route = 'human_required' }) => route === wanted);
  const { human_required, dual_approval } = routes;
  return [
    {
      stage: human_required,
      quorum: 1,
      path: ['routes', 'human_required'],
      led: onRoute('human_required'),
    },
    {
      stage: dual_approval,
      quorum: 2,
      path: ['routes', 'dual_approval'],
      led: onRoute('dual_approval'),
    },
    ...Object.entries(packs).flatMap(([name, { stages }]) =>
      stages.map((stage, index) => ({
        stage,
        quorum: stage.quorum,
        path: ['packs', name, 'stages', index],
        led: onRoute('policy_pack').filter(({ pack }) => pack === name),
      })),
    ),
  ];
}

function checkRule(
  { verdict, route, pack }: ApprovalRule,
  path: ApprovalFault['path'],
  packs: ApprovalsConfig['packs'],
): readonly ApprovalFault[] {
  if (verdict === 'deny' && route !== undefined) {
    return [{ path: [...path, 'route'], accepted: 'left out: what is denied has no route' }];
  }
  if (verdict === 'allow' && route !== undefined && route !== 'auto') {
    return [{ path: [...path, 'route'], accepted: 'auto or left out, with the verdict allow' }];
  }
  if (route !== 'policy_pack') {
    if (pack === undefined) return [];
    return [{ path: [...path, 'pack'], accepted: 'left out, or given with the route policy_pack' }];
  }
  if (pack !== undefined && Object.hasOwn(packs, pack)) return [];
  return [{ path: [...path, 'pack'], accepted: 'the name of one of the packs' }];
}

/** A tier that ends the chain must be the last one, and the last one must end it. */
function checkChain({ stage: { tiers }, path }: Placed): readonly ApprovalFault[] {
  return tiers.flatMap(({ on_timeout }, index) => {
    const isLast = index === tiers.length - 1;
    if (on_timeout === undefined || isLast !== (on_timeout === 'next_tier')) return [];
    const accepted = isLast
      ? 'deny, or allow for low risk: no tier follows'
      : 'next_tier: another tier follows';
    return [{ path: [...path, 'tiers', index, 'on_timeout'], accepted }];
  });
}

/** Checks that the named people can reach the quorum; how many have a role or are in a group is not known. */
function checkQuorum({ stage, quorum, path }: Placed): readonly ApprovalFault[] {
  return stage.tiers.flatMap((tier, index) => {
    const { principals = [], roles = [], groups = [] } = tier.approvers ?? stage.approvers;
    if (principals.length === 0 || roles.length + groups.length > 0) return [];
    if (new Set(principals).size >= quorum) return [];
    const own = tier.approvers === undefined ? [] : ['tiers', index];
    const accepted = `at least ${quorum} people, for so many have to agree`;
    return [{ path: [...path, ...own, 'approvers'], accepted }];
  });
}

/** Silence may let a call run only if at least one rule leads there, and all of these say that the risk is low. */
function checkAllowed(
  { stage: { tiers }, path, led }: Placed,
  rules: readonly ApprovalRule[],
): readonly ApprovalFault[] {
  const allowing = tiers.findIndex(({ on_timeout }) => on_timeout === 'allow');
  if (allowing < 0) return [];
  if (led.length === 0) {
    const accepted = 'next_tier or deny, unless a rule with risk_class low leads here';
    return [{ path: [...path, 'tiers', allowing, 'on_timeout'], accepted }];
  }
  return led
    .filter(({ risk_class }) => risk_class !== 'low')
    .map((rule) => ({
      path: ['rules', rules.indexOf(rule), 'risk_class'],
      accepted: 'low, because a timeout on its route allows the call',
    }));
}
