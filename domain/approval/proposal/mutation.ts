import type { FoundMutation } from '../../../contracts/approval/log.js';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import type { MutationRequest } from '../../../contracts/approval/requests.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { hashJson } from '../../kernel/hashing.js';
import { ok } from '../../kernel/ruling.js';
import { checkNotErased } from '../record/erasure.js';
import type { KeyedEvent } from '../record/events.js';
import { findCall } from '../running/redemption.js';
import { defined } from '../../../contracts/constants/defined.js';

const MUTATED = 'proposal_mutation_detected';

/**
 * Returns the log entry for an agent that held another call than the approved one right before the run, so that
 * nothing ran (A54-24, A54-32). There is one entry for each state that the agent held.
 */
export function mutationEvent(found: FoundMutation): KeyedEvent {
  const { approval_id, run_id, agent, calls, held_hash, tool, proposal_hash, proposed_hash } =
    found;
  const held = hashJson([calls, tool ?? null, held_hash ?? null]);
  return {
    key: `approval:${approval_id}:held:${held}`,
    draft: {
      event_type: MUTATED,
      actor: agent,
      payload: {
        approval_id,
        run_id,
        reason: MUTATED,
        found_by: 'agent',
        calls: [...calls],
        ...defined({ tool, held_hash }),
        proposal_hash,
        proposed_hash,
      },
    },
  };
}

/**
 * Returns the mutation that an agent outside Temporal reports: another tool or other arguments than it asked about.
 * Refuses `approval_decided` for an erased approval, and `invalid_request` for an unknown call.
 */
export function foundMutation(
  approval: Pick<
    ApprovalView,
    'proposal' | 'proposal_hash' | 'proposed_hash' | 'resolution' | 'erased_at'
  >,
  agent: string,
  { call_id, tool, arguments_hash }: MutationRequest,
): Ruling<FoundMutation> {
  const { proposal, proposal_hash, proposed_hash } = approval;
  const readable = checkNotErased(approval);
  if (!readable.ok) return readable;
  const call = findCall(proposal, call_id);
  if (!call.ok) return call;
  const { approval_id, run_id } = proposal;
  return ok({
    approval_id,
    run_id,
    agent,
    calls: [call.value.id],
    ...defined({ tool, held_hash: arguments_hash }),
    proposal_hash,
    proposed_hash,
  });
}
