import type { ApprovalRoute, ApprovalVerdict, RiskClass } from './constants/approvals.js';
import type { Eligible } from './decision.js';

/** A fault of the section `approvals`: where it is, and what would be accepted there. */
interface ApprovalFault {
  readonly path: readonly (string | number)[];
  readonly accepted: string;
}

interface Tier {
  readonly approvers?: Eligible | undefined;
  readonly on_timeout?: 'next_tier' | 'deny' | 'allow' | undefined;
}

interface Stage {
  readonly approvers: Eligible;
  readonly tiers: readonly Tier[];
}

interface Rule {
  readonly verdict: ApprovalVerdict;
  readonly risk_class: RiskClass;
  readonly route?: ApprovalRoute | undefined;
  readonly pack?: string | undefined;
}

interface Approvals {
  readonly rules: readonly Rule[];
  readonly routes: Readonly<Record<'human_required' | 'dual_approval', Stage>>;
  readonly packs: Readonly<
    Record<string, { readonly stages: readonly (Stage & { readonly quorum: number })[] }>
  >;
}

/** A stage with its place in the configuration and the rules that lead to it. */
interface Placed {
  readonly stage: Stage;
  readonly quorum: number;
  readonly path: ApprovalFault['path'];
  readonly led: readonly Rule[];
}

/**
 * What each part of the section `approvals` can be right in, and wrong together: rules that name what is not there, a
 * quorum that nobody can reach, a chain of tiers that does not end, or silence that lets a risky call run
 * (A54-27, A54-28).
 */
export function checkApprovals(config: Approvals): readonly ApprovalFault[] {
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

function stagesOf({ rules, routes, packs }: Approvals): readonly Placed[] {
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
  { verdict, route, pack }: Rule,
  path: ApprovalFault['path'],
  packs: Approvals['packs'],
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

/** A tier that ends the chain has none after it, and the last one ends it. */
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

/** People can be counted where they are named; nobody knows how many have a role or are in a group. */
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

/** Silence may let a call run only if each rule that leads there says that the risk is low, and one does. */
function checkAllowed(
  { stage: { tiers }, path, led }: Placed,
  rules: readonly Rule[],
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
