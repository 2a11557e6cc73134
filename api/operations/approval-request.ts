import type { OpenApprovalRequest } from '../../contracts/approval-requests.js';
import { IN_BODY, START, WRITE, asCaller, operations } from './operation.js';
import { refuseSecrets } from './suspension.js';
import type { Call } from './operation.js';

/** What picking something up may be refused with: people have not approved, or another process has it. */
const PICK_UP = ['approval_pending', 'approval_decided', 'stale_token', ...WRITE] as const;

/** Approvals of agents that are not on Temporal: opened, decided, redeemed and resumed. */
export const APPROVAL_REQUESTS = operations({
  openApproval: {
    resource: 'approval',
    refusals: [
      'intent_not_found',
      'invalid_response_schema',
      'unknown_principal',
      'secret_refused',
      'request_key_reused',
      'removed_by_retention',
      ...START,
    ],
    intentIn: IN_BODY,
    async run(call: Call, request: OpenApprovalRequest) {
      const { prompt, visible_context, calls, response_schema } = request;
      await refuseSecrets(call, { prompt, visible_context, calls, response_schema });
      return call.gateway.openApproval(call.caller, request);
    },
  },
  /** What a key of the caller has opened. */
  findApproval: {
    resource: 'approval',
    refusals: ['approval_not_found', ...START],
    run: asCaller('findApproval'),
  },
  /** Approves or rejects all calls of a request. */
  resumeRequest: {
    resource: 'approval',
    refusals: [
      'not_eligible',
      'responded_by_mismatch',
      'approval_decided',
      'stage_mismatch',
      'already_voted',
      'claimed_by_other',
      'proposal_hash_mismatch',
      'invalid_value',
      'answer_too_large',
      ...WRITE,
    ],
    run: asCaller('resumeRequest'),
  },
  /** A process is about to run a call. */
  redeemCall: {
    resource: 'approval',
    refusals: [
      'approval_pending',
      'approval_decided',
      'approval_in_use',
      'proposal_mutation_detected',
      ...WRITE,
    ],
    run: asCaller('redeemCall'),
  },
  /** A process has run a call. */
  completeCall: {
    resource: 'approval',
    refusals: ['proposal_mutation_detected', ...PICK_UP],
    run: asCaller('completeCall'),
  },
  /** A process finds that it was to run another call than was approved. */
  reportMutation: {
    resource: 'approval',
    refusals: ['approval_decided', ...WRITE],
    run: asCaller('reportMutation'),
  },
  /** A process brings the agent back that was gone. */
  claimCheckpoint: {
    resource: 'approval',
    refusals: [
      'approval_pending',
      'approval_decided',
      'approval_in_use',
      'invalid_transition',
      'checkpoint_unreadable',
      ...WRITE,
    ],
    run: asCaller('claimCheckpoint'),
  },
  /** The agent is back. */
  finishCheckpoint: {
    resource: 'approval',
    refusals: ['invalid_transition', ...PICK_UP],
    run: asCaller('finishCheckpoint'),
  },
});
