import type { ProposalToShow } from '../../contracts/notification.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';

/** A message has no place for more, and a history need not hold more twice. */
const MOST_CHARACTERS = 6_000;

/** What a notification says of the approval that a question asks for, if it does. */
export function proposalOf({ approval }: Pick<SuspensionRecord, 'approval'>): {
  readonly approval?: ProposalToShow;
} {
  if (approval === undefined) return {};
  const { proposal_hash, proposal } = approval;
  const whole = { calls: proposal.calls, visible_context: proposal.visible_context };
  const isShort = JSON.stringify(whole).length <= MOST_CHARACTERS;
  return { approval: { proposal_hash, ...(isShort && { whole }) } };
}
