import type { ApprovalPlan } from '../../contracts/approval-judging.js';
import type { ApprovalView, Approver } from '../../contracts/approval.js';
import { asMarkdown, cutTo } from '../kernel/text.js';

/** The arguments of a call take so many bytes at most. */
const ARGUMENT_BYTES = 200;
/** So many calls are shown. */
const MOST_CALLS = 5;

/**
 * Describes an approval for engineers in the Temporal UI: where it stands, who is asked, and what would run. Markdown.
 */
export function describeApproval(view: ApprovalView, plan: ApprovalPlan = { stages: [] }): string {
  const { proposal, proposal_hash, asked_by, resolution } = view;
  const { route, risk_class, agent, on_behalf_of, run_id, version } = proposal;
  const whom = on_behalf_of === undefined ? '' : ` for ${asMarkdown(on_behalf_of)}`;
  return [
    resolution ? ending(view) : waiting(view, plan),
    '',
    ...callsOf(view),
    `- Route: ${route}, risk: ${risk_class}`,
    ...(resolution?.approvers ?? []).map(voted),
    `- Agent ${asMarkdown(agent)}${whom}, run ${asMarkdown(run_id)}; asked by ${asMarkdown(asked_by)}`,
    `- Proposal: version ${version}, ${proposal_hash}`,
  ].join('\n');
}

function waiting({ stage, tier, suspension_id }: ApprovalView, { stages }: ApprovalPlan): string {
  const name = stages[stage]?.name;
  const called = name === undefined ? '' : ` (${asMarkdown(name)})`;
  const count = Math.max(1, stages.length);
  const question = suspension_id === null ? '' : `, question ${suspension_id}`;
  return `**Waiting for approval**: stage ${stage + 1} of ${count}${called}, tier ${tier + 1}${question}`;
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
