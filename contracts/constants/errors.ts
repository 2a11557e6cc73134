import { QUESTION_ERRORS } from './question-errors.js';

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

export const CONTAINER_ERRORS = {
  task_cycle: [400, 'Cycle of tasks', 'Tasks depend on each other in a circle.'],
  wrong_agent: [403, "Another agent's task", 'The task is assigned to another agent.'],
  coordinator_not_found: [404, 'Coordinator not found', 'No coordinator has this id.'],
  agent_not_found: [404, 'Agent not found', 'No agent of this name has registered.'],
  portfolio_not_found: [404, 'Portfolio not found', 'No portfolio has this id.'],
  member_not_found: [404, 'Not a member', 'The intent is no member of this portfolio.'],
  task_not_found: [404, 'Task not found', 'No task has this id.'],
  plan_not_found: [404, 'Plan not found', 'No plan has this id.'],
  coordinator_closed: [
    409,
    'Coordinator is gone',
    'The coordinator is over, or another took over.',
  ],
  portfolio_closed: [409, 'Portfolio is closed', 'The portfolio is completed or abandoned.'],
  member_exists: [409, 'Already a member', 'The intent is a member of this portfolio already.'],
  task_claimed: [409, 'Task is claimed', 'An agent has the task, or waits for it.'],
  upstream_intent_suspended: [
    409,
    'Upstream intent is suspended',
    'A phase that provides the inputs waits for an operator. Claim again when it has resumed.',
  ],
  unresolvable_input: [
    409,
    'Input not resolvable',
    'A phase that provides the inputs has not completed, or did not provide them.',
  ],
  too_many_members: [422, 'Too many members', 'The portfolio has reached its limit of members.'],
  deadline_in_past: [422, 'Deadline in the past', 'A deadline must be in the future.'],
  outside_scope: [422, 'Outside the scope', 'The intent is not in the scope of the coordinator.'],
  missing_output: [422, 'Output missing', 'The output lacks keys that are declared as required.'],
  output_type_mismatch: [422, 'Output of another type', 'The output is not of the declared type.'],
  input_wiring: [
    422,
    'Invalid wiring',
    'Inputs, outputs or dependencies name unknown things, or are malformed.',
  ],
  invalid_plan: [422, 'Invalid plan', 'Tasks, checkpoints or conditions do not fit together.'],
} as const satisfies Record<string, readonly [number, string, string]>;

export const INTENT_ERRORS = {
  dependency_cycle: [
    400,
    'Dependency cycle',
    'The intent would depend on itself; state.path shows the circle.',
  ],
  dependency_exists: [400, 'Already a dependency', 'The intent depends on that one already.'],
  governance_violation: [
    403,
    'Against the policy',
    'The governance policy of the intent forbids it.',
  ],
  intent_not_found: [404, 'Intent not found', 'No intent has this id.'],
  lease_not_found: [404, 'Lease not found', 'The lease is unknown, over, or held by another.'],
  dependency_not_found: [404, 'No such dependency', 'The intent does not depend on that one.'],
  invalid_transition: [409, 'Invalid transition', 'The status machine has no such transition.'],
  intent_suspended: [
    409,
    'Intent is suspended',
    'The intent waits for an operator; answer, cancel or abandon first.',
  ],
  intent_not_active: [409, 'Intent is not active', 'Only an active intent can be suspended.'],
  intent_not_suspended: [
    409,
    'Intent is not suspended',
    'There is no open question; the current state is in the body.',
  ],
  workflow_lost: [
    409,
    'Workflow was ended',
    'Its workflow was ended in Temporal, so it takes no writes. Within some minutes the reconciler ends it here too.',
  ],
  intent_closed: [409, 'Intent is closed', 'The intent is completed or abandoned.'],
  dependencies_incomplete: [
    409,
    'Dependencies are incomplete',
    'Intents that this one depends on are not completed; state.incomplete names them.',
  ],
  lease_held: [409, 'Lease is held', 'Another lease covers this scope.'],
  invalid_signals: [422, 'Invalid signals', 'Signals are numbers from 0 to 1.'],
  invalid_patch: [422, 'Invalid patch', 'A patch cannot be applied to this state.'],
  state_too_large: [422, 'State too large', 'A state, task or plan would exceed the limit.'],
  too_many_leases: [422, 'Too many leases', 'The intent has reached its limit of leases.'],
  too_many_dependencies: [
    422,
    'Too many dependencies',
    'The intent has reached its limit of dependencies.',
  ],
} as const satisfies Record<string, readonly [number, string, string]>;

/** Errors of any request, and those of subscriptions and of checkpoints of the log. */
export const SERVICE_ERRORS = {
  malformed_json: [400, 'Malformed JSON', 'The body is not JSON.'],
  invalid_text: [
    400,
    'Invalid text',
    'A text contains U+0000, half of a surrogate pair, or bytes that are not UTF-8.',
  ],
  page_too_large: [400, 'Page too large', 'The page would have more bytes than a list may have.'],
  unauthenticated: [
    401,
    'Not authenticated',
    'The request has no valid X-API-Key, and no valid bearer token.',
  ],
  sign_in_failed: [
    401,
    'Sign-in failed',
    'The issuer has not confirmed to this browser which person signs in.',
  ],
  csrf_token_missing: [
    403,
    'Token of the session missing',
    'A request with a session that changes something needs X-CSRF-Token, as GET /session has it.',
  ],
  cross_site: [
    403,
    'From another site',
    'A page of another site has sent this request. A session works only for pages of this server.',
  ],
  forbidden: [403, 'Not allowed', 'The key lacks the role this operation needs.'],
  too_many_groups: [
    403,
    'Too many groups',
    'The bearer token is valid, but names more groups, or longer ones, than a message to a workflow carries.',
  ],
  not_found: [404, 'Not found', 'No such route.'],
  subscription_not_found: [404, 'Subscription not found', 'No subscription has this id.'],
  checkpoint_not_found: [404, 'Checkpoint not found', 'No such checkpoint has been signed.'],
  workflow_not_found: [404, 'Workflow not found', 'No workflow has this id.'],
  method_not_allowed: [405, 'Method not allowed', 'The route exists, but not with this method.'],
  version_conflict: [409, 'Version conflict', 'If-Match names a version that is not current.'],
  sign_in_link_used: [410, 'Link used', 'The link has already signed somebody in. It works once.'],
  sign_in_link_expired: [410, 'Link expired', 'The link was made too long ago to sign anybody in.'],
  body_too_large: [413, 'Body too large', 'The body exceeds the limit.'],
  invalid_request: [
    422,
    'Invalid request',
    'A field is missing, unknown or not of the accepted form.',
  ],
  idempotency_key_reused: [
    422,
    'Idempotency key reused',
    'The Idempotency-Key was used before with another body.',
  ],
  written_before: [
    409,
    'Written before',
    'This write was made under the same Idempotency-Key so long ago that its reply is no longer kept.',
  ],
  webhooks_not_configured: [
    422,
    'Webhooks are not configured',
    'This server has no secret to sign events for subscriptions.',
  ],
  push_not_configured: [
    422,
    'Pushes are not configured',
    'This server has no key to tell browsers of questions with.',
  ],
  removed_by_retention: [
    422,
    'Removed by retention',
    'The thing with this key or id was removed, long after its end. Nothing new is created under it.',
  ],
  codec_not_configured: [
    422,
    'The codec is not configured',
    'This server lets nobody encode or decode payloads: its configuration has no codec.',
  ],
  payloads_unreadable: [
    422,
    'Payloads unreadable',
    'The codecs of this server do not take these payloads.',
  ],
  checkpoints_not_configured: [
    422,
    'Checkpoints are not configured',
    'The worker of this server has no key to sign checkpoints with.',
  ],
  precondition_required: [428, 'If-Match required', 'Send the version you read as If-Match.'],
  too_many_requests: [
    429,
    'Too many requests',
    'The principal, or the address, has reached its limit of requests for this minute.',
  ],
  too_many_sign_ins: [
    429,
    'Too many failed sign-ins',
    'Too many sign-ins from this address have failed in this minute.',
  ],
  busy: [
    429,
    'Busy',
    'More writes are waiting than the server can carry out in time. Nothing was changed.',
  ],
  too_many_streams: [429, 'Too many streams', 'The limit of open streams is reached.'],
  too_many_long_polls: [429, 'Too many long polls', 'The limit of open long polls is reached.'],
  too_many_subscriptions: [
    429,
    'Too many subscriptions',
    'The limit of webhook subscriptions is reached.',
  ],
  internal: [
    500,
    'Internal error',
    'Something failed unexpectedly. The log has it under the request id.',
  ],
  moving: [503, 'Moving', 'The workflow is between two runs; the same request works in a moment.'],
  workflow_unavailable: [
    503,
    'Temporarily unavailable',
    'No worker took the request in time. A write may still be carried out later: read first.',
  ],
  issuer_unavailable: [
    503,
    'Issuer unavailable',
    'The keys of the issuer cannot be fetched, so the bearer token cannot be checked.',
  ],
  store_unavailable: [503, 'Store unavailable', 'The store cannot be read at the moment.'],
} as const satisfies Record<string, readonly [number, string, string]>;

/**
 * Every error of Holdpoint with its HTTP status, title and meaning. The code is the `type` of an ApplicationFailure
 * inside Temporal, and the `code` of an RFC 9457 problem body in HTTP.
 */
export const ERRORS = {
  ...SERVICE_ERRORS,
  ...INTENT_ERRORS,
  ...QUESTION_ERRORS,
  ...APPROVAL_ERRORS,
  ...CONTAINER_ERRORS,
} as const;

export type ErrorCode = keyof typeof ERRORS;
