import type { FoundMutation } from '../../contracts/approval-log.js';
import type { ApprovalView } from '../../contracts/approval.js';
import type { MutationRequest } from '../../contracts/approval-requests.js';
import type { Ruling } from '../../contracts/problem.js';
import { hashJson } from '../kernel/hashing.js';
import { ok } from '../kernel/ruling.js';
import { checkNotErased } from './erasure.js';
import type { KeyedEvent } from './events.js';
import { findCall } from './redemption.js';

const MUTATED = 'proposal_mutation_detected';

/**
 * What the log says where an agent finds, right before a call is to run, that it holds another one than was approved: nothing ran,
 * although the approval was given (A54-24, A54-32). It is there once for what the agent holds.
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
        ...(tool !== undefined && { tool }),
        ...(held_hash !== undefined && { held_hash }),
        proposal_hash,
        proposed_hash,
      },
    },
  };
}

/**
 * What an agent that is not on Temporal has found: that it was to run another tool, or other arguments, than it has asked about.
 * Refuses `approval_decided` for an approval that is erased, and `invalid_request` for a call that it does not have.
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
    ...(tool !== undefined && { tool }),
    ...(arguments_hash !== undefined && { held_hash: arguments_hash }),
    proposal_hash,
    proposed_hash,
  });
}
