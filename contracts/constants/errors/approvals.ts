/** Errors of approvals: opening, deciding, editing, redeeming. */
export const APPROVAL_ERRORS = {
  approval_not_found: [404, 'Approval not found', 'No approval has this id.'],
  snapshot_not_found: [404, 'Snapshot not found', 'The run has left no snapshot.'],
  proposal_hash_mismatch: [
    409,
    'Another proposal',
    'The answer is for another version of the proposal; state has the hash of the current one.',
  ],
  proposal_mutation_detected: [
    409,
    'The proposal was changed',
    'What was to run is no longer what was approved, so nothing runs. A new approval needs a new request.',
  ],
  stage_mismatch: [
    409,
    'Another question is open',
    'The decision is not about the question that is open; state has the stage and tier that are, and whether an earlier vote counts.',
  ],
  approval_decided: [409, 'Already decided', 'The approval is decided; state says how.'],
  approval_pending: [409, 'Not decided yet', 'The approval is not decided yet.'],
  approval_in_use: [409, 'In use', 'Another process has it; state.until says until when.'],
  stale_token: [409, 'Taken over', 'Another process has taken over since; its token is higher.'],
  missing_proposal_hash: [
    422,
    'Proposal hash missing',
    'An answer to an approval names the hash of what it decides on.',
  ],
  invalid_edit: [
    422,
    'Edit not accepted',
    "The edited arguments do not fit: the call is not part of the proposal, or its tool's schema refuses them.",
  ],
  edit_not_allowed: [
    422,
    'Edit not allowed',
    'By the rules the edited call is denied, or needs another approval: it has to be proposed anew.',
  ],
  partial_decision: [
    422,
    'All or nothing',
    'A decision is for all calls of the request; part of them cannot be decided.',
  ],
  checkpoint_unreadable: [503, 'Checkpoint unreadable', 'No configured key opens the state.'],
} as const satisfies Record<string, readonly [number, string, string]>;
