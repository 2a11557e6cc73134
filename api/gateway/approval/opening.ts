import { randomBytes } from 'node:crypto';
import type { ApprovalAsk } from '../../../contracts/approval-opening.js';
import type { ServerConfig } from '../../../contracts/config.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import { openingOf } from '../../../domain/approval/opening.js';
import { toInstant } from '../../../domain/kernel/time.js';
import type { ApprovalInput } from '../../../workflows/approval/messages.js';
import { approvalAttributes } from '../../../workflows/engine/search-attributes.js';
import { demand } from '../../errors.js';
import { actorOf } from '../caller.js';
import type { Caller } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';

interface Deps {
  readonly temporal: Pick<Temporal, 'start'>;
  readonly config: ServerConfig;
  readonly clock: Clock;
}

/** What is to be approved, and the intent whose log tells of it. */
export interface OpenApproval extends ApprovalAsk {
  readonly intent_id?: string | undefined;
  /** Whether the approval stays, for who asked to redeem its calls. */
  readonly redeemable?: true;
}

const KEY_BYTES = 32;

/** Opening approvals for agents that are not on Temporal. */
export function createApprovalOpenings({ temporal, config, clock }: Deps) {
  return {
    /**
     * Has the rules judge the calls, and starts the approval under the id that the request names. Of an id that has one
     * already it changes nothing: `exists`. The user for whom the agent acts decides where the rules name nobody. Throws
     * `invalid_request`, `busy` and `workflow_unavailable`.
     */
    async startApproval(
      caller: Caller,
      { intent_id, redeemable, ...ask }: OpenApproval,
    ): Promise<'started' | 'exists'> {
      const opening = demand(openingOf(ask, config.approvals, true));
      const asked_by = caller.principal;
      const asked_as = actorOf(caller);
      const input: ApprovalInput = {
        ...opening,
        asked_by,
        ...(asked_as !== asked_by && { asked_as }),
        asked_at: toInstant(clock.now()),
        intent_id: intent_id ?? null,
        log_key: randomBytes(KEY_BYTES).toString('base64url'),
        ...(redeemable && { redeemable }),
      };
      return temporal.start('approval', {
        workflowId: workflowIdOf('approval', ask.approval_id),
        input,
        summary: opening.proposal.prompt,
        attributes: approvalAttributes(input),
      });
    },
  };
}
