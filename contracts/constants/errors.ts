/**
 * Every refusal Holdpoint can give: HTTP status, title and meaning. The code is the `type` of the
 * ApplicationFailure inside Temporal and the `code` of the problem body outside (RFC 9457).
 */
export const ERRORS = {
  malformed_json: [400, 'Malformed JSON', 'The body is not JSON.'],
  dependency_cycle: [
    400,
    'Dependency cycle',
    'The intent would depend on itself; state.path is the way from it back to it.',
  ],
  dependency_exists: [400, 'Already a dependency', 'The intent depends on that one already.'],
  unauthenticated: [401, 'Not authenticated', 'The X-API-Key header is missing or unknown.'],
  forbidden: [403, 'Not allowed', 'The key lacks the role this operation needs.'],
  responded_by_mismatch: [
    403,
    'Not your name',
    'Only an admin key may answer in the name of somebody else.',
  ],
  not_found: [404, 'Not found', 'No such route.'],
  intent_not_found: [404, 'Intent not found', 'No intent has this id.'],
  suspension_not_found: [404, 'Suspension not found', 'No suspension has this id.'],
  lease_not_found: [404, 'Lease not found', 'The lease is unknown, over, or held by another.'],
  portfolio_not_found: [404, 'Portfolio not found', 'No portfolio has this id.'],
  member_not_found: [404, 'Not a member', 'The intent is no member of this portfolio.'],
  dependency_not_found: [404, 'No such dependency', 'The intent does not depend on that one.'],
  method_not_allowed: [405, 'Method not allowed', 'The route exists, but not with this method.'],
  version_conflict: [409, 'Version conflict', 'If-Match names a version that is not current.'],
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
  intent_closed: [409, 'Intent is closed', 'The intent is completed or abandoned.'],
  dependencies_incomplete: [
    409,
    'Dependencies are incomplete',
    'Intents that this one depends on are not completed; state.incomplete names them.',
  ],
  suspension_mismatch: [
    409,
    'Not the active suspension',
    'The suspension is not the open question of this intent.',
  ],
  question_not_written: [
    409,
    'Question not written',
    'The intent is suspended, but its question is not written yet.',
  ],
  suspension_settled: [
    409,
    'Already settled',
    'The question was answered, expired or cancelled; the outcome is in the body.',
  ],
  lease_held: [409, 'Lease is held', 'Another lease covers this scope.'],
  portfolio_closed: [409, 'Portfolio is closed', 'The portfolio is completed or abandoned.'],
  member_exists: [409, 'Already a member', 'The intent is a member of this portfolio already.'],
  body_too_large: [413, 'Body too large', 'The body exceeds the limit.'],
  invalid_request: [422, 'Invalid request', 'A field is missing or not of the accepted form.'],
  missing_suspension_id: [422, 'suspension_id is required', 'Name the suspension you answer.'],
  invalid_value: [422, 'Invalid value', 'The value does not fit the response type.'],
  invalid_choices: [422, 'Invalid choices', 'The choices do not fit the response type.'],
  invalid_retry_policy: [422, 'Invalid retry policy', 'The policy cannot be followed.'],
  invalid_signals: [422, 'Invalid signals', 'Signals are numbers from 0 to 1.'],
  invalid_patch: [422, 'Invalid patch', 'A patch cannot be applied to this state.'],
  state_too_large: [422, 'State too large', 'The patched state would exceed the limit.'],
  too_many_leases: [422, 'Too many leases', 'The intent holds as many leases as it may.'],
  too_many_members: [422, 'Too many members', 'The portfolio has as many members as it may.'],
  deadline_in_past: [422, 'Deadline in the past', 'A deadline has to lie ahead.'],
  too_many_dependencies: [
    422,
    'Too many dependencies',
    'The intent depends on as many others as it may.',
  ],
  secret_refused: [
    422,
    'Secret refused',
    'A question holds what looks like a credential; nothing of it was kept.',
  ],
  idempotency_key_reused: [
    422,
    'Idempotency key reused',
    'The Idempotency-Key was used before with another body.',
  ],
  request_key_reused: [
    422,
    'Request key reused',
    'The request_key was used before with another question.',
  ],
  precondition_required: [428, 'If-Match required', 'Send the version you read as If-Match.'],
  internal: [500, 'Internal error', 'Something failed that should not; the request id finds it.'],
  moving: [503, 'Moving', 'The workflow is between two runs; the same request works in a moment.'],
  workflow_unavailable: [
    503,
    'Temporarily unavailable',
    'No worker took the request in time. A write may still be carried out later: read first.',
  ],
  store_unavailable: [503, 'Store unavailable', 'The store cannot be read at the moment.'],
} as const satisfies Record<string, readonly [number, string, string]>;

export type ErrorCode = keyof typeof ERRORS;
