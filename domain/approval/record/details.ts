import type { ApprovalPlan, PlannedStage } from '../../../contracts/approval/judging.js';
import type {
  ApprovalView,
  Approver,
  RedemptionView,
} from '../../../contracts/approval/approval.js';
import { asMarkdown, cutTo } from '../../kernel/text.js';
import { namesOf } from '../../suspension/people/eligibility.js';
import { isEarlier } from '../../kernel/time.js';
import { APPROVAL_LOST } from '../../../contracts/constants/approvals.js';
import { endEvents, type KeyedEvent } from './events.js';

const ARGUMENT_BYTES = 200;
const MOST_CALLS = 5;
const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const;

/** Describes an approval in Markdown for engineers in the Temporal UI, which shows the first lines in a box. */
export function describeApproval(view: ApprovalView, plan: ApprovalPlan = { stages: [] }): string {
  const { proposal, proposal_hash, asked_by, resolution } = view;
  const { route, risk_class, agent, on_behalf_of, run_id, version } = proposal;
  const whom = on_behalf_of === undefined ? '' : ` for ${asMarkdown(on_behalf_of)}`;
  return [
    ...(resolution ? [ending(view), ''] : waiting(view, plan)),
    ...callsOf(view),
    ...(resolution?.approvers ?? []).map(voted),
    `- Route: ${route}, risk: ${risk_class}`,
    `- Agent ${asMarkdown(agent)}${whom}, run ${asMarkdown(run_id)}; asked by ${asMarkdown(asked_by)}`,
    `- Proposal: version ${version}${version > 1 ? ', edited' : ''}, hash \`${proposal_hash}\``,
  ].join('\n');
}

/** The stage and tier that is asked, and the effect of a timeout and of an approval. */
function waiting({ stage, tier, suspension_id }: ApprovalView, { stages }: ApprovalPlan): string[] {
  const here = stages[stage];
  const asked = here?.tiers[tier];
  const tiers = Math.max(1, here?.tiers.length ?? 0);
  const head = `**Waiting for approval**: ${stageOf(stages, stage)}, tier ${tier + 1} of ${tiers}`;
  if (here === undefined || asked === undefined) return [head, ''];
  const { decision_rule, timeout_seconds } = asked.question;
  const { eligible, quorum } = decision_rule;
  const enough = quorum === 1 ? '1 has' : `${quorum} have`;
  const question = suspension_id === null ? '' : `; question \`${suspension_id}\``;
  return [
    head,
    '',
    `- Asked: ${namesOf(eligible)}, ${enough} to approve within ${spanOf(timeout_seconds)}${question}`,
    `- If nobody decides: ${inSilence(here, tier)}`,
    `- Once approved: ${stage + 1 < stages.length ? `${stageOf(stages, stage + 1)} is asked` : 'it runs'}`,
  ];
}

function stageOf(stages: ApprovalPlan['stages'], stage: number): string {
  const name = stages[stage]?.name;
  const called = name === undefined ? '' : ` (${asMarkdown(name)})`;
  return `stage ${stage + 1} of ${Math.max(1, stages.length)}${called}`;
}

function inSilence({ tiers }: PlannedStage, tier: number): string {
  const next = tiers[tier + 1];
  const then = tiers[tier]?.on_timeout;
  if (then !== 'next_tier' || next === undefined) return then === 'allow' ? 'it runs' : 'denied';
  return `tier ${tier + 2} is asked, ${namesOf(next.question.decision_rule.eligible)}`;
}

/** Seconds in the largest unit that divides them. */
function spanOf(seconds: number): string {
  const [size, unit] = UNITS.find(([each]) => seconds % each === 0) ?? [1, 's'];
  return `${seconds / size} ${unit}`;
}

function ending({ resolution, status }: ApprovalView): string {
  const { by, respondent, resolved_at, reason } = resolution ?? {};
  const who = respondent === undefined ? '' : `, ${asMarkdown(respondent)}`;
  const why = reason === undefined ? '' : ` (${asMarkdown(reason)})`;
  return `**${status}** by ${by}${who} at ${resolved_at}${why}`;
}

function callsOf({ proposal: { calls } }: ApprovalView): string[] {
  const shown = calls.slice(0, MOST_CALLS).map(({ tool, arguments: given }) => {
    return `- Would run: ${asMarkdown(tool)} ${asMarkdown(cutTo(JSON.stringify(given), ARGUMENT_BYTES))}`;
  });
  const more = calls.length - shown.length;
  return more > 0 ? [...shown, `- and ${more} more`] : shown;
}

function voted({ principal, decision, at }: Approver): string {
  return `- ${asMarkdown(principal)} ${decision} at ${at}`;
}

type Ended = Pick<
  ApprovalView,
  'status' | 'proposal' | 'resolution' | 'redemption' | 'withdrawn' | 'erased_at'
>;

/**
 * Returns when an approval was over (ISO-8601): decided, with everything redeemed, or the instant until which that is
 * possible. Of an erased one nothing can be redeemed. Null while it is undecided, or if that instant is unknown.
 */
export function endedAt(approval: Ended): string | null {
  const { status, proposal, resolution, redemption, withdrawn, erased_at } = approval;
  if (resolution === undefined) return null;
  if (redemption === undefined || erased_at !== undefined) return resolution.resolved_at;
  if (redemption.redeemable_until !== undefined) return redemption.redeemable_until;
  const isCompleted = (id: string) =>
    redemption.calls.some((call) => call.call_id === id && call.completed_at !== undefined);
  const isLeft =
    status === 'approved' && !withdrawn && !proposal.calls.every(({ id }) => isCompleted(id));
  const { resolved_at } = resolution;
  const last = withdrawn && isEarlier(resolved_at, withdrawn.at) ? withdrawn.at : resolved_at;
  return isLeft || isAway(redemption) ? null : latest(last, redemption);
}

function isAway({ checkpoint }: RedemptionView): boolean {
  return checkpoint !== null && checkpoint.status !== 'resumed';
}

function latest(resolved_at: string, { calls }: RedemptionView): string {
  return calls.reduce(
    (last, { completed_at }) =>
      completed_at !== undefined && isEarlier(last, completed_at) ? completed_at : last,
    resolved_at,
  );
}

/** The end of an approval whose workflow is gone, and its events. */
export interface LostApproval {
  readonly view: ApprovalView;
  readonly events: readonly KeyedEvent[];
}

/** Ends an approval whose workflow was terminated or failed, as cancelled by the system at `at` (ISO-8601). */
export function lostApproval(view: ApprovalView, at: string): LostApproval {
  const { proposal, proposal_hash, proposed_hash, redemption } = view;
  const resolution = {
    status: 'cancelled',
    by: 'system',
    approvers: [],
    resolved_at: at,
    proposal_hash,
    reason: APPROVAL_LOST,
  } as const;
  return {
    view: {
      ...view,
      status: 'cancelled',
      suspension_id: null,
      resolution,
      ...(redemption && { redemption: { ...redemption, redeemable_until: at } }),
    },
    events: endEvents(
      { proposal, proposal_hash, proposed_hash, rounds: [], decided_in: [], resolution },
      view,
    ),
  };
}
