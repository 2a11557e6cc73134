/** Errors of approvals: opening, deciding, editing, redeeming. */
export const APPROVAL_ERRORS = {
  approval_not_found: [404, 'Approval not found', 'No approval has this id.'],
  snapshot_not_found: [404, 'Snapshot not found', 'The run has stored no snapshot.'],
  proposal_hash_mismatch: [
    409,
    'Another proposal',
    'The answer is for another version of the proposal; state has the hash of the current one.',
  ],
  proposal_mutation_detected: [
    409,
    'The proposal was changed',
    'The call that was about to run is not the approved one, so nothing runs. A new approval needs a new request.',
  ],
  stage_mismatch: [
    409,
    'Another question is open',
    'The decision is not about the open question. state has the open stage and tier, and says whether an earlier vote counts.',
  ],
  approval_decided: [409, 'Already decided', 'The approval is decided; state says how.'],
  approval_pending: [409, 'Not decided yet', 'The approval is not decided yet.'],
  approval_in_use: [409, 'In use', 'Another process has it; state.until says until when.'],
  stale_token: [409, 'Taken over', 'Another process has taken over, with a higher token.'],
  missing_proposal_hash: [
    422,
    'Proposal hash missing',
    'An answer to an approval must name the hash of the proposal.',
  ],
  invalid_edit: [
    422,
    'Edit not accepted',
    "The edited arguments do not fit: the call is not part of the proposal, or its tool's schema refuses them.",
  ],
  edit_not_allowed: [
    422,
    'Edit not allowed',
    'The rules deny the edited call, or demand another approval for it. Have the agent propose it anew.',
  ],
  partial_decision: [
    422,
    'All or nothing',
    'A decision is about all calls of the request. Some of them alone cannot be decided.',
  ],
  checkpoint_unreadable: [
    503,
    'Checkpoint unreadable',
    'No configured key decrypts the saved state.',
  ],
} as const satisfies Record<string, readonly [number, string, string]>;
