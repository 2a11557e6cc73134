import type { ApprovalPlan, PlannedTier } from '../../../contracts/approval/judging.js';
import type { ApprovalsConfig } from '../../../contracts/approval/rules.js';
import { defined } from '../../../contracts/constants/defined.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import {
  checkInitiator,
  unchecked,
  unknownIn,
  unknownNames,
  type KnownPeople,
} from '../../directory/known-people.js';
import { reachWarnings } from '../../directory/reach.js';
import { tellingWarnings, type TellingHere } from '../../directory/audience.js';
import { ok } from '../../kernel/ruling.js';
import type { NamedUsers } from './initiator.js';

interface Asking {
  /** Who gets questions; without it, there are no warnings about questions that reach nobody. */
  readonly telling?: TellingHere;
  readonly channel_hint?: string;
  readonly field?: keyof NamedUsers;
}

const MOST_WARNINGS = 2;
const MOST_SHOWN = 10;

/**
 * Adds warnings about the deciders of each tier. Refuses `unknown_principal` only for the `decider`, because an agent
 * cannot change names from the configuration.
 *
 * @param people - who can answer; undefined if unknown
 */
export function planWithPeople(
  plan: ApprovalPlan,
  decider: string | undefined,
  people: KnownPeople | undefined,
  { telling, channel_hint, field = 'decider' }: Asking = {},
): Ruling<ApprovalPlan> {
  const tiers = plan.stages.flatMap((stage) => stage.tiers);
  const isByUser = (tier: PlannedTier) => decider !== undefined && isOnly(tier, decider);
  const isJudged = decider !== undefined && people !== undefined && tiers.some(isByUser);
  const found = isJudged ? checkInitiator(decider, people, field) : ok([]);
  if (!found.ok) return found;
  return ok({
    ...plan,
    stages: plan.stages.map((stage) => ({
      ...stage,
      tiers: stage.tiers.map((tier) =>
        withWarnings(tier, [
          ...(isJudged && isByUser(tier) ? found.value : warningsFor(tier, people)),
          ...(telling
            ? tellingWarnings(
                { decision_rule: tier.question.decision_rule, ...defined({ channel_hint }) },
                [],
                telling,
              )
            : []),
        ]),
      ),
    })),
  });
}

function isOnly({ question }: PlannedTier, decider: string): boolean {
  const { principals = [], roles = [], groups = [] } = question.decision_rule.eligible;
  return principals.includes(decider) && principals.length + roles.length + groups.length === 1;
}

function warningsFor({ question }: PlannedTier, people: KnownPeople | undefined) {
  const { decision_rule } = question;
  const names = people ? unknownNames({ decision_rule }, people) : unchecked({ decision_rule });
  return [...names, ...reachWarnings({ decision_rule }, [], people)];
}

function withWarnings(tier: PlannedTier, all: readonly string[]): PlannedTier {
  const warnings = all.slice(0, MOST_WARNINGS);
  return warnings.length === 0 ? tier : { ...tier, warnings };
}

export function warningsIn({ stages, warnings: own = [] }: ApprovalPlan): readonly string[] {
  const all = stages.flatMap(({ tiers }) => tiers.flatMap(({ warnings = [] }) => warnings));
  return [...new Set([...own, ...all])].slice(0, MOST_SHOWN);
}

/** Lists approvers in routes and stages that match nobody in a space, each with its path. */
export function unknownApprovers(
  { routes, packs }: Pick<ApprovalsConfig, 'routes' | 'packs'>,
  people: KnownPeople,
): readonly string[] {
  const stages = [
    ...Object.entries(routes).map(([name, route]) => [`routes.${name}`, route] as const),
    ...Object.entries(packs).flatMap(([name, pack]) =>
      pack.stages.map((stage, index) => [`packs.${name}.stages[${index}]`, stage] as const),
    ),
  ];
  const all = stages.flatMap(([path, { approvers, tiers }]) =>
    [approvers, ...tiers.map((tier) => tier.approvers ?? {})].flatMap((eligible) =>
      unknownIn(eligible, people).map((warning) => `approvals.${path}: ${warning}`),
    ),
  );
  return [...new Set(all)].slice(0, MOST_SHOWN);
}
